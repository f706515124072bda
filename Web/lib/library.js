// The library as this browser holds it: fetched page by page, kept for reading offline, changed through the server.
import * as api from "./api.js";
import { haystack } from "./search.js";
import { libraryCount, reviewCount, shelves, Value } from "./state.js";
import * as store from "./store.js";

/** All copies, or null while nothing is known. @type {Value<any[] | null>} */
export const books = new Value(/** @type {any[] | null} */ (null));
/** The last trouble with reaching the server, if any. */
export const libraryProblem = new Value(/** @type {any} */ (null));

/** How many there are: more than are here while a long list is still on its way. @param {any[]} all */
export const howMany = (all) => isWhole ? all.length : libraryCount.get() ?? all.length;
let isWhole = true;

const withHay = (book) => ({ ...book, hay: haystack(book) });
let loading, again = false;

/** @type {Promise<void> | undefined} */
let started;
/** Fetches the books before there is a screen to show them. */
export const startLibrary = () => void (started = refreshLibrary());

/** Fetches what the server has now, and shows the kept copy if that is there first. */
export async function openLibrary() {
  // Not asked for twice, unless the first answer was a refusal.
  const fetching = started?.then(() => libraryProblem.get() ? refreshLibrary() : undefined) ?? refreshLibrary();
  started = undefined;
  if (books.get() === null) {
    try {
      const kept = await store.all("library");
      if (kept.length && !books.get()?.length) books.set(kept.map(withHay));
    } catch {
      // Nothing kept, then.
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
        // The first page is shown at once; a long list follows.
        if (books.get()?.length) return;
        isWhole = false;
        libraryCount.set(total);
        books.set(some.map(withHay));
      });
      isWhole = true;
      books.set(fresh.map(withHay));
      libraryCount.set(fresh.length);
      libraryProblem.set(null);
      store.swap("library", fresh).catch(() => {});
    } catch (error) {
      libraryProblem.set(error);
      if (books.get() === null || !isWhole) {
        // What was kept is mostly more than the beginning of a list that broke off.
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
    if (again) {
      again = false;
      refreshLibrary();
    }
  })();
  return loading;
}

/** What the navigation shows. */
export async function loadCounts() {
  await Promise.all([
    api.shelfList().then((list) => {
      shelves.set(list);
      store.put("meta", list, "shelves").catch(() => {});
    }).catch(async () => {
      const kept = await store.get("meta", "shelves").catch(() => undefined);
      if (kept && !shelves.get().length) shelves.set(kept);
    }),
    api.reviewSummary().then((s) => reviewCount.set(s.count)).catch(() => {}),
    libraryCount.get() === null ? api.librarySize().then((n) => libraryCount.set(n)).catch(() => {}) : undefined,
  ]);
}

/** Changes one book here at once. @param {string | number} id */
export function patchBook(id, change) {
  books.update((list) => (list ?? []).map((b) => String(b.id) === String(id) ? withHay({ ...b, ...change }) : b));
}
