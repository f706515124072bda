// A book that was read on a spine: title and author, the text on the spine, and the records that it may be.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { offered, otherOpinion, sourceName } from "../lib/matches.js";
import { tierOfBook } from "../lib/tiers.js";
import { cover } from "./cover.js";
import { sureness } from "./ui.js";

/** Whether a title is hardly more than a guess. It is quoted. */
const isGuess = (book) => tierOfBook(book) === "needsReview" && !book.author;

export const titleOf = (book) =>
  !book.title ? t("book.unread") : isGuess(book) ? t("book.quoted", { title: book.title }) : book.title;
export const authorOf = (book) => book.author || book.authors?.join(", ") || t("book.noAuthor");

/** @param {any} book @param {string} [spec] as of `h` */
export const bookTitle = (book, spec = "span.title") =>
  h(spec, { dir: "auto", class: isGuess(book) ? "uncertain" : "" }, titleOf(book));

/** Title and author in a list, one below the other. */
export const titleAndAuthor = (book) =>
  h("span.grow.stacked", null, bookTitle(book), h("span.quiet", { dir: "auto" }, authorOf(book)));

/** How sure a book is, beside its tier: of a book that was not checked, that says it already. */
export const sureBesideTier = (book) => tierOfBook(book) === "notChecked" ? "" : sureness(book);

/** The lines of text on a book's spine. @returns {string[]} */
export const linesOf = (book) => (book.text ?? []).map((line) => line.text).filter(Boolean);

/**
 * A book beside its picture: what is known, what was read, and what it may be.
 *
 * @param {any} book
 * @param {any} picture
 * @param {{heading?: string, use?: ((match: any) => void) | false, most: number}} options `heading`: the element of the
 *   title; without it, title and author are beside the card already; `use` takes a candidate
 */
export const bookCard = (book, picture, { heading, use, most }) => [
  h(
    "div.book-card-main",
    null,
    picture,
    h(
      "div.grow",
      null,
      heading
        ? [bookTitle(book, `${heading}.title-lg`), h("p.card-author", { dir: "auto" }, authorOf(book))]
        : h("p.caption", null, sureness(book)),
      details(book),
    ),
  ),
  use && candidates(book, use, most, heading === "h1" ? "h2" : "h3"),
];

function details(book) {
  const opinion = otherOpinion(book);
  const facts = [book.publisher, book.year].filter(Boolean).join(", ");
  return [
    facts && h("p.quiet", null, facts),
    book.isbn && h("p.quiet.nums", null, t("book.isbn", { isbn: book.isbn })),
    book.problem && h("p.note", null, icon("info"), h("span", null, book.problem)),
    textRead(book),
    opinion &&
    readLines(t("book.modelRead", { name: sourceName(opinion.source) }), [opinion.title, opinion.author], {
      "data-opinion": opinion.source,
    }),
  ];
}

/** The text on a book's spine. */
export const textRead = (book) => readLines(t("book.weRead"), linesOf(book));

function readLines(label, lines, props = {}) {
  const words = lines.filter(Boolean).join(" · ");
  return words && h("div.read-lines", props, h("p.caption", null, label), h("p.lines", { dir: "auto" }, words));
}

/**
 * The records that a book may be. A tap decides.
 *
 * @param {any} book
 * @param {(match: any) => void} use
 * @param {number} most
 * @param {string} [heading]
 */
export function candidates(book, use, most, heading = "h3") {
  const list = offered(book, most);
  return list.length > 0 && h(
    "div.alternatives",
    null,
    h(heading, null, t("book.couldBe")),
    list.map((match) =>
      h(
        "button.alternative",
        { type: "button", "aria-label": t("correct.useName", { title: match.title }), onclick: () => use(match) },
        cover(match, { size: "xs" }),
        recordWords(match),
        h("span.use", { "aria-hidden": "true" }, t("book.use")),
      )
    ),
  );
}

/** Title, author, publisher, year and source of a record. @param {any} record @param {...any} more below them */
export function recordWords(record, ...more) {
  const { title, subtitle, publisher, year, source } = record;
  const caption = [[publisher, year].filter(Boolean).join(", "), sourceName(source)].filter(Boolean).join(" · ");
  return h(
    "span.grow.stacked",
    null,
    h("span.title", { dir: "auto" }, title, subtitle && h("span.quiet", null, `: ${subtitle}`)),
    h("span.quiet.by", { dir: "auto" }, authorOf(record)),
    caption && h("span.caption", null, caption),
    more,
  );
}
