// "Do I own it?": the verdict about a book, and the copies of it.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { titleAndAuthor } from "./book.js";
import { cover } from "./cover.js";

/** The sign of each verdict, which differs from the others in shape. */
const SIGNS = {
  have: "check",
  otherEdition: "library",
  wished: "tag",
  fillsGap: "plus",
  unsure: "info",
  notYours: "minus",
};

const known = (verdict) => verdict in SIGNS ? verdict : "unsure";

/** A verdict as a word with its sign. @param {string} verdict */
export const verdictMark = (verdict) =>
  h("span.verdict", { "data-verdict": known(verdict) }, icon(SIGNS[known(verdict)]), t(`own.${known(verdict)}`));

/** The sign alone, on a photo. @param {string} verdict */
export const verdictSign = (verdict) => icon(SIGNS[known(verdict)]);

/** The volume of a series that a book is; false if the answer is not by it. @param {any} answer */
export const volumeLink = ({ series, volume }) =>
  Boolean(series) && h(
    "a.quiet",
    { href: `#/series/${encodeURIComponent(series.id)}`, dir: "auto" },
    t("series.of", { series: series.name, n: volume }),
  );

/** Where a copy is: lent, on its shelf, or not at all yet. */
export function whereabouts(book) {
  if (book.ownership === "wishlist") return t("own.wished");
  if (book.loan) return t("work.lentTo", { who: book.loan.to });
  return book.shelfName || book.shelf?.path || t("scan.noShelf");
}

/** A copy with its edition and where it is. @param {any} book @param {string} [verdict] */
export const copyRow = (book, verdict) =>
  h(
    "a.could-row",
    { href: `#/library/${encodeURIComponent(book.id)}`, role: "listitem", "data-key": book.id },
    cover(book, { size: "s" }),
    h(
      "span.grow",
      null,
      titleAndAuthor(book),
      h("span.caption.clip", { dir: "auto" }, [whereabouts(book), book.year, book.isbn].filter(Boolean).join(" · ")),
    ),
    verdict && verdictMark(verdict),
  );
