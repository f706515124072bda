// Search text, filters and sort order of the library. Kept while the app is open.
import { h, wide } from "../../lib/dom.js";
import { number, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { near } from "../../lib/places.js";
import { redraw } from "../../lib/redraw.js";
import { overdue } from "../../lib/search.js";
import { shelves } from "../../lib/state.js";

const NO_FILTER = {
  shelf: null,
  reading: null,
  ownership: null,
  overdue: false,
  tag: null,
  series: null,
  noCover: false,
  needsReview: false,
};

/** @type {any} */
export const wish = { text: "", ...NO_FILTER, sort: "author", view: "grid" };

export const showAll = () => Object.assign(wish, NO_FILTER);
/** Shows the books of a series, without other filters. @param {string} name */
export const showSeries = (name) => Object.assign(wish, NO_FILTER, { text: "", series: name });
const filtered = () => Object.keys(NO_FILTER).some((key) => wish[key]);
/** Whether the list is filtered. */
export const narrowed = () => Boolean(wish.text) || filtered();

/**
 * The chips of each place. They stay in the page: a press on one that is replaced before it ends is lost.
 *
 * @type {WeakMap<any, Map<string, any>>}
 */
const drawn = new WeakMap();

/**
 * Fills `place` with a chip for each filter; `changed` is called after a click.
 *
 * @param {any} place
 * @param {string[]} tags
 * @param {any[]} all the books
 * @param {() => void} changed
 */
export function drawChips(place, tags, all, changed) {
  const late = all.filter(overdue).length;
  // Reading the scroll position forces a layout, so it is done only when the chips change.
  const key = JSON.stringify([Object.keys(NO_FILTER).map((name) => wish[name]), shelves.get(), tags, late, wide()]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const known = drawn.get(place) ?? new Map();
  drawn.set(place, known);
  const chip = (id, word, on, run, iconName) => {
    const onclick = () => {
      run();
      changed();
    };
    const element = known.get(id) ?? h("button.chip", { type: "button", onclick }, iconName && icon(iconName), word);
    known.set(id, element);
    element.setAttribute("aria-pressed", String(on));
    return element;
  };
  /** A second click removes the filter. */
  const choice = (word, key, value, iconName) =>
    chip(
      `${key} ${value} ${word}`,
      word,
      wish[key] === value,
      () => (wish[key] = wish[key] === value ? NO_FILTER[key] : value),
      iconName,
    );
  redraw(
    place,
    chip("all", t("library.chip.all"), !filtered(), showAll),
    // In sight where a book should be back, and only then.
    (late > 0 || wish.overdue) && choice(`${t("library.chip.overdue")} ${number(late)}`, "overdue", true),
    ["toRead", "reading", "read"].map((s) => choice(t(`reading.${s}`), "reading", s)),
    !wide() && near(shelves.get(), wish.shelf).map((s) => choice(s.name, "shelf", s.id, "place")),
    choice(t("library.chip.noCover"), "noCover", true),
    choice(t("library.chip.needsReview"), "needsReview", true),
    choice(t("library.chip.lent"), "ownership", "lent"),
    choice(t("ownership.wishlist"), "ownership", "wishlist"),
    wish.series && choice(wish.series, "series", wish.series, "list"),
    tags.map((tag) => choice(tag, "tag", tag, "tag")),
  );
}
