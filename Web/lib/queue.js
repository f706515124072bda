// The line of photos: kept in this browser before anything is sent, sent in parallel with retries, followed until read.
import * as api from "./api.js";
import { follow } from "./follow.js";
import { takeEvent } from "./scan-events.js";
import { bare, freshLive, newId, photoStates, plain, save, scans, setPhoto } from "./scans.js";
import { online } from "./state.js";
import * as store from "./store.js";
import { sendAll } from "./upload.js";

export { photoStates, scans };

export const LIMIT = 5;
const HOUR = 3_600_000, DAY = 24 * HOUR;

const running = new Map();

/** @type {Promise<void> | undefined} */
let loading;
/** Reads what was waiting from an earlier visit, once. */
export const load = () => loading ??= readKept();

async function readKept() {
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

/**
 * Takes photos into the line. Once this resolves they survive a closed tab, a restart and a lost network.
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
    else if (scan.state === "reading" || isLookedUp(scan)) run(scan, (signal) => read(scan, signal));
  }
}

/** Read, and its details perhaps still looked up: the server gives up what nobody follows. */
const isLookedUp = (scan) =>
  scan.state === "done" && scan.job && scan.over === false && Date.now() - scan.created < HOUR;

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

// ---- sending and reading

/** What the service worker did for this scan while this page waited for its turn. */
async function catchUp(scan) {
  const kept = await store.get("scans", scan.id).catch(() => undefined);
  if (!kept?.job) return;
  scan.job = kept.job;
  if (kept.state === "reading") scan.state = "reading";
}

async function read(scan, signal) {
  if (scan.state === "canceled" || !scan.job) return;
  scan.live.stage = "analyzing";
  await follow(api.jobSource(scan.job, 0), (event) => takeEvent(scan, event), {
    signal,
    onWay: (way) => {
      scan.live.way = way;
      scans.tell();
    },
  });
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
