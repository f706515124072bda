// Spines and other lines of photos on which the searched words were read, though no title or author has them.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { day, ordinal, t } from "../../lib/i18n.js";
import { books } from "../../lib/library.js";
import { redraw } from "../../lib/redraw.js";
import { shelves } from "../../lib/state.js";
import { findWords } from "../../lib/words.js";
import { showOnShelf } from "../../elements/shelf-view.js";

/** Shorter words are not searched. */
const SHORTEST = 3;

/**
 * Lists the spines and lines that a text finds; without the server, those of this browser's copy.
 *
 * @param {any} place
 * @param {string} text
 * @param {Set<string>} shown the books that are listed already
 * @param {() => boolean} isCurrent whether the answer is still wanted
 */
export async function drawSpines(place, text, shown, isCurrent) {
  let rows = [];
  if (text.trim().length >= SHORTEST) {
    try {
      const { spines, lines } = await api.findSpines(text);
      rows = [...spines.filter((one) => !shown.has(one.entryId)).map(row), ...lines.map(lineRow)];
    } catch {
      rows = (await findWords(text)).filter((one) => !shown.has(one.entryId)).map(keptRow);
    }
  }
  if (!isCurrent()) return;
  place.hidden = !rows.length;
  if (!rows.length) return replace(place);
  redraw(
    place,
    h("div.section-head", null, h("h2", null, t("library.spines"))),
    h("ul.rows", null, rows.map((one) => h("li", null, one))),
  );
}

function row(one) {
  const name = one.title ?? t("book.unread");
  const beside = [one.left, one.right].filter(Boolean).join(" · ");
  const words = [one.shelf?.path, t("place.left", { nth: ordinal(one.place.place) }), day(one.seenAt)].filter(Boolean);
  return h(
    "button.kv",
    {
      type: "button",
      "data-key": one.position.detectionId,
      onclick: () => showOnShelf(name, one.position.photoId, one.position, one, words.join(", ")),
    },
    h(
      "span.grow",
      null,
      h("b.clip", { dir: "auto" }, name),
      h("span.caption.clip", { dir: "auto" }, one.text),
      h("span.quiet.clip", { dir: "auto" }, words.join(" · ")),
      beside && h("span.caption.clip", { dir: "auto" }, t("library.beside", { names: beside })),
    ),
  );
}

/** A line that belongs to no spine, such as a sign. */
function lineRow(one) {
  const words = [one.shelf?.path, day(one.seenAt)].filter(Boolean).join(", ");
  return h(
    "button.kv",
    { type: "button", onclick: () => showOnShelf(one.text, one.photoId, one, { title: one.text }, words) },
    h(
      "span.grow",
      null,
      h("b.clip", { dir: "auto" }, one.text),
      h("span.caption.clip", null, t("library.looseLine")),
      h("span.quiet.clip", { dir: "auto" }, words),
    ),
  );
}

/** A text of this browser's copy: without the server there is no photo to show. */
function keptRow(one) {
  const book = one.entryId && books.get()?.find((b) => b.id === one.entryId);
  const path = shelves.get().find((shelf) => shelf.id === one.shelfId)?.path;
  const words = [path, day(one.seenAt)].filter(Boolean).join(" · ");
  const content = h(
    "span.grow",
    null,
    h("b.clip", { dir: "auto" }, book ? book.title : t("book.unread")),
    h("span.caption.clip", { dir: "auto" }, one.text),
    h("span.quiet.clip", { dir: "auto" }, words),
  );
  return book ? h("a.kv", { href: `#/library/${encodeURIComponent(book.id)}` }, content) : h("div.kv", null, content);
}
