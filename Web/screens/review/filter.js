// Filters of the queue: by kind, shelf and photo. A filter that no book passes any more is lifted.
import { h } from "../../lib/dom.js";
import { number, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";

/** @typedef {{kind: string, shelf: string, photo: string}} Filter an empty value lets all pass; photos are separated by spaces */

/** @returns {Filter} */
export const noFilter = () => ({ kind: "", shelf: "", photo: "" });

const valueOf = {
  kind: (item) => item.kind ?? "detection",
  shelf: (item) => item.shelf?.id ?? "",
  photo: (item) => item.photoId ?? "",
};

/** Returns the photos on which some books of the queue are, as a filter. @param {any[]} list @param {string[]} ids of books */
export const photosOf = (list, ids) =>
  [...new Set(list.filter((item) => ids.includes(item.id)).map((item) => item.photoId).filter(Boolean))].join(" ");

/** Returns the items that pass. @param {any[]} list @param {Filter} filter changed if a value has no items left */
export function filtered(list, filter) {
  for (const name of Object.keys(valueOf)) {
    if (!filter[name]) continue;
    const wanted = name === "photo" ? filter.photo.split(" ") : [filter[name]];
    const some = list.filter((item) => wanted.includes(valueOf[name](item)));
    if (some.length) list = some;
    else filter[name] = "";
  }
  return list;
}

/**
 * Draws a chip for each kind and shelf where there is more than one, and one for the photo if it is chosen.
 *
 * @param {HTMLElement} place
 * @param {any[]} list the whole queue
 * @param {Filter} filter
 * @param {() => void} changed
 */
export function drawFilters(place, list, filter, changed) {
  const chip = (name, value, label, n) =>
    h(
      "button.chip",
      {
        type: "button",
        "data-key": `${name} ${value}`,
        "aria-pressed": String(filter[name] === value),
        onclick: () => {
          filter[name] = filter[name] === value ? "" : value;
          changed();
        },
      },
      name === "photo" && icon("photo"),
      label,
      n !== undefined && h("span.nums", null, number(n)),
    );
  const kinds = counted(list, valueOf.kind), shelves = counted(list.filter((i) => i.shelf), valueOf.shelf);
  const names = new Map(list.map((item) => [item.shelf?.id, item.shelf?.name]));
  const chips = [
    filter.photo &&
    chip("photo", filter.photo, t(filter.photo.includes(" ") ? "review.thesePhotos" : "review.onePhoto")),
    kinds.length > 1 && kinds.map(([kind, n]) => chip("kind", kind, t(`review.kind.${kind}`), n)),
    shelves.length > 1 && shelves.map(([shelf, n]) => chip("shelf", shelf, names.get(shelf), n)),
  ].flat().filter(Boolean);
  place.hidden = !chips.length;
  redraw(place, chips);
}

function counted(list, value) {
  const counts = new Map();
  for (const item of list) counts.set(value(item), (counts.get(value(item)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
