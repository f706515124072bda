// A book's cover and its place in words, where no picture of its shelf is stored.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { cover } from "./cover.js";
import { spine } from "./spine.js";

/**
 * @param {any} book
 * @param {string} [words] such as "Hall shelf, 4th from the left"
 * @param {boolean} [hadPhoto] whether a photo showed the book
 */
export const placeInWords = (book, words = "", hadPhoto = true) =>
  h(
    "div.place-in-words",
    null,
    cover({ ...book, cropUrl: null }, { size: "l", eager: true }),
    h(
      "div",
      null,
      words && h("p.line", null, icon("place"), h("span", { dir: "auto" }, words)),
      hadPhoto && h("p.caption", null, t("photo.gone")),
    ),
  );

/**
 * Returns the picture of a spine, or the book's cover if the picture is not stored.
 *
 * @param {any} picture as for `spine`, or null
 * @param {any} book
 * @param {any} options of `spine`
 */
export function spineOrCover(picture, book, options) {
  const instead = () => cover({ ...book, cropUrl: null }, { size: "s" });
  if (!picture) return instead();
  const canvas = spine(picture, options);
  canvas.addEventListener("missing", () => canvas.replaceWith(instead()));
  return canvas;
}
