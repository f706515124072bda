// What the app keeps in this browser belongs to one member: it is removed when they sign out or are signed out from
// elsewhere, and before another member's library is shown. Photos that were not sent stay, hidden, until they return.
import { NAMED } from "./base.js";
import { forget } from "./memory.js";
import * as store from "./store.js";

const HOUR = 3_600_000;

/** Whether this scan is of the member of this browser's data. @param {{member?: string}} scan */
export const isOwn = (scan, member) => scan.member === undefined || scan.member === member;

/** Notifies other tabs. A channel does not notify the page that has it. */
const tabs = typeof BroadcastChannel === "function" && typeof document !== "undefined"
  ? new BroadcastChannel(`${NAMED}-signed-out`)
  : undefined;

/** Reloads this tab when another one has removed its member's data: its memory has the library, too. */
export function reloadOnSignOut() {
  if (tabs) tabs.onmessage = () => location.reload();
}

/**
 * Removes the library, scans, pictures and choices of the last member, and makes the app's other tabs reload.
 *
 * @param {{keepsPhotos?: boolean}} [options] whether the member's photos that were not sent stay; those of others do
 */
export async function clearBrowser({ keepsPhotos = true } = {}) {
  forget();
  await store.handOver(undefined, { keepsPhotos });
  tabs?.postMessage(null);
}

/**
 * Removes the copy of the library, because the session was ended from elsewhere: this may be a lost phone.
 *
 * @returns {Promise<boolean>} whether there was one; the page has to be reloaded then
 */
export async function dropCopy() {
  if (await store.get("meta", "member") === undefined) return false;
  await clearBrowser();
  return true;
}

let notedAt = 0;

/** Records that the server has answered the member: without that for 30 days, the copy is removed (store.js). */
export function noteAnswer() {
  const now = Date.now();
  if (Math.abs(now - notedAt) < HOUR) return;
  notedAt = now;
  store.put("meta", now, "answered").catch(() => {});
}

/**
 * Removes the data of another member who did not sign out here, and shows the member the own photos again.
 *
 * @param {{id: string} | null | undefined} member the member who is signed in
 * @returns {Promise<boolean>} whether something was removed or is shown again; the page has to be reloaded then
 */
export async function keepOnlyDataOf(member) {
  if (!member) return false;
  const last = await store.get("meta", "member").catch(() => undefined);
  if (last === member.id) {
    noteAnswer();
    return false;
  }
  if (last === undefined) return store.claim(member.id).catch(() => false);
  await store.handOver(member.id);
  tabs?.postMessage(null);
  return true;
}
