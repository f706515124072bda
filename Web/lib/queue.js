// The line of photos: kept in this browser before anything is sent, sent in parallel with retries, followed until read.
import * as api from "./api.js";
import { follow } from "./follow.js";
import { enriching, online, Value } from "./state.js";
import * as store from "./store.js";

const PARALLEL = 2;
const TRIES = 4; // the first and three more
export const LIMIT = 5;
const DAY = 86_400_000;

/**
 * One request to read photos, as this browser knows it.
 *
 * @typedef {object} Scan
 * @property {string} id also the idempotency key
 * @property {number} created
 * @property {string[]} photos ids in the order of the tray
 * @property {string | null} shelfId
 * @property {string} [shelfName]
 * @property {number} [threshold]
 * @property {boolean} import
 * @property {{id: string, token?: string} | null} job
 * @property {"waiting" | "uploading" | "reading" | "done" | "failed" | "canceled"} state
 * @property {number} [last] number of the last event seen
 * @property {any} [problem]
 * @property {any} [live] what the events told so far; not kept
 */

/** All scans of this browser, the newest first. @type {Value<Scan[]>} */
export const scans = new Value(/** @type {Scan[]} */ ([]));
/** Photo states by id: `{ state, share, problem, retryAt }`. */
export const photoStates = new Value(/** @type {Map<string, any>} */ (new Map()));

const running = new Map();

/** Reads what was waiting from an earlier visit. */
export async function load() {
  let kept = [];
  try {
    kept = await store.all("scans");
  } catch {
    return; // no storage here (private browsing): scans then live as long as the page
  }
  // The server keeps results for a day; what is settled longer than that only takes room here.
  const settled = (scan) => (scan.state === "done" || scan.state === "canceled") && Date.now() - scan.created > DAY;
  for (const scan of kept.filter(settled)) store.removeScan(scan).catch(() => {});
  kept = kept.filter((scan) => !settled(scan)).sort((a, b) => b.created - a.created);
  for (const scan of kept) {
    scan.live = freshLive();
    if (scan.state === "uploading") scan.state = "waiting";
    for (const id of scan.photos) setPhoto(id, { state: restState(scan.state) });
  }
  scans.set(kept);
}

/** Goes on with what was waiting, now and whenever the network is back. */
export function start() {
  kick();
  addEventListener("online", kick);
  online.watch((is) => is && kick());
}

const restState = (state) =>
  ({ waiting: "waiting", reading: "analysing", done: "done", failed: "error", canceled: "canceled" })[state] ??
    "waiting";

export const freshLive = () => ({
  stage: "uploading",
  progress: 0,
  message: "",
  photo: 1,
  current: 0,
  total: /** @type {number | null} */ (null),
  books: /** @type {any[]} */ ([]),
  spines: /** @type {any[]} */ ([]),
  segmented: /** @type {string | null} */ (null),
  totals: /** @type {Record<number, number>} */ ({}),
  enrichments: /** @type {Map<string, any>} */ (new Map()),
  degraded: /** @type {any} */ (false),
  way: "",
});

/**
 * Takes photos into the line. Once this resolves they survive a closed tab, a restart and a lost network.
 *
 * @param {Array<{blob: Blob, width: number, height: number, thumb?: Blob}>} photos
 * @param {{shelfId?: string | null, shelfName?: string, threshold?: number, import?: boolean}} options
 * @returns {Promise<Scan>}
 */
export async function addScan(photos, options = {}) {
  const records = photos.map((p) => ({ id: newId(), blob: p.blob, width: p.width, height: p.height }));
  /** @type {Scan} */
  const scan = {
    id: newId(),
    created: Date.now(),
    photos: records.map((r) => r.id),
    shelfId: options.shelfId ?? null,
    shelfName: options.shelfName,
    threshold: options.threshold,
    import: options.import ?? false,
    job: null,
    state: "waiting",
  };
  await store.keepScan(scan, records);
  scan.live = freshLive();
  for (const r of records) setPhoto(r.id, { state: online.get() ? "waiting" : "offline" });
  scans.update((list) => [scan, ...list]);
  kick();
  registerSync();
  return scan;
}

async function registerSync() {
  try {
    const registration = await navigator.serviceWorker?.ready;
    await /** @type {any} */ (registration)?.sync?.register("send-photos");
  } catch {
    // Where the browser cannot, 'online' and the next start do it.
  }
}

/** Goes on with everything that can go on. */
export function kick() {
  for (const scan of [...scans.get()].reverse()) {
    if (running.has(scan.id)) continue;
    if (scan.state === "waiting" && online.get()) {
      run(scan, async (signal) => {
        await catchUp(scan);
        if (scan.state !== "reading") await sendAll(scan, signal);
        await read(scan, signal);
      });
    } else if (scan.state === "waiting") { for (const id of scan.photos) setPhoto(id, { state: "offline" }); }
    else if (scan.state === "reading") run(scan, (signal) => read(scan, signal));
  }
}

