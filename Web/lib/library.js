// This browser's copy of the library: fetched page by page, stored for offline use, changed through the server.
import * as api from "./api/first.js";
import { haystack } from "./search.js";
import { changedCount, libraryCount, questionCount, reviewCount, shelves, Value } from "./state.js";
import * as store from "./store.js";

/** All entries, or null before the first answer. @type {Value<any[] | null>} */
export const books = new Value(/** @type {any[] | null} */ (null));
/** The last error in reaching the server, if any. */
export const libraryProblem = new Value(/** @type {any} */ (null));

/** The number of books, which exceeds the list while it is still loading. @param {any[]} all */
export const howMany = (all) => isWhole ? all.length : libraryCount.get() ?? all.length;
let isWhole = true;

const withHay = (book) => ({ ...book, hay: haystack(book) });
let loading, again = false;

/** @type {Promise<void> | undefined} */
let started;
/** Starts to fetch the books before a screen shows them. */
export const startLibrary = () => void (started = refreshLibrary());

/** Fetches the library, and shows the stored copy until then. */
export async function openLibrary() {
  // Not fetched twice, unless the first request was refused.
  const fetching = started?.then(() => libraryProblem.get() ? refreshLibrary() : undefined) ?? refreshLibrary();
  started = undefined;
  if (books.get() === null) {
    try {
      const kept = await store.all("library");
      if (kept.length && !books.get()?.length) books.set(kept.map(withHay));
    } catch {
      // There is no stored copy.
    }
  }
  return fetching;
}

/** Fetches the library again, and the counts in the navigation. */
export async function refreshLibrary() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = (async () => {
    try {
      const fresh = await api.allBooks((some, total) => {
        // The first page is shown at once; the rest follows.
        if (books.get()?.length) return;
        isWhole = false;
        libraryCount.set(total);
        books.set(some.map(withHay));
      });
      isWhole = true;
      books.set(fresh.map(withHay));
      libraryCount.set(fresh.length);
      libraryProblem.set(null);
      store.replaceAll("library", fresh).catch(() => {});
    } catch (error) {
      libraryProblem.set(error);
      if (books.get() === null || !isWhole) {
        // The stored copy usually has more books than a list that was interrupted.
        const kept = await store.all("library").catch(() => []);
        if (kept.length >= (books.get()?.length ?? 0)) {
          isWhole = true;
          books.set(kept.map(withHay));
        }
      }
    } finally {
      loading = undefined;
    }
    await loadCounts();
    if (libraryProblem.get() === null) keepMore();
    if (again) {
      again = false;
      refreshLibrary();
    }
  })();
  return loading;
}

/** Stores what else answers without the server. */
function keepMore() {
  import("./words.js").then(({ keepWords }) => keepWords(), () => {});
  import("./gaps.js").then(({ keepGaps }) => keepGaps(), () => {});
}

/** The counts in the navigation. */
export async function loadCounts() {
  await Promise.all([
    api.shelfList().then((list) => {
      shelves.set(list);
      store.put("meta", list, "shelves").catch(() => {});
    }).catch(async () => {
      const kept = await store.get("meta", "shelves").catch(() => undefined);
      if (kept && !shelves.get().length) shelves.set(kept);
    }),
    loadReviewCounts(),
    libraryCount.get() === null ? api.librarySize().then((n) => libraryCount.set(n)).catch(() => {}) : undefined,
  ]);
}

/** The numbers of books to review, and of those that were changed without a decision. */
export const loadReviewCounts = () =>
  api.reviewSummary().then((s) => {
    reviewCount.set(s.count);
    changedCount.set(s.automaticChanges);
    questionCount.set(s.duplicateQuestions);
  }).catch(() => {});

/** Changes one book of the copy. @param {string | number} id */
export function patchBook(id, change) {
  books.update((list) => (list ?? []).map((b) => String(b.id) === String(id) ? withHay({ ...b, ...change }) : b));
}
