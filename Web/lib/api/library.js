// Records of sources, books of the library, and their series.
import { ownAddress } from "../dom.js";
import { entry } from "./first.js";
import { get, id, match, send, whole } from "./request.js";

// ---- records

/**
 * Returns matching records, best first.
 *
 * `outages` of the list names unavailable sources; with one, an empty list does not mean that the book does not exist.
 * `asked` is whether any source was searched at all.
 * `where` is `all`, `local` or `providers`.
 * @param {string} q
 * @returns {Promise<any[] & {outages?: string[], asked?: boolean}>}
 */
export async function search(q, scope = "all", { signal, limit = 30, where } = /** @type {any} */ ({})) {
  const answer = await get("/search", { query: { q, scope, limit, in: where }, signal });
  /** @type {any[] & {outages?: string[], asked?: boolean}} */
  const found = (answer.items ?? []).map(shownRecord);
  found.asked = (answer.sources ?? []).some((s) => s.state !== "off");
  found.outages = (answer.sources ?? []).filter((s) => s.state === "degraded").map((s) => s.message ?? s.source);
  return found;
}

/** Returns a record as screens show it. */
const shownRecord = (r) => ({ ...r, author: r.authors?.join(", ") ?? "", coverUrl: ownAddress(r.coverUrl) });

/**
 * Returns whether the library has a book, by ISBN or by title.
 *
 * @param {{isbn?: string, title?: string}} query
 */
export async function own(query, signal) {
  const answer = await get("/own", { query, signal });
  return { ...answer, copies: answer.copies.map(entry), record: answer.record && shownRecord(answer.record) };
}

/** Returns the server's form of a record. */
export const record = ({ author: _a, coverUrl, ...r }) => ({
  ...r,
  coverUrl: coverUrl ? new URL(coverUrl, location.origin).pathname : null,
});

// ---- library

/** Returns a text that differs after a change of the library. */
export const libraryVersion = () => get("/changes");
export const book = (e) => get(`/library/${id(e)}`).then(entry);
export const changeBook = (e, change, etag) => send("PATCH", `/library/${id(e)}`, change, match(etag)).then(entry);
export const deleteBook = (e) => send("DELETE", `/library/${id(e)}`);
export const addBook = (details) => send("POST", "/library", details);
export const bulk = (ids, change) => send("POST", "/library/bulk", { ids, ...change });
export const lend = (e, loan) => send("PUT", `/library/${id(e)}/loan`, loan).then(entry);
export const takeBack = (e) => send("DELETE", `/library/${id(e)}/loan`).then(entry);
/** Replaces a book's cover by a picture file. */
export const uploadCover = (e, file) =>
  send("PUT", `/library/${id(e)}/cover`, file, { headers: { "content-type": file.type || "image/jpeg" } }).then(entry);
/** Replaces a book's cover by that of a search result, or by an earlier one. */
export const chooseCover = (e, coverUrl) =>
  send("PUT", `/library/${id(e)}/cover`, { coverUrl: new URL(coverUrl, location.origin).pathname }).then(entry);
export const removeCover = (e) => send("DELETE", `/library/${id(e)}/cover`).then(entry);
export const work = (w) => get(`/works/${id(w)}`);
/** Changes a work, and the edition of one of its copies. */
export const changeWork = (w, change, etag, copy) =>
  send("PATCH", `/works/${id(w)}`, change, { ...match(etag), query: { entry: copy } });
export const history = (w) => whole(`/works/${id(w)}/history`);
export const matchWork = (w, r, etag) =>
  send("POST", `/works/${id(w)}/match`, { record: record(r), confirm: true }, match(etag));

/** Splits "A, B and C" into names. */
export const authorsFrom = (text) =>
  String(text ?? "").split(/\s*(?:;|,(?!\s*(?:Jr|Sr)\b)|\s+(?:and|und|&)\s+)\s*/i).map((a) => a.trim()).filter(Boolean);

/**
 * Undoes actions, the latest first, and removes the tokens that are used. An action that was undone before, perhaps by
 * a request whose answer was lost, counts as undone.
 *
 * @param {string[]} undoTokens
 */
export async function undo(undoTokens) {
  for (; undoTokens.length; undoTokens.shift()) {
    await send("POST", "/undo", { undoToken: undoTokens[0] }).catch((error) => {
      if (error.code !== "already_undone") throw error;
    });
  }
}

/**
 * Answers questions on duplicates.
 *
 * @param {string[]} ids
 * @param {"skip" | "addCopy" | "existing" | "different"} decision
 */
export const decideDuplicates = async (ids, decision) => send("POST", "/duplicates/decide", { ids, decision });

/** Returns the open questions on duplicates. */
export const duplicates = () => whole("/duplicates");

// ---- series

/** @param {{q?: string, gaps?: boolean}} [filter] */
export const series = (filter) => whole("/series", filter);
export const oneSeries = (s) => get(`/series/${id(s)}`).then((one) => ({ ...one, books: one.books.map(entry) }));
/** Returns the series that the books are in now: another one if its name joined both. */
export const changeSeries = (s, change) => send("PATCH", `/series/${id(s)}`, change);
export const wishVolumes = (s, numbers) => send("POST", `/series/${id(s)}/wishes`, { numbers });