function run(scan, work) {
  const control = new AbortController();
  const go = () => work(control.signal);
  // Two tabs must not send the same photo at once; the server would notice, but the line is not made longer for it.
  const locked = navigator.locks
    ? () => navigator.locks.request(`shelflist-${scan.id}`, { signal: control.signal }, go)
    : go;
  const promise = Promise.resolve().then(locked).catch((error) => {
    if (error?.name === "AbortError") return;
    failScan(scan, error);
  }).finally(() => running.delete(scan.id));
  running.set(scan.id, { control, promise });
}

async function failScan(scan, error) {
  if (error?.offline || scan.state === "waiting" && !online.get()) {
    // The network went: the photos wait where they are.
    await save(scan, { state: scan.job && scan.state === "reading" ? "reading" : "waiting" });
    for (const id of scan.photos) if (photoStates.get().get(id)?.state !== "done") setPhoto(id, { state: "offline" });
    scheduleKick(8000);
    return;
  }
  await save(scan, { state: "failed", problem: plain(error) });
  for (const id of scan.photos) {
    if (photoStates.get().get(id)?.state !== "done") setPhoto(id, { state: "error", problem: plain(error) });
  }
}

let kickTimer = 0;
function scheduleKick(ms) {
  clearTimeout(kickTimer);
  kickTimer = setTimeout(kick, ms);
}

const plain = (error) => ({
  code: error?.code ?? "",
  title: error?.title ?? "",
  detail: error?.detail ?? error?.message ?? "",
  status: error?.status ?? 0,
});

// ---- sending

/** What the service worker did for this scan while this page waited for its turn. */
async function catchUp(scan) {
  const kept = await store.get("scans", scan.id).catch(() => undefined);
  if (!kept?.job) return;
  scan.job = kept.job;
  if (kept.state === "reading") scan.state = "reading";
}

