// The server's API in the app's own words. If a path or a field of the contract changes, it changes here only.
import { ownAddress } from "./dom.js";
import { Problem, request, upload } from "./http.js";

const V1 = "/api/v1";
const get = (path, options) => request("GET", V1 + path, options);
const send = (method, path, body, options = {}) => request(method, V1 + path, { body, ...options });
const bearer = (token) => token ? { authorization: `Bearer ${token}` } : {};

export { Problem };

/** This browser's own name for itself: fairness between devices, nothing else. */
export function deviceId() {
  const key = "shelflist.device";
  try {
    let id = localStorage.getItem(key);
    if (!id) localStorage.setItem(key, id = crypto.randomUUID?.() ?? `d-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`);
    return id;
  } catch {
    return "browser";
  }
}

// ---- who is here

export const session = () => get("/session");
export const signIn = (name, password) => send("POST", "/session", { name, password });
export const signOut = () => send("DELETE", "/session");
export const createOwner = (name, password) => send("POST", "/owner", { name, password });

// ---- scans

/** @param {any} scan @param {{blob: Blob}[]} photos */
export function createScan(scan, photos, { signal, onProgress } = /** @type {any} */ ({})) {
  const form = new FormData();
  if (scan.threshold != null) form.append("threshold", String(scan.threshold));
  if (scan.shelfId) form.append("shelf", scan.shelfId);
  form.append("import", scan.import ? "true" : "false");
  photos.forEach((photo, i) => form.append("photos", photo.blob, `photo-${i + 1}.jpg`));
  return upload(`${V1}/scans`, form, {
    headers: { "idempotency-key": scan.id, "x-device-id": deviceId() },
    signal,
    onProgress,
  }).then(jobFrom);
}

export function addPhoto(job, photo, { signal, onProgress } = /** @type {any} */ ({})) {
  const form = new FormData();
  form.append("photos", photo.blob, "photo.jpg");
  return upload(`${V1}/scans/${encodeURIComponent(job.id)}/photos`, form, {
    headers: { "idempotency-key": photo.id, "x-device-id": deviceId(), ...bearer(job.token) },
    signal,
    onProgress,
  });
}

const jobFrom = (answer) => ({ id: answer.jobId ?? answer.id, token: answer.token ?? answer.jobToken ?? answer.authToken });

export const scanStatus = (job) => get(`/scans/${encodeURIComponent(job.id)}`, { headers: bearer(job.token) });
export const scanResults = (job) => get(`/scans/${encodeURIComponent(job.id)}/results`, { headers: bearer(job.token) });
export const cancelScan = (job, { keep = false } = {}) =>
  send("DELETE", `/scans/${encodeURIComponent(job.id)}`, undefined, { headers: bearer(job.token), query: keep ? { keep: "partial" } : {} });
export const photoAddress = (job, n) => `${V1}/scans/${encodeURIComponent(job.id)}/photos/${n}`;

/** What `follow` needs to follow a job. */
export function jobSource(job, after = 0) {
  const base = location.origin.replace(/^http/, "ws");
  return {
    after,
    socketUrl: `${base}/ws/progress?jobId=${encodeURIComponent(job.id)}`,
    protocols: job.token ? ["shelflist.v1", `token.${job.token}`] : ["shelflist.v1"],
    eventsUrl: `${location.origin}${V1}/scans/${encodeURIComponent(job.id)}/events`,
    headers: bearer(job.token),
    poll: async (last) => {
      const status = await get(`/scans/${encodeURIComponent(job.id)}`, { headers: bearer(job.token), query: { after: last } });
      return status?.events ?? [];
    },
  };
}

/** Puts books of a scan into the library. @param {any[]} books as the person left them */
export const importBooks = (job, books, { shelfId } = /** @type {any} */ ({})) =>
  send("POST", `/scans/${encodeURIComponent(job.id)}/import`, {
    shelf: shelfId ?? undefined,
    books: books.map((b) => ({ id: b.id, title: b.title, author: b.author, isbn: b.isbn, edited: b.reviewStatus === "userEdited" })),
  }, { headers: bearer(job.token) });
export const undoImport = (job, books, receipt) =>
  send("DELETE", `/scans/${encodeURIComponent(job.id)}/import`, { books: books.map((b) => b.id), entries: receipt?.entries }, { headers: bearer(job.token) });
export const answerDuplicate = (question, answer) => send("POST", `/duplicates/${question.id}`, { answer });
export const feedback = (report) => send("POST", "/feedback", report);

// ---- records

export async function search(q, scope = "all", options = {}) {
  const answer = await get("/search", { query: { q, scope }, ...options });
  return (answer.results ?? answer.items ?? []).map(record);
}
const record = (r) => ({ ...r, author: r.author ?? r.authors?.join?.(", "), coverUrl: ownAddress(r.coverUrl) });

// ---- library

const PAGE = 500;
const entry = (e) => ({ ...e, coverUrl: ownAddress(e.coverUrl ?? (e.cover ? `/covers/${encodeURIComponent(e.cover)}` : null)) ?? null });

/** @param {(some: any[]) => void} onSome */
export async function allBooks(onSome) {
  const list = [];
  let cursor;
  do {
    const page = await get("/library", { query: { limit: PAGE, cursor } });
    list.push(...page.items.map(entry));
    cursor = page.next ?? page.nextCursor;
    if (cursor) onSome(list);
  } while (cursor);
  return list;
}
export const librarySize = () => get("/library", { query: { limit: 1 } }).then((p) => p.total ?? null);
export const book = (id) => get(`/library/${encodeURIComponent(id)}`);
export const changeBook = (id, change, etag) => send("PATCH", `/library/${encodeURIComponent(id)}`, change, etag ? { headers: { "if-match": etag } } : {});
export const deleteBook = (id) => send("DELETE", `/library/${encodeURIComponent(id)}`);
export const addBook = (details) => send("POST", "/library", details);

export const shelfList = () => get("/shelves").then((a) => (a.items ?? a.shelves ?? a).map((s) => ({ ...s, id: String(s.id), count: s.entries ?? s.count })));
export const createShelf = (name) => send("POST", "/shelves", { name }).then((s) => ({ ...s, id: String(s.id), count: s.entries ?? 0 }));

// ---- review

export const reviewSummary = () => get("/review", { query: { limit: 1 } }).then((p) => ({ count: p.total ?? p.items.length }));
export const cropAddress = (id) => `${V1}/detections/${encodeURIComponent(id)}/crop`;
export const latestShelf = async () => null;
export const changeBooks = (list) => Promise.all(list.map(({ id, ...change }) => changeBook(id, change)));
export const deleteBooks = (list) => Promise.all(list.map((b) => deleteBook(b.id)));
export const undoDelete = (list) => Promise.all(list.map((b) => addBook(b)));
