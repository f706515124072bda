// The review queue in this browser: decisions take effect at once, are sent in the background, and are reverted if the
// server refuses.
import * as api from "./api.js";
import { debounce } from "./dom.js";
import { refreshLibrary } from "./library.js";
import { changedCount, questionCount, reviewCount, Value } from "./state.js";
import { TIERS } from "./tiers.js";

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

export function tierOfItem(item) {
  if (item.edited) return "ready";
  // A later server may have other tiers.
  return TIERS.includes(item.tier) ? item.tier : "needsReview";
}

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
 * Removes items from the queue at once and sends the decision with `work`. `back` undoes it.
 *
 * @param {any[]} list
 * @param {(item: any) => Promise<{undoToken?: string | null}>} work
 * @returns {{done: Promise<void>, back: () => Promise<void>}}
 */
export function decide(list, work) {
  const before = items.get() ?? [];
  const gone = new Set(list.map((i) => i.id));
  decided.update((n) => n + list.length);
  set(before.filter((i) => !gone.has(i.id)));
  const tokens = [];
  const done = (async () => {
    for (const [n, item] of list.entries()) {
      try {
        tokens.push((await work(item))?.undoToken);
      } catch (error) {
        // The decisions about this item and the ones after it were not made.
        putBack(list.slice(n), before);
        decided.update((count) => count - (list.length - n));
        throw error;
      }
    }
    refreshSoon();
    if (!items.get()?.length && laterCount.get() > 0) loadReview(); // the rest of a long queue
  })();
  revision++;
  const request = done.catch(() => {});
  pending.add(request);
  request.then(() => pending.delete(request));
  return {
    done,
    back: async () => {
      await done.catch(() => {});
      await api.undo(tokens.reverse());
      decided.update((n) => Math.max(0, n - list.length));
      await loadReview();
      refreshLibrary();
    },
  };
}

function putBack(list, order) {
  const byId = new Map((items.get() ?? []).map((i) => [i.id, i]));
  for (const item of list) byId.set(item.id, item);
  const rank = new Map(order.map((i, n) => [i.id, n]));
  set([...byId.values()].sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)));
}

function set(list) {
  items.set(list);
  reviewCount.set(list.length + laterCount.get() + others.get().length);
}

/** Fetches an item again after an edit conflict. */
export async function reload(item) {
  const fresh = await api.detection(item.id);
  items.update((list) => (list ?? []).map((i) => i.id === item.id ? fresh : i));
  return fresh;
}

/** Corrections that the server did not accept yet, by item: what was typed survives a conflict. */
export const drafts = new Map();

export const correctItem = (item, change) => api.correct(item.id, change, item.etag);
export const verifyItem = (item) => api.verify(item.id, item.etag);
export const rejectItem = (item) => api.reject(item.id, item.etag);
export const matchItem = (item, record) => api.applyMatch(item.id, record, item.etag);
