// One book in the grid or list.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { tierOfBook } from "../../lib/tiers.js";
import { cover } from "../../elements/cover.js";
import { wish } from "./wish.js";

/** Rows grow with the text size. */
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Returns the number of columns and the row height of the list for a width, in CSS px. @param {number} width */
export const layout = (width) =>
  wish.view === "list" ? { columns: 1, rowHeight: 24 + 3.75 * rem(), gap: 0 } : covers(width);

/** The same for the grid of covers. @param {number} width */
export function covers(width) {
  const gap = width < 500 ? 14 : 24;
  // Fewer in larger text, so that words fit.
  const room = width * 16 / rem();
  const columns = room < 340 ? 2 : room < 560 ? 3 : room < 740 ? 4 : room < 1000 ? 5 : 6;
  const cell = (width - gap * (columns - 1)) / columns;
  return { columns, rowHeight: cell * 1.5 + 20 + 3.5 * rem(), gap };
}

/**
 * @param {any} book
 * @param {object} [how]
 * @param {string} [how.view] `grid` or `list`; without it, what is wished for
 * @param {{on: boolean, has: (id: string) => boolean, toggle: (book: any, element: any, isRange?: boolean) => void}} [how.choice]
 * @param {string | null} [how.open] the id of the book that is shown beside the list
 */
export function cell(book, { view = wish.view, choice, open } = {}) {
  const id = String(book.id), chosen = Boolean(choice?.has(id));
  const author = (book.authors ?? []).join(", ");
  const inside = view === "list"
    ? [
      cover(book, { size: "xs" }),
      h(
        "span.grow",
        null,
        h("span.title.clip", { dir: "auto" }, book.title),
        h("span.quiet.clip", { dir: "auto" }, author || t("book.noAuthor")),
      ),
      h(
        "span.caption",
        null,
        [book.shelfName, book.ownership === "lent" && t("library.chip.lent"), ...(book.tags ?? [])].filter(Boolean)
          .join(" · "),
      ),
    ]
    : [
      cover(book),
      h("span.title.clip", { dir: "auto" }, book.title),
      h("span.cell-author.clip", { dir: "auto" }, author || "\u00a0"),
    ];
  const tier = book.reviewStatus === "needsReview" && tierOfBook(book);
  // Without a source no book is checked: a mark on every cover would say nothing. The filter lists them.
  const mark = tier && tier !== "notChecked" &&
    h("span.cell-mark", { class: tier }, icon(`${tier}_tier`, { label: t(`tier.${tier}`) }));
  return h(
    "li",
    {
      class: `cell ${view}${mark ? " marked" : ""}${chosen ? " chosen" : ""}${open === id ? " open" : ""}`,
      "data-id": id,
    },
    choice?.on
      ? h(
        "button.cell-main",
        {
          type: "button",
          "aria-pressed": String(chosen),
          onclick: (e) => choice.toggle(book, e.currentTarget, e.shiftKey),
        },
        inside,
        mark,
        h("span.dot", { "aria-hidden": "true" }, icon("check")),
      )
      : h(
        "a.cell-main",
        {
          href: `#/library/${encodeURIComponent(id)}`,
          "aria-label": author ? t("book.by", { title: book.title, author }) : book.title,
        },
        inside,
        mark,
      ),
  );
}
