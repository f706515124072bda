// The photo of a shelf with one spine highlighted.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { placeInWords } from "./place.js";
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

/**
 * The same in a full-screen sheet, with the place in words below. Without a picture, the book's cover is shown.
 *
 * @param {string} title
 * @param {any} place @param {any} book
 */
export const showOnShelf = (title, photoId, place, book, words = "") =>
  sheet(
    title,
    (_close, dialog) => {
      const view = spineOnShelf(photoId, place, { class: "sheet-stage" });
      const content = h("div", null, view, words && h("p.quiet.under-stage", null, words));
      view.addEventListener("missing", () => {
        dialog.classList.remove("dark", "full");
        replace(content, placeInWords(book, words));
      });
      return content;
    },
    { class: "dark full" },
  );
