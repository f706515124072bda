// The editor of a spine's box: four corners over the photo, moved by dragging or with the arrow keys.
import * as api from "../../lib/api.js";
import { h, s } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote } from "../../elements/ui.js";

/** Lets the user move the box, and has the spine read again. @returns {Promise<any>} the fresh item, or undefined */
export function askForBox(item) {
  const quad = quadOf(item).map((p) => [...p]);
  return sheet(t("correct.moveBox"), (close) => {
    const box = h("div.box-editor");
    const image = h("img", { src: api.photoImage(item.photoId), alt: "", draggable: "false" });
    const polygon = s("polygon");
    const xs = quad.map((p) => p[0]), ys = quad.map((p) => p[1]);
    const pad = 0.12; // part of the photo around the spine
    const x0 = Math.max(0, Math.min(...xs) - pad), x1 = Math.min(1, Math.max(...xs) + pad);
    const y0 = Math.max(0, Math.min(...ys) - pad), y1 = Math.min(1, Math.max(...ys) + pad);
    const view = s("svg", { viewBox: `${x0} ${y0} ${x1 - x0} ${y1 - y0}`, preserveAspectRatio: "none" }, polygon);
    const handles = quad.map((point, i) => {
      const handle = h("button.handle", { type: "button", "aria-label": t("correct.corner", { n: i + 1 }) });
      const move = (x, y) => {
        point[0] = Math.max(0, Math.min(1, x));
        point[1] = Math.max(0, Math.min(1, y));
        place();
      };
      handle.addEventListener("pointerdown", (e) => handle.setPointerCapture(e.pointerId));
      handle.addEventListener("pointermove", (e) => {
        if (!handle.hasPointerCapture(e.pointerId)) return;
        const r = box.getBoundingClientRect();
        move(x0 + (e.clientX - r.left) / r.width * (x1 - x0), y0 + (e.clientY - r.top) / r.height * (y1 - y0));
      });
      handle.addEventListener("keydown", (e) => {
        const step = e.shiftKey ? 0.01 : 0.002;
        const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
        if (!by) return;
        e.preventDefault();
        move(point[0] + by[0], point[1] + by[1]);
      });
      return handle;
    });
    const place = () => {
      polygon.setAttribute("points", quad.map((p) => p.join(",")).join(" "));
      handles.forEach((handle, i) => {
        handle.style.setProperty("left", `${(quad[i][0] - x0) / (x1 - x0) * 100}%`);
        handle.style.setProperty("top", `${(quad[i][1] - y0) / (y1 - y0) * 100}%`);
      });
    };
    image.addEventListener("load", () => {
      const ratio = image.naturalWidth * (x1 - x0) / (image.naturalHeight * (y1 - y0));
      box.style.setProperty("aspect-ratio", String(ratio));
      box.style.setProperty("--ratio", String(ratio));
      image.style.setProperty("width", `${100 / (x1 - x0)}%`);
      image.style.setProperty("left", `${-x0 / (x1 - x0) * 100}%`);
      image.style.setProperty("top", `${-y0 / (y1 - y0) * 100}%`);
      place();
    });
    box.append(image, view, ...handles);
    const say = h("div");
    const go = button(t("correct.readAgain"), {
      kind: "main",
      onclick: async () => {
        go.disabled = true;
        try {
          close(await api.moveBox(item.id, quad, item.etag));
        } catch (error) {
          go.disabled = false;
          say.replaceChildren(errorNote(error));
        }
      },
    });
    return h(
      "div",
      null,
      h("p.quiet", null, t("correct.boxHelp")),
      h("div.box-frame", null, box),
      say,
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), go),
    );
  }, { class: "dark full" });
}
