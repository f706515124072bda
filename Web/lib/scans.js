// The scans of this browser as it knows them: kept in its storage, and their photos' states for the screen.
import { Value } from "./state.js";
import * as store from "./store.js";

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
 * @property {boolean} [over] whether the server is done with it: its details are looked up as well
 * @property {any} [problem]
 * @property {any} [live] what the events told so far; not kept
 */

/** All scans of this browser, the newest first. @type {Value<Scan[]>} */
export const scans = new Value(/** @type {Scan[]} */ ([]));
/** Photo states by id: `{ state, share, problem, retryAt }`. */
export const photoStates = new Value(/** @type {Map<string, any>} */ (new Map()));

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
  way: "",
});

/** How many photos are not read yet. */
export const waitingPhotos = () =>
  scans.get().filter((s) => s.state === "waiting").reduce((sum, s) => sum + s.photos.length, 0);

// ---- changing them

/** Changes a scan, here and in the storage. */
export async function save(scan, changes) {
  Object.assign(scan, changes);
  try {
    if (scans.get().includes(scan)) await store.put("scans", bare(scan));
  } catch {
    // Without storage the line lives as long as the page.
  }
  scans.tell();
}

/** A scan as it is stored. */
export const bare = ({ live: _live, ...scan }) => scan;

export function setPhoto(id, state) {
  photoStates.get().set(id, state);
  photoStates.tell();
}

export const newId = () =>
  crypto.randomUUID?.() ??
    [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** An error as it can be stored and shown. */
export const plain = (error) => ({
  code: error?.code ?? "",
  title: error?.title ?? "",
  detail: error?.detail ?? error?.message ?? "",
  status: error?.status ?? 0,
});
