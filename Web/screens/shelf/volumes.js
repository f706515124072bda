// The missing volumes of series, on the boards of a shelf that is sorted by series.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { around } from "../../lib/places.js";
import { seriesKey } from "../../lib/search.js";

/** Whether a shelf is sorted by series: by its own rule, or by that of the nearest shelf around it. */
export const isBySeries = (all, shelf) => [...around(all, shelf), shelf].findLast((one) => one.sort)?.sort === "series";

/**
 * Returns the missing volumes between two neighbours of a board that are volumes of one series in their order, by the left
 * one of them.
 *
 * @param {any[]} board its spines from left to right
 * @param {any[]} series those with missing volumes, as the server sends them
 * @param {any[]} wishes books on the wish list: their volumes stay in sight
 * @returns {Map<any, Array<{series: any, number: number, wish?: any}>>}
 */
export function volumesBetween(board, series, wishes) {
  const slots = /** @type {Map<string, Map<number, any>>} */ (new Map()), found = new Map();
  const add = (key, number, slot) => slots.set(key, (slots.get(key) ?? new Map()).set(number, slot));
  for (const one of series) {
    for (const number of one.missing) add(seriesKey(one.name), number, { series: one, number });
  }
  for (const book of wishes) {
    const [first, last] = range(book);
    if (first === last) {
      add(seriesKey(book.series), first, { series: { name: book.series }, number: first, wish: book });
    }
  }
  board.slice(1).forEach(({ entry }, i) => {
    const left = board[i], key = seriesKey(left.entry.series);
    if (!key || key !== seriesKey(entry.series)) return;
    const after = range(left.entry)[1], before = range(entry)[0];
    const missing = [...slots.get(key)?.values() ?? []].filter(({ number }) => number > after && number < before);
    if (missing.length) found.set(left, missing.sort((a, b) => a.number - b.number));
  });
  return found;
}

/** The first and the last volume of a book, such as 1 and 3 of `1-3`; NaN without a number. */
function range({ seriesNumber }) {
  const [first, last = first] = String(seriesNumber ?? "").split("-").map(parseFloat);
  return [first, last];
}

/**
 * A dashed slot with the number of a volume: it puts it on the wish list, or opens the wish.
 *
 * @param {{series: any, number: number, wish?: any}} slot
 * @param {number} height in CSS px
 * @param {(series: any, number: number) => any} wishFor
 */
export function volumeSlot({ series, number, wish }, height, wishFor) {
  const name = t("series.of", { series: series.name, n: number });
  const props = {
    class: "shelf-gap volume-slot",
    "data-volume": number,
    style: { height: `${height}px` },
    title: name,
  };
  const words = [
    h("span.nums", null, number),
    h("span.gap-state", null, icon(wish ? "tag" : "plus"), t("series.wishOne")),
  ];
  return wish
    ? h(
      "a",
      { ...props, href: `#/library/${encodeURIComponent(wish.id)}`, "aria-label": t("series.slotWished", { name }) },
      words,
    )
    : h(
      "button",
      {
        ...props,
        type: "button",
        "aria-label": t("series.slotMissing", { name }),
        onclick: () => wishFor(series, number),
      },
      words,
    );
}
