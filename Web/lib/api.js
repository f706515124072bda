// The server's API. All its paths and fields are in this file, except for those of stocktakes.
import { BASE, V1 } from "./base.js";
import { ownAddress } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { scanForm } from "./scan-form.js";
import { request, upload } from "./http.js";

const id = encodeURIComponent;
const get = (path, options) => request("GET", V1 + path, options);
const send = (method, path, body, options = {}) => request(method, V1 + path, { body, ...options });
/** @returns {Record<string, string>} */
const bearer = (token) => token ? { authorization: `Bearer ${token}` } : {};
const match = (etag) => etag ? { headers: { "if-match": etag } } : {};

/** Yields the pages of a list. */
async function* pages(path, query) {
  let cursor;
  do {
    const page = await get(path, { query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor;
  } while (cursor);
}

const PAGE = 500;

async function whole(path, query) {
  const items = [];
  for await (const page of pages(path, { limit: PAGE, ...query })) items.push(...page.items);
  return items;
}

/** A random id of this browser, used only for rate limits. */
function deviceId() {
  let name = remembered("device");
  if (!name) {
    name = globalThis.crypto?.randomUUID?.() ?? `d-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`;
    remember("device", name);
  }
  return name;
}

// ---- sessions

export const session = () => get("/session");
/** @param {string} [code] of the authenticator app, or a recovery code */
export const signIn = (name, password, code) => send("POST", "/session", { name, password, ...(code ? { code } : {}) });
export const signOut = () => send("DELETE", "/session");
export const createOwner = (name, password, code) =>
  send("POST", "/setup", { name, password, role: "owner", ...(code ? { code } : {}) });
/** @param {{keepTokens?: boolean, keepOpenId?: boolean}} [keeps] what the change does not remove */
export const changePassword = (current, fresh, keeps = {}) =>
  send("PUT", "/session/password", { current, new: fresh, ...keeps });
/**
 * Allows sensitive changes for some minutes.
 *
 * @param {string} [code] of the authenticator app, or a recovery code
 */
export const confirmPassword = (password, code) =>
  send("POST", "/session/confirm", { password, ...(code ? { code } : {}) });
/** Disconnects the member from the OpenID provider, and ends the other sessions. */
export const disconnectOpenId = () => send("DELETE", "/session/openid");
export const sessions = () => whole("/sessions");
export const endSession = (session) => send("DELETE", `/sessions/${id(session)}`);
export const endOtherSessions = () => send("DELETE", "/sessions");
/** Returns a new secret with its QR code. Nothing is on until `turnOnSecondFactor`. */
export const newSecondFactor = () => send("POST", "/session/second-factor");
/** Returns the recovery codes, which are not returned again. */
export const turnOnSecondFactor = (secret, code) =>
  send("PUT", "/session/second-factor", { secret, code }).then((made) => made.recoveryCodes);
/** @param {string} [password] needed unless it was entered a short time ago */
export const turnOffSecondFactor = (code, password) =>
  send("DELETE", "/session/second-factor", { code, ...(password ? { password } : {}) });
/** Returns a page of sign-ins and changes of access, newest first. */
export const audit = (cursor) => get("/audit", { query: { limit: 50, cursor } });
export const members = () => whole("/members");
export const addMember = (member) => send("POST", "/members", member);
export const changeMember = (member, change, etag) => send("PATCH", `/members/${id(member)}`, change, match(etag));
export const removeMember = (member) => send("DELETE", `/members/${id(member)}`);
export const tokens = () => whole("/tokens");
export const addToken = (token) => send("POST", "/tokens", token);
export const removeToken = (token) => send("DELETE", `/tokens/${id(token)}`);
export const apps = () => whole("/apps");
/** Returns the app, and its address with the key, which is not returned again. */
export const connectApp = (name) => send("POST", "/apps", { name });
export const changeApp = (app, change, etag) => send("PATCH", `/apps/${id(app)}`, change, match(etag));
export const revokeApp = (app) => send("DELETE", `/apps/${id(app)}`);
/** Returns the latest jobs. @param {number} limit */
export const latestScans = (limit) => get("/scans", { query: { limit } }).then(({ items }) => items);
/** Returns the latest jobs that an app sent. */
export const scansOfApp = (app, limit) => get("/scans", { query: { app, limit } });

// ---- scans

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

/**
 * Reports that a detection is wrong, or right.
 *
 * @param {{detectionId: string} | {jobId: string, bookId: string}} spine in the library, or of a scan
 * @param {{problem: string, right?: {title?: string, author?: string, isbn?: string}} | {correct: true}} report
 *   `right`: what the spine says
 */
export const report = (spine, report) => send("POST", "/feedback", { ...spine, ...report });

/** Returns the open questions on duplicates. */
export const duplicates = () => whole("/duplicates");

/** Returns the spines of a viewfinder frame. */
export const preview = (blob, signal) =>
  send("POST", "/preview", blob, { headers: { "content-type": "image/jpeg" }, signal, timeout: 20_000 });

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

/** A book names its shelf with those around it. */
const placed = (shelf) => shelf && { ...shelf, name: shelf.path ?? shelf.name };

/** Returns an entry with its shelf in flat fields. */
const entry = (e) => ({
  ...e,
  coverUrl: ownAddress(e.coverUrl) ?? null,
  cropUrl: ownAddress(e.cropUrl) ?? null,
  shelfId: e.shelf?.id ?? null,
  shelfName: placed(e.shelf)?.name ?? null,
});

/** @param {(some: any[], total: number) => void} onSome */
export async function allBooks(onSome) {
  const list = [];
  for await (const page of pages("/library", { limit: PAGE, sort: "author" })) {
    list.push(...page.items.map(entry));
    if (page.nextCursor) onSome(list, page.total ?? list.length);
  }
  return list;
}
export const librarySize = () => get("/library", { query: { limit: 1 } }).then((p) => p.total ?? null);
/** Returns a text that differs after a change of the library. */
export const libraryVersion = () => get("/changes");
export const book = (e) => get(`/library/${id(e)}`).then(entry);
export const changeBook = (e, change, etag) => send("PATCH", `/library/${id(e)}`, change, match(etag)).then(entry);
export const deleteBook = (e) => send("DELETE", `/library/${id(e)}`);
export const addBook = (details) => send("POST", "/library", details);
export const bulk = (ids, change) => send("POST", "/library/bulk", { ids, ...change });
/** Returns the twelve most common tags. */
export const tags = () =>
  whole("/tags").then((list) => list.sort((a, b) => b.count - a.count).slice(0, 12).map((c) => c.key));
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

const counted = (s) => ({ ...s, count: s.entriesInside });
/** Returns the shelves, each before those inside it. */
export const shelfList = () => whole("/shelves").then((list) => list.map(counted));
/** Creates a shelf and, for a path, those around it. @param {string} name @param {string} [parent] */
export const createShelf = (name, parent) => send("POST", "/shelves", { name, parent }).then(counted);
/** Returns the shelf with the code of a label; undefined if there is none. @param {string} code */
export const shelfWithCode = (code) => get("/shelves", { query: { code } }).then((page) => page.items.map(counted)[0]);
/** Creates the shelf with the code of a label. @param {string} name or path @param {string} code */
export const createLabelled = (name, code) => send("POST", "/shelves", { name, code }).then(counted);
/** Returns the open questions about labels in the photos of a scan. */
export const labelQuestions = (scan) => whole("/label-questions", { scan });
/** Answers one. @param {{accept: boolean, name?: string}} answer */
export const answerLabel = (question, answer) => send("POST", `/label-questions/${id(question)}`, answer);
/** The address of a page that prints labels. @param {Record<string, string>} query */
export const labelPage = (query) => `${V1}/labels?${new URLSearchParams(query)}`;
export const shelf = (s) => get(`/shelves/${id(s)}`).then(counted);
export const changeShelf = (s, change, etag) => send("PATCH", `/shelves/${id(s)}`, change, match(etag)).then(counted);
/** Adds the shelves of a CSV file. @param {Blob} file */
export const importShelves = (file) =>
  send("POST", "/shelves/import", file, { headers: { "content-type": "text/csv" } });
export const deleteShelf = (s) => send("DELETE", `/shelves/${id(s)}`);
export const shelfPhotos = (s) =>
  whole(`/shelves/${id(s)}/photos`).then((list) => list.map((p) => ({ ...p, url: ownAddress(p.url) })));
/** Returns the books of a shelf in their order on its boards, and those that no photo shows. */
export async function shelfSpines(s) {
  const view = await get(`/shelves/${id(s)}/spines`);
  const spine = (one) => ({ ...one, entry: entry(one.entry), cropUrl: ownAddress(one.cropUrl) ?? null });
  return { ...view, boards: view.boards.map((board) => board.map(spine)), unseen: view.unseen.map(entry) };
}
/** Records that books are on a shelf although its latest photos do not show them. */
export const markFound = (s, ids) => send("POST", `/shelves/${id(s)}/found`, { ids });
/** Carries out a decision on a book of a shelf. @param {string} s @param {string} entry @param {string} action */
export const decideAudit = (s, entry, action) =>
  send("POST", `/shelves/${id(s)}/audit`, { decisions: [{ entry, action }] });
/**
 * Compares photos with the books of a shelf, whether their books were added or not.
 *
 * @param {string} s
 * @param {{jobId?: string, since?: string}} which photos: of a scan, or all of the shelf since a time
 */
export async function inventory(s, which) {
  const found = await send("POST", `/shelves/${id(s)}/inventory`, which);
  const groups = ["present", "new", "missing", "notShown", "lent", "moved"].map((
    name,
  ) => [name, found[name].map(entry)]);
  const notAdded = found.notAdded.map((b) => ({ ...b, cropUrl: ownAddress(b.cropUrl) ?? null }));
  return { ...found, ...Object.fromEntries(groups), notAdded };
}
/** Returns the latest completed scan of a shelf that the server still has. */
export const latestScan = (s) =>
  get("/scans", { query: { limit: 50 } }).then((page) =>
    page.items.find((job) => job.options.shelf === s && job.status === "completed")
  );
export const photo = (p) => get(`/photos/${id(p)}`).then((x) => ({ ...x, url: ownAddress(x.url) }));
export const photoImage = (p) => `${V1}/photos/${id(p)}/image`;

// ---- review

/** Moving the box changes the picture under the same address, so the address gets the revision. */
/** The address of the picture of a spine in the library. */
export const detectionCrop = (detection) => `${V1}/detections/${id(detection)}/crop`;

const cropOf = (item) => {
  const address = ownAddress(item.cropUrl);
  if (address?.includes("?")) return address;
  const revision = [item.etag, ...Object.values(item.boundingBox ?? {})].join("-");
  return address ? `${address}?revision=${id(revision)}` : null;
};

const reviewItem = (item) => ({
  ...item,
  shelf: placed(item.shelf),
  checked: item.tier !== "notChecked",
  cropUrl: cropOf(item),
  etag: item.etag,
});

/** Returns the beginning of the queue, books to review first, lowest confidence first, and the counts. */
export async function reviewQueue() {
  const items = [];
  let counts;
  for await (const page of pages("/review", { limit: 200 })) {
    items.push(...page.items.map(reviewItem));
    counts = page.counts;
    if (items.length >= 2000) break;
  }
  return { items, counts };
}
export const reviewSummary = () => get("/review/counts").then((c) => ({ ...c, count: c.total }));
/** Returns a page of the books that were changed without a decision, the latest change first. */
export async function automaticChanges(cursor) {
  const { items, nextCursor } = await get("/review/automatic", { query: { limit: 50, cursor } });
  return { items: items.map((c) => ({ ...c, cropUrl: ownAddress(c.cropUrl) ?? null })), nextCursor };
}
/** Marks a change and all earlier ones as seen. */
export const markChangesSeen = (through) => send("POST", "/review/automatic/seen", { through });
export const undoChange = (c) => send("POST", `/review/automatic/${id(c)}/undo`);
export const detection = (d) => get(`/detections/${id(d)}`).then(reviewItem);
export const verify = (d, etag) => send("POST", `/detections/${id(d)}/verify`, undefined, match(etag));
export const reject = (d, etag) => send("POST", `/detections/${id(d)}/reject`, undefined, match(etag));
export const correct = (d, change, etag) => send("POST", `/detections/${id(d)}/correct`, change, match(etag));
export const applyMatch = (d, r, etag) =>
  send("POST", `/detections/${id(d)}/match`, { record: record(r), confirm: true }, match(etag));
export const moveBox = (d, quad, etag) =>
  send("PUT", `/detections/${id(d)}/box`, { quad }, match(etag)).then(reviewItem);
/** Discards several items as one action. @param {string[]} ids */
export const rejectAll = (ids) => send("POST", "/review/reject-all", { ids });
/** Removes failed rows of lists. @param {string[]} ids */
export const dismissRows = (ids) => send("POST", "/review/dismiss", { ids });
/** Returns the spines on which words were read, of books that titles and authors do not find. @param {string} text */
/** Returns the spines on which a text was read, and other lines of photos. */
export const findSpines = (text) =>
  get("/find", { query: { q: text } }).then(({ spines = [], lines = [] }) => ({ spines, lines }));
/** Returns the texts of all spines and other lines, for searching without the server. */
export const spineWords = () => whole("/find/words");
/** The search for what is missing of books: the records and covers of all that lack one, or the details of some. */
export const incompleteSearch = () => get("/review/incomplete/find");
export const findIncomplete = () => send("POST", "/review/incomplete/find");
/** @param {string[]} ids of copies */
export const findDetails = (ids) => send("POST", "/review/incomplete/find", { ids });
export const stopFindIncomplete = () => send("DELETE", "/review/incomplete/find");
export const verifyAll = (body) => send("POST", "/review/verify-all", body);

// ---- series

/** @param {{q?: string, gaps?: boolean}} [filter] */
export const series = (filter) => whole("/series", filter);
export const oneSeries = (s) => get(`/series/${id(s)}`).then((one) => ({ ...one, books: one.books.map(entry) }));
/** Returns the series that the books are in now: another one if its name joined both. */
export const changeSeries = (s, change) => send("PATCH", `/series/${id(s)}`, change);
export const wishVolumes = (s, numbers) => send("POST", `/series/${id(s)}/wishes`, { numbers });

// ---- import and export

/** @param {File} file @param {string} [encoding] instead of the detected one */
export function importFile(file, encoding) {
  const form = new FormData();
  form.append("file", file, file.name || "books.csv");
  return send("POST", encoding ? `/imports?encoding=${encodeURIComponent(encoding)}` : "/imports", form);
}
export const importState = (i) => get(`/imports/${id(i)}`);
export const startImport = (i, how) => send("POST", `/imports/${id(i)}/start`, how);
export const stopImport = (i) => send("DELETE", `/imports/${id(i)}`);
/** @param {string} format @param {string[]} [ids] of copies; without them, the whole library */
export const exportAddress = (format, ids) => `${V1}/export?format=${format}${ids ? `&ids=${ids.join(",")}` : ""}`;
export const backupAddress = `${V1}/backup`;

// ---- catalog

export const catalog = () => get("/catalog");
/** Asks for the sizes of a download; the server of the dumps may be slow. */
export const downloadEstimate = ({ languages, isbn }) =>
  get("/catalog/download/estimate", { query: { languages: languages.join(","), isbn }, timeout: 90_000 });
/**
 * Starts a download, or resumes an earlier one with the same choice.
 *
 * @param {{languages?: string[], isbn?: boolean}} choice
 */
export const startDownload = ({ languages = [], isbn = false }) =>
  send("POST", "/catalog/download", { languages, isbn });
export const updateCatalog = () => send("POST", "/catalog/update");
export const cancelDownload = ({ keep = true } = {}) =>
  request("DELETE", `${V1}/catalog/download`, { query: { keep } });

// ---- settings and statistics

export const settings = () => get("/settings");
export const changeSettings = (change, etag) => send("PATCH", "/settings", change, match(etag));
export const thresholdPreview = (threshold) => get("/settings/threshold-preview", { query: { threshold } });
export const stats = () => get("/stats");
/** Returns what the copies on each shelf cost and are worth. */
export const libraryValue = () => get("/stats/value");
export const reviewStats = () => get("/stats/review");
export const about = () => get("/about");
/** Returns the address for a phone on this network, with its QR code; nulls if there is none. */
export const phone = () => get("/phone");
