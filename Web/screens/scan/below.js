// Controls below the viewfinder: mode, tray, shutter, and the button that reads the photos.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { LIMIT } from "../../lib/queue.js";
import { segmented } from "../../elements/ui.js";

/**
 * @param {{photos: any[], mode: string, live: boolean, busy: number, earlier: {url?: string} | null}} state `earlier`: the
 *   last photo that was read
 * @param {any} actions
 */
export function below({ photos, mode, live, busy, earlier }, actions) {
  const n = photos.length, last = photos[n - 1];
  const readable = n > 0 && (mode === "five" || n > 1 || !live);
  return [
    segmented(
      t("scan.mode"),
      [["one", t("scan.one")], ["five", t("scan.five")]],
      mode,
      (m) => actions.setMode(m),
      { class: "scan-mode" },
    ),
    h(
      "div.shutter-row",
      null,
      n
        ? h(
          "button.thumb",
          {
            type: "button",
            "data-key": "tray",
            "aria-label": t("scan.openTray", { n }),
            onclick: () => actions.openTray(),
          },
          h("img", { src: last.url, alt: "" }),
          h("b", null, n),
        )
        : earlier
        ? h(
          "a.thumb.earlier",
          { href: "#/scans", "data-key": "earlier", "aria-label": t("scan.earlierPhotos") },
          earlier.url ? h("img", { src: earlier.url, alt: "" }) : icon("photo"),
          h("span", { "aria-hidden": "true" }, t("scans.title")),
        )
        : h("span.thumb.none"),
      h("button.shutter", {
        type: "button",
        "data-key": "shutter",
        "aria-label": live ? t("scan.shutter") : t("scan.native"),
        onclick: () => actions.shoot(),
      }, h("i")),
      readable
        ? h("button.read", {
          type: "button",
          "data-key": "read",
          "aria-label": t("scan.read", { n }),
          onclick: () => actions.read(),
        }, icon("arrow"))
        : h("span.read.none"),
    ),
    h(
      "div.under-row",
      null,
      busy
        ? h("span.pstate.preparing", null, icon("cog"), h("span", null, t("pstate.preparing")))
        : h("span.nums", null, n && mode === "five" ? t("scan.count", { n, max: LIMIT }) : ""),
      h(
        "button.choose",
        {
          type: "button",
          "data-key": "choose",
          onclick: () => actions.choose(),
        },
        icon("photo"),
        h("span", null, t("scan.choose")),
      ),
      h(
        "span.strong",
        { "aria-hidden": "true" },
        readable ? t("scan.read", { n }) : "",
      ),
    ),
  ];
}
