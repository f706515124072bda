// The photo of a shelf with one spine highlighted.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { sheet } from "./sheet.js";
import { stage } from "./stage.js";

/**
 * @param {string} photoId
 * @param {{quad?: number[][] | null, boundingBox?: any}} place in fractions of the photo
 * @param {Record<string, any>} props
 * @param {"cover" | "fit"} [mode]
 */
export function spineOnShelf(photoId, place, props, mode) {
  const view = stage(props);
  view.outlines = false;
  if (mode) view.mode = mode;
  view.setBooks([{ id: "here", state: "only", quad: place.quad ?? undefined, boundingBox: place.boundingBox }]);
  requestAnimationFrame(() => view.show(api.photoImage(photoId)).then(() => view.choose("here", { pan: false })));
  return view;
}

/** The same in a full-screen sheet, with text below. @param {string} title */
export const showOnShelf = (title, photoId, place, words = "") =>
  sheet(
    title,
    () =>
      h(
        "div",
        null,
        spineOnShelf(photoId, place, { class: "sheet-stage" }),
        words && h("p.quiet.under-stage", null, words),
      ),
    { class: "dark full" },
  );
