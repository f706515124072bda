// Where a person is in the queue. The queue and the form of one book share it.
import { remember, remembered } from "../../lib/memory.js";
import { isBook, items, others } from "../../lib/review.js";
import { filtered, noFilter } from "./filter.js";
import { ordered } from "./order.js";

const ORDER = "review-order";

export const position = {
  /** The id of the book that is looked at. @type {string | null} */
  activeId: null,
  /** The least sure first, or as the person chose last. @type {"unsure" | "sure"} */
  order: /** @type {any} */ (remembered(ORDER) === "sure" ? "sure" : "unsure"),
  filter: noFilter(),
  /** The id of the book whose form was open in the list when the screen was left. @type {string | null} */
  editedId: null,
};

/** Reverses the order, also for later visits, and begins with its first book. */
export function turnOrder() {
  position.activeId = null;
  position.order = position.order === "unsure" ? "sure" : "unsure";
  remember(ORDER, position.order);
}

/** Everything that waits and passes the filter. */
export const passed = () => filtered([...items.get() ?? [], ...others.get()], position.filter);

/** The books that pass, in the order in which they are shown. */
export const shownBooks = () => ordered(passed().filter(isBook), position.order);

/** Moves on from a book before it leaves the queue. @returns {any} the next book, undefined after the last one */
export function moveOn(item) {
  const { flat } = shownBooks();
  const at = flat.findIndex((i) => i.id === item.id);
  const next = flat[at + 1] ?? flat[at - 1];
  position.activeId = next?.id ?? null;
  return next;
}
