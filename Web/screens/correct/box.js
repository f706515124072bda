// The editor of a spine's box: four corners over the photo, moved by dragging or with the arrow keys. The part of the
// photo can be moved and enlarged, because a box may be far from its spine.
import * as api from "../../lib/api.js";
import { h, s } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, round } from "../../elements/ui.js";
import { startWindow, windowMoved, windowScaled } from "./window.js";

/** Lets the user move the box, and has the spine read again. @returns {Promise<any>} the fresh item, or undefined */
export function askForBox(item) {
  const quad = quadOf(item).map((p) => [...p]);
  return sheet(t("correct.moveBox"), (close) => {
    const editor = boxEditor(api.photoImage(item.photoId), quad);
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
      h("div.box-frame", null, editor.element),
      h(
        "div.line.box-zoom",
        null,
        round("minus", t("correct.showMore"), { onclick: () => editor.scale(1.5) }),
        round("plus", t("correct.showLess"), { onclick: () => editor.scale(1 / 1.5) }),
      ),
      say,
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), go),
    );
  }, { class: "dark full" });
}

/** @param {string} source of the photo @param {number[][]} quad changed in place */
function boxEditor(source, quad) {
  let view = startWindow(quad);
  const box = h("div.box-editor"), polygon = s("polygon");
  const image = h("img", { src: source, alt: "", draggable: "false" });
  const svg = s("svg", { preserveAspectRatio: "none" }, polygon);
  const inPhoto = (e) => {
    const r = box.getBoundingClientRect();
    return [
      view.x + (e.clientX - r.left) / r.width * view.width,
      view.y + (e.clientY - r.top) / r.height * view.height,
    ];
  };
  const handles = quad.map((point, i) => {
    const move = (x, y) => {
      point[0] = Math.max(0, Math.min(1, x));
      point[1] = Math.max(0, Math.min(1, y));
      place();
    };
    return handleOf(t("correct.corner", { n: i + 1 }), point, move, inPhoto);
  });
  const place = () => {
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    polygon.setAttribute("points", quad.map((p) => p.join(",")).join(" "));
    handles.forEach((handle, i) => {
      handle.style.setProperty("left", `${(quad[i][0] - view.x) / view.width * 100}%`);
      handle.style.setProperty("top", `${(quad[i][1] - view.y) / view.height * 100}%`);
    });
    const ratio = image.naturalWidth * view.width / (image.naturalHeight * view.height);
    if (!Number.isFinite(ratio)) return; // not loaded yet
    box.style.setProperty("aspect-ratio", String(ratio));
    box.style.setProperty("--ratio", String(ratio));
    image.style.setProperty("width", `${100 / view.width}%`);
    image.style.setProperty("left", `${-view.x / view.width * 100}%`);
    image.style.setProperty("top", `${-view.y / view.height * 100}%`);
  };
  image.addEventListener("load", place);
  /** @type {number[] | null} */
  let from = null;
  box.addEventListener("pointerdown", (e) => {
    if (e.target.closest(".handle")) return;
    box.setPointerCapture(e.pointerId);
    from = inPhoto(e);
  });
  box.addEventListener("pointermove", (e) => {
    if (!from) return;
    const [x, y] = inPhoto(e);
    view = windowMoved(view, from[0] - x, from[1] - y);
    place();
  });
  for (const name of ["pointerup", "pointercancel"]) box.addEventListener(name, () => (from = null));
  box.append(image, svg, ...handles);
  place();
  const scale = (by) => {
    view = windowScaled(view, by);
    place();
  };
  return { element: box, scale };
}

function handleOf(label, point, move, inPhoto) {
  const handle = h("button.handle", { type: "button", "aria-label": label });
  handle.addEventListener("pointerdown", (e) => handle.setPointerCapture(e.pointerId));
  handle.addEventListener("pointermove", (e) => {
    if (handle.hasPointerCapture(e.pointerId)) move(...inPhoto(e));
  });
  handle.addEventListener("keydown", (e) => {
    const step = e.shiftKey ? 0.01 : 0.002;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
    if (!by) return;
    e.preventDefault();
    move(point[0] + by[0], point[1] + by[1]);
  });
  return handle;
}
