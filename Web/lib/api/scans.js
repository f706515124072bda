// Scans, and the books found by them.
import { BASE, V1 } from "../base.js";
import { ownAddress } from "../dom.js";
import { request, upload } from "../http.js";
import { remember, remembered } from "../memory.js";
import { scanForm } from "../scan-form.js";
import { record } from "./library.js";
import { bearer, get, id, send } from "./request.js";
import { detection, verify } from "./review.js";

/** A random id of this browser, used only for rate limits. */
function deviceId() {
  let name = remembered("device");
  if (!name) {
    name = globalThis.crypto?.randomUUID?.() ?? `d-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`;
    remember("device", name);
  }
  return name;
}
/** Returns the latest jobs. @param {number} limit */
export const latestScans = (limit) => get("/scans", { query: { limit } }).then(({ items }) => items);
/** Returns the latest jobs that an app sent. */
export const scansOfApp = (app, limit) => get("/scans", { query: { app, limit } });
const jobFrom = (answer) => ({ id: answer.jobId, token: answer.token });

/** Starts a job whose photos are uploaded one by one. */
export async function openScan(scan, expected, { signal } = /** @type {any} */ ({})) {
  return jobFrom(
    await upload("POST", `${V1}/scans`, scanForm(scan, expected), {
      headers: { "idempotency-key": scan.id, "x-device-id": deviceId() },
      signal,
    }),
  );
}

/** Uploads photo `n`, from 1. Can be repeated safely. */
export const putPhoto = (job, n, photo, { signal, onProgress } = /** @type {any} */ ({})) =>
  upload("PUT", `${V1}/scans/${id(job.id)}/photos/${n}`, photo.blob, {
    headers: {
      "content-type": photo.blob.type || "application/octet-stream",
      "x-device-id": deviceId(),
      ...bearer(job.token),
    },
    signal,
    onProgress,
  });

export const retryPhoto = (job, n) =>
  send("POST", `/scans/${id(job.id)}/photos/${n}/retry`, undefined, { headers: bearer(job.token) });
export const finishScan = (job) =>
  send("POST", `/scans/${id(job.id)}/finish`, undefined, { headers: bearer(job.token) });
export const cancelScan = (job) => send("DELETE", `/scans/${id(job.id)}`, undefined, { headers: bearer(job.token) });
export const photoAddress = (job, n) => `${V1}/scans/${id(job.id)}/photos/${n}`;

/** Returns the state of a job, with how far look-ups in sources are. */
export const scanStatus = (job) => get(`/scans/${id(job.id)}`, { headers: bearer(job.token) });

/** Returns the events of a job after one, and whether there will be no more. */
export const scanEvents = (job, after) =>
  get(`/scans/${id(job.id)}/events`, { headers: bearer(job.token), query: { after } });

/** Returns the results by photo. Merged duplicates are on the photo of their best reading. */
export async function scanResults(job) {
  const answer = await get(`/scans/${id(job.id)}/results`, { headers: bearer(job.token) });
  const books = (answer.books ?? []).map(scanBook);
  const photos = (answer.photos ?? []).map((photo, i) => ({
    ...photo,
    books: books.filter((b) => (b.photo ?? 1) === i + 1),
  }));
  return {
    status: answer.status,
    photos,
    suggestions: answer.summary?.suggestions ?? [],
    folded: answer.summary?.duplicatesFolded ?? 0,
    undoToken: answer.undoToken ?? null,
    labelQuestions: answer.labelQuestions ?? [],
  };
}

/** Returns a book of a scan with its metadata. */
export function scanBook(book) {
  const m = book.metadata ?? {};
  return {
    ...book,
    coverUrl: ownAddress(m.coverUrl),
    publisher: m.publisher ?? null,
    year: m.year ?? null,
    isbn: book.isbn ?? m.isbn ?? null,
    ...stateOf(book),
  };
}

