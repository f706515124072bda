// The order of the queue: by tier, the least certain first; fragments of text last.
import { tierOfItem } from "../../lib/review.js";
import { TIERS } from "../../lib/tiers.js";

const LETTERS_OF_A_FRAGMENT = 7;

/**
 * Whether an item looks like a scrap of a spine: a few letters without an author and without a candidate. It may still
 * be a book with a short title, so fragments are offered together and never discarded without a look.
 */
export function isFragment(item) {
  if (item.kind !== "detection" || item.edited || item.author || item.matches?.length) return false;
  const text = [item.title, ...(item.text ?? []).map((line) => line.text)].reduce(longer, "");
  return text.replace(/[^\p{L}\p{N}]/gu, "").length <= LETTERS_OF_A_FRAGMENT;
}

const longer = (a, b) => String(b ?? "").length > a.length ? String(b) : a;

/**
 * @param {any[]} list
 * @param {"unsure" | "sure"} order
 * @returns {{groups: Record<string, any[]>, fragments: any[], flat: any[]}} `flat`: the groups one after another
 */
export function ordered(list, order) {
  /** @type {Record<string, any[]>} */
  const groups = Object.fromEntries(TIERS.map((name) => [name, []]));
  const fragments = list.filter(isFragment);
  for (const item of list) if (!isFragment(item)) groups[tierOfItem(item)].push(item);
  if (order === "sure") { for (const group of Object.values(groups)) group.reverse(); }
  return { groups, fragments, flat: TIERS.flatMap((name) => groups[name]) };
}
