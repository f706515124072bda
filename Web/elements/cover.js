// A book's cover: its picture, or one generated from the title.
import { h, ownAddress } from "../lib/dom.js";

const PALETTES = 12, LAYOUTS = 5;

/** Returns a hash of a text, the same on every machine. */
export function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  return value;
}

/**
 * @param {{title?: string, author?: string | null, authors?: string[], coverUrl?: string | null}} book
 * @param {{size?: string, eager?: boolean}} [options]
 */
export function cover(book, { size = "", eager = false } = {}) {
  const address = ownAddress(book.coverUrl);
  const author = book.author ?? book.authors?.join(", ") ?? "";
  const made = () => {
    const number = hash(`${author}|${book.title ?? ""}`);
    return h(
      "div.made",
      { class: `p${number % PALETTES} l${(number >> 8) % LAYOUTS}` },
      h("span.made-title", null, book.title || "?"),
      h("i", null),
      h("span.made-author", null, author),
    );
  };
  const box = h("div.cover", { class: size, "aria-hidden": "true" });
  if (!address) box.append(made());
  else {
    box.append(h("img", {
      src: address,
      alt: "",
      loading: eager ? "eager" : "lazy",
      decoding: "async",
      onerror: () => box.replaceChildren(made()),
    }));
  }
  return box;
}
