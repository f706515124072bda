// The review queue in this browser: decisions take effect at once, are sent in the background, and are reverted if the
// server refuses.
import * as api from "./api.js";
import { debounce } from "./dom.js";
import { refreshLibrary } from "./library.js";
import { changedCount, questionCount, reviewCount, Value } from "./state.js";

/** The books to review, lowest confidence first; null before the first answer. @type {Value<any[] | null>} */
export const items = new Value(/** @type {any[] | null} */ (null));
/** What else waits: duplicate questions, missing books and failed rows of lists. */
export const others = new Value(/** @type {any[]} */ ([]));
/** The number of books to review after those in `items`, which has the first of a long queue. */
export const laterCount = new Value(0);
/** The number of books without a record or cover. */
export const incompleteCount = new Value(0);
/** Whether an item is a book to review. */
export const isBook = (item) => item.kind === "detection";
export const reviewProblem = new Value(/** @type {any} */ (null));

/** Requests without an answer yet, and the number of requests so far. */
const pending = new Set();
let revision = 0;
/** Resolves when the server has all decisions. */
export const settled = () => Promise.all(pending);

export async function loadReview() {
  try {
    // An answer from before a decision would restore the book, so the queue is fetched after all requests.
    let list, counts, before;
    do {
      await settled();
      before = revision;
      ({ items: list, counts } = await api.reviewQueue());
    } while (before !== revision);
    changedCount.set(counts.automaticChanges);
    questionCount.set(counts.duplicateQuestions);
    incompleteCount.set(counts.incomplete ?? 0);
    others.set(list.filter((item) => !isBook(item)));
    const books = list.filter(isBook);
    laterCount.set(counts.needsReview + counts.verify + counts.ready + counts.notChecked - books.length);
    set(books);
    reviewProblem.set(null);
  } catch (error) {
    reviewProblem.set(error);
    if (items.get() === null) items.set([]);
  }
}

/** Not after every decision: the library may have thousands of books, and its screens fetch it anyway. */
const refreshSoon = debounce(5000, refreshLibrary);

/** The number of decisions in this visit. */
export const decided = new Value(0);

/**
 * Removes items from the queue at once, and sends the decision about them.
 *
 * @param {any[]} list
 * @param {() => Promise<any>} send
 */
export function decide(list, send) {
  const before = items.get() ?? [], gone = new Set(list.map((item) => item.id));
  decided.update((n) => n + list.length);
  set(before.filter((item) => !gone.has(item.id)));
  const request = send();
  revision++;
  const end = request.then(() => {
    refreshSoon();
    if (!items.get()?.length && laterCount.get() > 0) loadReview(); // the rest of a long queue
  }, () => putBack(list, before));
  pending.add(end);
  end.then(() => pending.delete(end));
  return request;
}

/** Fetches queue and library again. */
export function refreshReview() {
  refreshLibrary();
  return loadReview();
}

/** Shows the queue as the server has it, after a decision about `n` items was refused or undone. */
export function takeBack(n) {
  decided.update((count) => Math.max(0, count - n));
  return refreshReview();
}

function putBack(list, order) {
  const byId = new Map([...items.get() ?? [], ...list].map((item) => [item.id, item]));
  const rank = new Map(order.map((item, n) => [item.id, n]));
  set([...byId.values()].sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)));
}

function set(list) {
  items.set(list);
  reviewCount.set(list.length + laterCount.get() + others.get().length);
}

/** What was typed about items and refused by the server, with the etag that the item had. By item. */
const drafts = new Map();
export const keepDraft = (item, typed) => drafts.set(item.id, { ...typed, etag: item.etag });
/** Returns what was typed about an item, once. */
export function takeDraft(item) {
  const draft = drafts.get(item.id);
  drafts.delete(item.id);
  return draft;
}
