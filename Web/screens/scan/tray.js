// The tray: photos that are not uploaded yet, one in detail or all in order.
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { stage } from "../../elements/stage.js";
import { button, round } from "../../elements/ui.js";

/**
 * Shows a photo, which can be zoomed, and asks whether it is sharp.
 *
 * @param {{url: string}} photo
 * @param {number} index
 * @param {{isSingle: boolean, faults?: string[]}} options `faults`: keys of hints
 * @returns {Promise<"use" | "retake" | undefined>}
 */
export function askAbout(photo, index, { isSingle, faults = [] }) {
  const view = stage({ class: "sheet-stage", role: "img", "aria-label": t("scan.previewAlt", { n: index + 1 }) });
  requestAnimationFrame(() => view.show(photo.url));
  return sheet(
    t("scan.preview"),
    (close) =>
      h(
        "div.preview",
        null,
        faults.length > 0 &&
          h("p.line", null, icon("info"), t(`scan.hint.${faults[0]}.title`), ". ", t(`scan.hint.${faults[0]}.text`)),
        view,
        h("p.caption", null, t("scan.zoomHelp")),
        h(
          "div.actions",
          null,
          button(t("scan.retake"), { onclick: () => close("retake") }, "rotate"),
          button(isSingle ? t("scan.use") : t("scan.keep"), {
            kind: "main",
            autofocus: true,
            onclick: () => close("use"),
          }, "check"),
        ),
      ),
    { class: "dark full" },
  );
}

/**
 * Shows all photos: view, move, remove.
 *
 * @param {any[]} photos changed in place
 * @param {{look: (i: number) => void, remove: (i: number) => void, changed: () => void}} actions
 */
export function traySheet(photos, { look, remove, changed }) {
  sheet(t("scan.tray"), (close) => {
    const list = h("ol.tray");
    const draw = () =>
      replace(
        list,
        photos.map((photo, i) =>
          h(
            "li",
            null,
            h("button", {
              type: "button",
              "aria-label": t("scan.look", { n: i + 1 }),
              onclick: () => {
                close();
                look(i);
              },
            }, h("img", { src: photo.url, alt: "" })),
            h("span.nums", null, i + 1),
            round("up", t("scan.earlier", { n: i + 1 }), {
              class: "bare",
              disabled: i === 0,
              onclick: () => swap(i, i - 1),
            }),
            round("down", t("scan.later", { n: i + 1 }), {
              class: "bare",
              disabled: i === photos.length - 1,
              onclick: () => swap(i, i + 1),
            }),
            round("trash", t("scan.remove", { n: i + 1 }), {
              class: "bare",
              onclick: () => {
                remove(i);
                photos.length ? draw() : close();
              },
            }),
          )
        ),
      );
    const swap = (a, b) => {
      [photos[a], photos[b]] = [photos[b], photos[a]];
      draw();
      changed();
      /** @type {any} */ (list.children[b]?.querySelector("button:nth-of-type(2)"))?.focus();
    };
    draw();
    return list;
  }, { class: "dark" });
}