async function sendAll(scan, signal) {
  await save(scan, { state: "uploading" });
  const all = (await Promise.all(scan.photos.map((id) => store.photo(id)))).map((photo, i) => ({
    photo,
    n: i + 1,
  }));
  const waiting = all.filter(({ photo }) => photo && !photo.sent);
  if (!scan.job && waiting.length) {
    const first = waiting[0].photo;
    await save(scan, {
      job: await withRetries(first.id, signal, () => api.openScan(scan, scan.photos.length, { signal })),
    });
  }
  let next = 0;
  const problems = [];
  const lane = async () => {
    while (next < waiting.length) {
      const { photo, n } = waiting[next++];
      try {
        await withRetries(photo.id, signal, (onProgress) => api.putPhoto(scan.job, n, photo, { signal, onProgress }));
        await sent(photo);
      } catch (error) {
        if (error?.name === "AbortError") throw error;
        problems.push(error); // one bad photo fails alone
        setPhoto(photo.id, { state: error?.offline ? "offline" : "error", problem: plain(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  const lost = problems.find((p) => p.offline);
  if (lost) throw lost;
  if (problems.length === scan.photos.length) throw problems[0];
  if (problems.length) await api.finishScan(scan.job).catch(() => {}); // the others are read all the same
  await save(scan, { state: "reading" });
}

async function sent(photo) {
  await store.markSent(photo.id, true);
  setPhoto(photo.id, { state: "analysing", share: 1 });
}

/** One upload with its retries: 1, 2 and 4 seconds, or as long as the server asks for. */
async function withRetries(id, signal, work) {
  for (let attempt = 1;; attempt++) {
    setPhoto(id, { state: "uploading", share: 0 });
    try {
      return await work((share) => setPhoto(id, { state: "uploading", share }));
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      if (error.status === 429) {
        // Too many at once is not a failure: wait as told, in sight, and go on.
        await pause(id, Math.max(1000, error.retryAfterMs || 5000), "limited", signal);
        attempt--;
        continue;
      }
      if (!error.retryable || attempt >= TRIES) throw error;
      await pause(id, error.retryAfterMs || 1000 * 2 ** (attempt - 1), "retrying", signal);
    }
  }
}

function pause(id, ms, state, signal) {
  setPhoto(id, { state, share: 0, retryAt: Date.now() + ms });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("canceled", "AbortError"));
    }, { once: true });
  });
}

// ---- reading

async function read(scan, signal) {
  if (scan.state === "canceled" || !scan.job) return;
  scan.live.stage = "analyzing";
  await follow(api.jobSource(scan.job, 0), (event) => take(scan, event), {
    signal,
    onWay: (way) => {
      scan.live.way = way;
      scans.tell();
    },
  });
}

function take(scan, { type, data }) {
  const live = scan.live;
  switch (type) {
    case "progress":
      live.stage = data.stage ?? live.stage;
      live.progress = data.progress ?? live.progress;
      live.message = data.message ?? "";
      break;
    case "photo":
      photoChanged(scan, data);
      break;
    case "segmented":
      live.photo = data.photo ?? live.photo;
      live.totals[live.photo] = data.totalBooks ?? 0;
      live.spines.push(...(data.spines ?? []).map((s) => ({ photo: live.photo, ...s })));
      live.current = 0;
      live.total = live.totals[live.photo];
      break;
    case "book_progress":
      live.photo = data.photo ?? live.photo;
      live.current = data.current ?? live.current;
      live.total = data.total ?? live.total;
      break;
    case "result":
      live.books.push({ ...api.scanBook(data.book), photo: data.photo ?? live.photo });
      break;
    case "enriched":
      live.enrichments.set(data.bookId, data);
      live.stage = "enriching";
      if (data.total) enriching.set({ done: data.current, total: data.total });
      break;
    case "enrichment_degraded":
      live.degraded = data.provider ?? true;
      break;
    case "error":
      finishPhotos(scan, "error", { code: data.code ?? "", detail: data.message ?? "", status: 0 });
      save(scan, { state: "failed", problem: { code: data.code ?? "", detail: data.message ?? "", status: 0 } });
      enriching.set(null);
      break;
    case "completed":
      live.stage = "completed";
      live.progress = 1;
      enriching.set(null);
      finishPhotos(scan, "done");
      save(scan, { state: "done" });
      break;
    case "canceled":
      save(scan, { state: "canceled" });
      break;
  }
  scans.tell();
}

function photoChanged(scan, data) {
  const id = scan.photos[(data.index ?? 0) - 1];
  if (!id) return;
  if (data.status === "done") setPhoto(id, { state: "done" });
  else if (data.status === "failed") setPhoto(id, { state: "error", problem: plain(data.problem) });
  else if (data.status === "reading" || data.status === "queued") setPhoto(id, { state: "analysing" });
}

function finishPhotos(scan, state, problem) {
  for (const id of scan.photos) if (photoStates.get().get(id)?.state !== "error") setPhoto(id, { state, problem });
}

// ---- what a person can do

/** Stops a scan for good; the photos stay here until they are thrown away. */
export async function cancel(scan, { forget = true } = {}) {
  const run = running.get(scan.id);
  run?.control.abort();
  await run?.promise;
  if (scan.job) await api.cancelScan(scan.job).catch(() => {});
  await save(scan, { state: "canceled" });
  if (forget) await forgetScan(scan);
}

/** Takes a scan out of this browser. */
export async function forgetScan(scan) {
  running.get(scan.id)?.control.abort();
  await store.removeScan(scan).catch(() => {});
  scans.update((list) => list.filter((s) => s !== scan));
}

/** Tries again what failed: one photo by the server's own retry, a whole scan from the photos kept here. */
export async function retry(scan) {
  const failed = scan.photos.map((id, i) => ({ id, n: i + 1 })).filter(({ id }) =>
    photoStates.get().get(id)?.state === "error"
  );
  if (scan.job && failed.length && failed.length < scan.photos.length) {
    try {
      for (const { id, n } of failed) {
        await api.retryPhoto(scan.job, n);
        setPhoto(id, { state: "analysing" });
      }
      scan.live = freshLive();
      await save(scan, { state: "reading", problem: undefined });
      kick();
      return scan;
    } catch {
      // The job is closed: a new one, then.
    }
  }
  return again(scan);
}

/** A new job with the same photos: a new key, because the server remembers the answer to the old one. */
async function again(scan) {
  for (const id of scan.photos) {
    await store.markSent(id, false).catch(() => {});
    setPhoto(id, { state: "waiting" });
  }
  const fresh = {
    ...scan,
    id: newId(),
    job: null,
    state: /** @type {const} */ ("waiting"),
    problem: undefined,
    live: freshLive(),
  };
  try {
    await store.putAll({ scans: [bare(fresh)] });
    await store.remove("scans", scan.id);
  } catch {
    // Kept in the page only.
  }
  const known = scans.get().some((s) => s.id === scan.id);
  scans.update((list) => known ? list.map((s) => (s.id === scan.id ? fresh : s)) : [fresh, ...list]);
  kick();
  return fresh;
}

/** A photo's picture. @returns {Promise<Blob | undefined>} */
export async function photoBlob(id) {
  return (await store.photo(id))?.blob;
}

export const find = (id) => scans.get().find((s) => s.id === id || s.job?.id === id);

/** How many photos are not read yet. */
export const waitingPhotos = () =>
  scans.get().filter((s) => s.state === "waiting").reduce((sum, s) => sum + s.photos.length, 0);

// ---- small things

async function save(scan, changes) {
  Object.assign(scan, changes);
  try {
    if (scans.get().includes(scan)) await store.put("scans", bare(scan));
  } catch {
    // Without storage the line lives as long as the page.
  }
  scans.tell();
}

const bare = ({ live: _live, ...scan }) => scan;

function setPhoto(id, state) {
  photoStates.get().set(id, state);
  photoStates.tell();
}

const newId = () =>
  crypto.randomUUID?.() ??
    [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
