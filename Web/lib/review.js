// The review queue as this browser holds it: acted on at once, told to the server behind the person's back,
// put back if the server says no.
import * as api from "./api.js";
import { debounce } from "./dom.js";
import { refreshLibrary } from "./library.js";
import { reviewCount, Value } from "./state.js";

/** What waits, lowest confidence first; null while nothing is known. @type {Value<any[] | null>} */
export const items = new Value(/** @type {any[] | null} */ (null));
export const reviewProblem = new Value(/** @type {any} */ (null));

/** Our word for the server's tiers. */
const OURS = { needsReview: "review", verify: "verify", ready: "ready" };
export const tierOfItem = (item) => item.edited ? "ready" : OURS[item.tier] ?? "review";

/** What the server is being told, and how often it was told something. */
const telling = new Set();
let told = 0;
/** When the server knows of every decision. */
export const settled = () => Promise.all(telling);

export async function loadReview() {
  try {
    // An answer from before a decision would bring back what was decided: first the one, then the other.
    let list, before;
    do {
      await settled();
      before = told;
      list = await api.reviewQueue();
    } while (before !== told);
    items.set(list);
    reviewCount.set(list.length);
    reviewProblem.set(null);
  } catch (error) {
    reviewProblem.set(error);
    if (items.get() === null) items.set([]);
  }
}

/** The library has thousands of books and its screens ask for them anyway: not after every single decision. */
const refreshSoon = debounce(5000, refreshLibrary);

/** How many were decided in this visit. */
export const decided = new Value(0);

/**
 * Takes items out of the queue at once and lets `work` tell the server. Answers a function that takes it back.
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
    for (const item of list) {
      try {
        tokens.push((await work(item))?.undoToken);
      } catch (error) {
        putBack([item], before);
        decided.update((n) => n - 1);
        throw error;
      }
    }
    refreshSoon();
  })();
  told++;
  const settled = done.catch(() => {});
  telling.add(settled);
  settled.then(() => telling.delete(settled));
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
  const here = new Map((items.get() ?? []).map((i) => [i.id, i]));
  for (const item of list) here.set(item.id, item);
  const rank = new Map(order.map((i, n) => [i.id, n]));
  set([...here.values()].sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)));
}

function set(list) {
  items.set(list);
  reviewCount.set(list.length);
}

/** The state that the server has now, after somebody else was quicker. */
export async function reload(item) {
  const fresh = await api.detection(item.id);
  items.update((list) => (list ?? []).map((i) => i.id === item.id ? fresh : i));
  return fresh;
}

export const correctItem = (item, change) => api.correct(item.id, change, item.etag);
export const verifyItem = (item) => api.verify(item.id, item.etag);
export const rejectItem = (item) => api.reject(item.id, item.etag);
export const matchItem = (item, record) => api.applyMatch(item.id, record, item.etag);
