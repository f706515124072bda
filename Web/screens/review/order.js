// The order of the queue: by tier, the least or the most certain first; fragments of text last.
import { bestChance } from "../../lib/matches.js";
import { isDecided, tierOfBook } from "../../lib/tiers.js";

// Set by hand: a short title that is hardly read looks the same, so fragments are only offered for discarding.
const LETTERS_OF_A_FRAGMENT = 8;
const UNSURE = 0.4, CHANCE_OF_A_CANDIDATE = 0.1;

/**
 * Whether an item looks like a piece of a spine: a few letters without an author and without a likely candidate. It may
 * still be a book with a short title, so fragments are offered together and never discarded without a look.
 */
export function isFragment(item) {
  if (item.kind !== "detection" || isDecided(item)) return false;
  if (item.author || (item.confidence ?? 1) >= UNSURE || bestChance(item) >= CHANCE_OF_A_CANDIDATE) return false;
  const lines = (item.text ?? []).map((line) => line.text).join("");
  return Math.max(letters(item.title), letters(lines)) <= LETTERS_OF_A_FRAGMENT;
}

const letters = (text) => String(text ?? "").replace(/[^\p{L}\p{N}]/gu, "").length;

/** What was read well comes before what a source hardly confirms. */
const SURE_FIRST = ["ready", "verify", "notChecked", "needsReview"];
const UNSURE_FIRST = ["needsReview", "verify", "notChecked", "ready"];

/**
 * @param {any[]} list
 * @param {"unsure" | "sure"} order
 * @returns {{groups: Record<string, any[]>, fragments: any[], flat: any[]}} `groups` in their
 *   order, `flat`: one after another
 */
export function ordered(list, order) {
  /** @type {Record<string, any[]>} */
  const groups = Object.fromEntries((order === "sure" ? SURE_FIRST : UNSURE_FIRST).map((name) => [name, []]));
  const fragments = list.filter(isFragment);
  for (const item of list) if (!isFragment(item)) groups[tierOfBook(item)].push(item);
  // The server sends the least certain first.
  if (order === "sure") { for (const group of Object.values(groups)) group.reverse(); }
  return { groups, fragments, flat: Object.values(groups).flat() };
}
