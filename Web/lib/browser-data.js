// What the app keeps in this browser belongs to one member: it is removed when they sign out, and before another
// member's library is shown.
import { NAMED } from "./base.js";
import { forget } from "./memory.js";
import * as store from "./store.js";

const COVERS = `${NAMED}-covers`;
const SIGNED_OUT = `${NAMED}-signed-out`;

/** Whether a scan has photos that the server does not have yet. */
const isUnsent = (scan) => scan.state === "waiting" || scan.state === "uploading";

/** The number of photos in this browser that the server does not have yet. */
export async function unsentPhotos() {
  const scans = await store.all("scans").catch(() => []);
  return scans.filter(isUnsent).reduce((sum, scan) => sum + scan.photos.length, 0);
}

/**
 * Removes the library, scans, photos, pictures and choices of the last member, and makes the app's other tabs reload.
 * The server removes them too, unless the app is below a path: there it would remove those of other programs.
 */
export async function clearBrowser() {
  forget();
  await Promise.allSettled([store.clear(), clearPictures()]);
  if (typeof BroadcastChannel === "function") new BroadcastChannel(SIGNED_OUT).postMessage(null);
}

/** Reloads this tab when another one has signed out: its memory has the library, too. */
export function reloadOnSignOut() {
  if (typeof BroadcastChannel !== "function") return;
  new BroadcastChannel(SIGNED_OUT).onmessage = () => location.reload();
}

/**
 * Removes the data of another member who did not sign out here. Photos that were not sent stay until that member
 * signs in again; other members neither send nor see them.
 *
 * @param {{id: string} | null | undefined} member the member who is signed in
 * @returns {Promise<boolean>} whether data was removed; the page has to be reloaded then
 */
export async function keepOnlyDataOf(member) {
  if (!member) return false;
  const last = await store.get("meta", "member").catch(() => undefined);
  if (last === member.id) return false;
  if (last === undefined) {
    await store.put("meta", member.id, "member").catch(() => {});
    return false;
  }
  // The store is last: it has the last member's name, so that an interrupted removal is repeated.
  await clearPictures();
  await store.handOver(
    member.id,
    (scans) => scans.filter(isUnsent).map((scan) => ({ ...scan, member: scan.member ?? last })),
  );
  return true;
}

/** Whether this scan is of the member of this browser's data. @param {{member?: string}} scan */
export const isOwn = (scan, member) => scan.member === undefined || scan.member === member;

const clearPictures = async () => void (globalThis.caches && await caches.delete(COVERS));
