// The scans of this browser, in its storage, and the states of their photos for the screen.
import { Value } from "./state.js";
import * as store from "./store.js";

/**
 * A request to read photos, as known to this browser.
 *
 * @typedef {object} Scan
 * @property {string} id also the idempotency key
 * @property {number} created
 * @property {string} [member] the id of the member who took the photos
 * @property {string[]} photos ids in the order of the tray
 * @property {string | null} shelfId
 * @property {string} [shelfName]
 * @property {number} [threshold]
 * @property {boolean} [import] whether books are added at once; without it, as the server is set
 * @property {{id: string, token?: string} | null} job
 * @property {"waiting" | "uploading" | "reading" | "done" | "failed" | "canceled"} state
 * @property {number} [last] number of the last event seen of a completed job
 * @property {boolean} [over] whether the server has finished, including the lookup of details and questions to providers
 * @property {any} [problem]
 * @property {any} [live] the state from the events so far; not stored
 */

/** All scans of this browser, the newest first. @type {Value<Scan[]>} */
export const scans = new Value(/** @type {Scan[]} */ ([]));
/** Photo states by id: `{ state, share, problem, retryAt }`; `disk` while the server's disk fails to read the photo. */
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
  transport: "",
  /** "lost" or "back" once the connection to the server was lost. */
  connection: "",
  /** Books that providers were asked about, as they are now; null for those that are gone. */
  updates: /** @type {Map<string, any>} */ (new Map()),
  /** Whether providers are still being asked about the books. */
  asking: false,
  /** How many unsure spines were looked up, of how many, as counted by the server. */
  lookups: /** @type {{current: number, total: number} | null} */ (null),
});

/** The number of photos that are not read yet. */
export const waitingPhotos = () =>
  scans.get().filter((s) => s.state === "waiting").reduce((sum, s) => sum + s.photos.length, 0);

// ---- changes

/** Changes a scan, in memory and in storage. */
export async function save(scan, changes) {
  Object.assign(scan, changes);
  try {
    if (scans.get().includes(scan)) await store.put("scans", bare(scan));
  } catch {
    // Without storage the queue lasts as long as the page.
  }
  scans.tell();
}

/** Returns the stored form of a scan. */
export const bare = ({ live: _live, ...scan }) => scan;

export function setPhoto(id, state) {
  photoStates.get().set(id, state);
  photoStates.tell();
}

export const newId = () =>
  crypto.randomUUID?.() ??
    [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** Returns an error in a form that can be stored and shown. */
export const plain = (error) => ({
  code: error?.code ?? "",
  title: error?.title ?? "",
  detail: error?.detail ?? error?.message ?? "",
  status: error?.status ?? 0,
});
