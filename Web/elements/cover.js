// A book's cover: its picture, or one made from the title, with the book's own spine and its colours where they are known.
import { h, ownAddress } from "../lib/dom.js";

const PALETTES = 12, LAYOUTS = 5;
/** Scripts whose words may be broken anywhere. */
const BREAKABLE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns a hash of a text, the same on every machine. */
export function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  return value;
}

/**
 * Returns the size of a title on a made cover, in % of the cover's width: the longest word fits on a line, and the whole
 * title on the cover.
 */
export function titleSize(title) {
  const words = title.split(/[\s\-–]+/u).filter((word) => !BREAKABLE.test(word));
  const byWord = 128 / Math.max(1, ...words.map(breadth)), byLength = 82 / Math.sqrt([...title].length);
  return Math.max(4, Math.min(12.5, byWord, byLength));
}

/** The breadth of a word in lower-case letters. */
const breadth = (word) => [...word].reduce((sum, letter) => sum + (letter !== letter.toLowerCase() ? 1.3 : 1), 0);

/**
 * @param {{title?: string, author?: string | null, authors?: string[], coverUrl?: string | null, cropUrl?: string | null}} book
 *   `cropUrl` is the address of its spine's picture
 * @param {{size?: string, eager?: boolean}} [options]
 */
export function cover(book, { size = "", eager = false } = {}) {
  const address = ownAddress(book.coverUrl);
  const box = h("div.cover", { class: size, "aria-hidden": "true" });
  if (!address) box.append(made(book));
  else {
    box.append(h("img", {
      src: address,
      alt: "",
      loading: eager ? "eager" : "lazy",
      decoding: "async",
      onerror: () => box.replaceChildren(made(book)),
    }));
  }
  return box;
}

/** Returns a cover made from the title, and from the spine if there is a picture of it. */
function made(book) {
  const author = book.author ?? book.authors?.join(", ") ?? "", title = book.title || "?";
  const number = hash(`${author}|${book.title ?? ""}`);
  const crop = ownAddress(book.cropUrl);
  const element = h(
    "div.made",
    { class: crop ? "with-spine" : "", style: { "--title": `${titleSize(title)}cqi` } },
    h("span.made-title", { dir: "auto" }, title),
    h("i", null),
    h("span.made-author", { dir: "auto" }, author),
  );
  const usePalette = () => {
    element.classList.remove("with-spine");
    element.classList.add(`p${number % PALETTES}`, `l${(number >> 8) % LAYOUTS}`);
  };
  if (crop) import("./spine-cover.js").then((module) => module.addSpine(element, crop, usePalette), usePalette);
  else usePalette();
  return element;
}