/** The `mark` of a book by the server's `library.state`; skipped books are in the library already. */
const MARKS = {
  added: "added",
  review: "review",
  question: "asked",
  skipped: "added",
  rejected: "gone",
  removed: "gone",
};

/** What became of a book of a scan, and its edits. */
function stateOf({ library, entryId, reviewStatus }) {
  if (!library) return { mark: entryId ? "added" : undefined };
  const edits = Object.entries({ title: library.title, author: library.author, isbn: library.isbn });
  const edited = edits.filter(([, value]) => value != null);
  return {
    ...Object.fromEntries(edited),
    mark: MARKS[library.state],
    entryId: library.entryId,
    detectionId: library.detectionId,
    reviewStatus: library.reviewStatus ?? (edited.length ? "userEdited" : reviewStatus),
  };
}

/**
 * Saves what a user makes of a book of a scan: in the library if it was added, else with the scan.
 *
 * @param {{title?: string, authors?: string[], isbn?: string | null, record?: any, rejected?: boolean}} change
 * @returns {Promise<{book: any, undoToken: string | null}>} without a token, the change is undone by its opposite
 */
export async function changeScanBook(job, bookId, change) {
  const { book, undoToken } = await send("PATCH", `/scans/${id(job.id)}/books/${id(bookId)}`, {
    ...change,
    ...(change.record ? { record: record(change.record) } : {}),
  }, { headers: bearer(job.token) });
  return { book: scanBook(book), undoToken };
}

/** Returns the parameters of `follow` for a job. */
export function jobSource(job, after = 0) {
  const events = `${V1}/scans/${id(job.id)}/events`;
  return {
    after,
    socketUrl: `${location.origin.replace(/^http/, "ws")}${BASE}ws/progress?jobId=${id(job.id)}`,
    protocols: job.token ? ["shelflist", `token.${job.token}`] : ["shelflist"],
    eventsUrl: `${location.origin}${events}`,
    headers: bearer(job.token),
    poll: async (last) =>
      (await request("GET", events, { headers: bearer(job.token), query: { after: last } }))?.events ?? [],
  };
}

/**
 * Imports books of a scan into the library; the server applies their saved edits.
 *
 * @param {any[]} books with `agreed` as the user decided
 */
export async function importBooks(job, books, { shelfId, duplicates = "ask" } = /** @type {any} */ ({})) {
  const outcome = await send("POST", `/scans/${id(job.id)}/import`, {
    books: books.map((b) => b.id),
    duplicates,
    ...(shelfId ? { shelf: shelfId } : {}),
  }, { headers: bearer(job.token) });
  const undoTokens = [outcome.undoToken];
  for (const book of books) {
    const made = outcome.imported.find((i) => i.bookId === book.id);
    if (!made) continue;
    const isUnsure = made.reviewStatus === "needsReview" && !book.agreed;
    Object.assign(book, { entryId: made.entryId, detectionId: made.detectionId, mark: isUnsure ? "review" : "added" });
    if (book.agreed && made.detectionId && made.reviewStatus === "needsReview") {
      undoTokens.unshift((await agree(made.detectionId)).undoToken);
    }
  }
  return {
    undoTokens,
    duplicates: outcome.duplicates ?? [],
    skipped: outcome.skipped ?? [],
    imported: outcome.imported,
  };
}

/** Verifies a detection as it is now. */
export const agree = async (detectionId) => verify(detectionId, (await detection(detectionId)).etag);
/**
 * Reports that a detection is wrong, or right.
 *
 * @param {{detectionId: string} | {jobId: string, bookId: string}} spine in the library, or of a scan
 * @param {{problem: string, right?: {title?: string, author?: string, isbn?: string}} | {correct: true}} report
 *   `right`: what the spine says
 */
export const report = (spine, report) => send("POST", "/feedback", { ...spine, ...report });

/** Returns the spines of a viewfinder frame. */
export const preview = (blob, signal) =>
  send("POST", "/preview", blob, { headers: { "content-type": "image/jpeg" }, signal, timeout: 20_000 });
