// The upload queue: photos are stored in this browser first, uploaded in parallel with retries, and followed until read.
import * as api from "./api.js";
import { NAMED } from "./base.js";
import { isOwn } from "./browser-data.js";
import { follow } from "./follow.js";
import { takeEvent } from "./scan-events.js";
import { bare, freshLive, newId, photoStates, plain, save, scans, setPhoto } from "./scans.js";
import { enriching, online } from "./state.js";
import * as store from "./store.js";
import { sendAll } from "./upload.js";

export { photoStates, scans };

export const LIMIT = 5;
const ASK_EVERY = 1500;
const RETRY_AFTER = 5000;
const HOUR = 3_600_000, DAY = 24 * HOUR;

const running = new Map();

/** @type {Promise<void> | undefined} */
let loading;
/** Loads the queue of earlier visits, once. */
export const load = () => loading ??= readKept();

async function readKept() {
  let kept = [];
  try {
    const member = await store.get("meta", "member");
    kept = (await store.all("scans")).filter((scan) => isOwn(scan, member));
  } catch {
    return; // no storage (private browsing): scans last as long as the page
  }
  // The server keeps results for a day, so older finished scans are removed.
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

/** Resumes the queue, now and whenever the network is back. */
export function start() {
  kick();
  addEventListener("online", kick);
  online.watch((is) => is && kick());
}

const restState = (state) =>
  ({ waiting: "waiting", reading: "analysing", done: "done", failed: "error", canceled: "canceled" })[state] ??
    "waiting";

/**
 * Adds photos to the queue. Once this resolves they survive a closed tab, a restart and a lost network.
 *
 * @param {Array<{blob: Blob, width: number, height: number, thumb?: Blob}>} photos
 * @param {{shelfId?: string | null, shelfName?: string, threshold?: number, import?: boolean}} options
 * @returns {Promise<import("./scans.js").Scan>}
 */
export async function addScan(photos, options = {}) {
  await load();
  const records = photos.map((p) => ({ id: newId(), blob: p.blob, width: p.width, height: p.height }));
  /** @type {import("./scans.js").Scan} */
  const scan = {
    id: newId(),
    created: Date.now(),
    photos: records.map((r) => r.id),
    shelfId: options.shelfId ?? null,
    shelfName: options.shelfName,
    member: await store.get("meta", "member").catch(() => undefined),
    threshold: options.threshold,
    import: options.import,
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
    // Without background sync, 'online' and the next start resume the queue.
  }
}

/** Resumes every scan that can be resumed. */
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
    else if (scan.state === "reading" || isLookedUp(scan)) run(scan, (signal) => read(scan, signal));
  }
}

/** Follows the lookup of details and the questions to providers too: the server deletes jobs without followers. */
const isLookedUp = (scan) =>
  scan.state === "done" && scan.job && scan.over === false && Date.now() - scan.created < HOUR;

function run(scan, work) {
  const control = new AbortController();
  const go = () => work(control.signal);
  // Two tabs must not upload the same photo: the server would detect it, but it wastes bandwidth.
  const locked = navigator.locks
    ? () => navigator.locks.request(`${NAMED}-${scan.id}`, { signal: control.signal }, go)
    : go;
  const promise = Promise.resolve().then(locked).catch((error) => {
    if (error?.name === "AbortError") return;
    failScan(scan, error);
  }).finally(() => running.delete(scan.id));
  running.set(scan.id, { control, promise });
}

async function failScan(scan, error) {
  if (error?.offline || scan.state === "waiting" && !online.get()) {
    // The network is lost: the photos stay queued.
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

// ---- upload and reading

/** Loads what the service worker did for this scan while this page waited for the lock. */
async function catchUp(scan) {
  const kept = await store.get("scans", scan.id).catch(() => undefined);
  if (!kept?.job) return;
  scan.job = kept.job;
  if (kept.state === "reading") scan.state = "reading";
}

async function read(scan, signal) {
  if (scan.state === "canceled" || !scan.job) return;
  if (scan.state !== "done" || scan.last === undefined) {
    scan.live.stage = "analyzing";
    await follow(api.jobSource(scan.job, 0), (event) => takeEvent(scan, event), {
      signal,
      onTransport: (transport) => {
        scan.live.transport = transport;
        scans.tell();
      },
      onConnection: (isConnected) => {
        scan.live.connection = isConnected ? "back" : "lost";
        scans.tell();
      },
    });
  }
  if (scan.state === "done") await followAnswers(scan, signal);
}

/** Follows a completed job while the server asks providers about its books. After a reload, from the last event seen. */
async function followAnswers(scan, signal) {
  while (!signal.aborted) {
    let page;
    try {
      page = await api.scanEvents(scan.job, scan.last ?? 0);
    } catch (error) {
      // The server may be restarting; it goes on asking then.
      if (!error?.retryable) break;
      await pause(RETRY_AFTER, signal);
      continue;
    }
    const { events = [], done = true } = page;
    const isNews = scan.live.asking === done;
    scan.live.asking = !done;
    for (const event of events) takeEvent(scan, event);
    if (done) break;
    if (events.length) await save(scan, { last: events.at(-1).id });
    else if (isNews) scans.tell();
    await pause(ASK_EVERY, signal);
  }
  if (signal.aborted) return;
  scan.live.asking = false;
  enriching.set(null);
  await save(scan, { over: true });
}

/** Resolves after a time, or when the signal aborts. @param {number} ms @param {AbortSignal} signal */
export const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), { once: true });
  });

// ---- user actions

/** Cancels a scan; its photos stay in this browser until they are removed. */
export async function cancel(scan, { forget = true } = {}) {
  const run = running.get(scan.id);
  run?.control.abort();
  await run?.promise;
  if (scan.job) await api.cancelScan(scan.job).catch(() => {});
  await save(scan, { state: "canceled" });
  if (forget) await forgetScan(scan);
}

/** Removes a scan from this browser. */
export async function forgetScan(scan) {
  running.get(scan.id)?.control.abort();
  await store.removeScan(scan).catch(() => {});
  scans.update((list) => list.filter((s) => s !== scan));
}

/** Retries a photo on the server that failed or waits for its disk, or a whole scan from the stored photos. */
export async function retry(scan) {
  const numbered = (state) =>
    scan.photos.map((id, i) => ({ id, n: i + 1 })).filter(({ id }) => photoStates.get().get(id)?.state === state);
  const late = scan.state === "reading" ? numbered("disk") : [];
  if (scan.job && late.length) {
    for (const { n } of late) await api.retryPhoto(scan.job, n);
    return scan;
  }
  const failed = numbered("error");
  if (scan.job && failed.length && failed.length < scan.photos.length) {
    try {
      for (const { id, n } of failed) {
        await api.retryPhoto(scan.job, n);
        setPhoto(id, { state: "analysing" });
      }
      scan.live = freshLive();
      await save(scan, { state: "reading", last: undefined, over: undefined, problem: undefined });
      kick();
      return scan;
    } catch {
      // The job is closed: create a new one.
    }
  }
  return again(scan);
}

/** Creates a new job with the same photos, and a new key, because the server remembers the answer to the old one. */
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
    last: undefined,
    over: undefined,
    problem: undefined,
    live: freshLive(),
  };
  try {
    await store.putAll({ scans: [bare(fresh)] });
    await store.remove("scans", scan.id);
  } catch {
    // Only in this page's memory.
  }
  const known = scans.get().some((s) => s.id === scan.id);
  scans.update((list) => known ? list.map((s) => (s.id === scan.id ? fresh : s)) : [fresh, ...list]);
  kick();
  return fresh;
}

/** Returns a photo's picture. @returns {Promise<Blob | undefined>} */
export async function photoBlob(id) {
  return (await store.photo(id))?.blob;
}

export const find = (id) => scans.get().find((s) => s.id === id || s.job?.id === id);
