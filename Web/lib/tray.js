// The tray: photos that were taken or chosen and are not sent yet. It survives a reload.
import * as store from "./store.js";

/**
 * @typedef {object} TrayPhoto
 * @property {Blob} blob
 * @property {number} width
 * @property {number} height
 * @property {string} url of the blob
 * @property {any} [measured] see quality.js
 */

/** The photos in their order, changed in place. @type {TrayPhoto[]} */
export const tray = [];

/** Writes are in order, so that an older tray never replaces a newer one. */
let writing = Promise.resolve();
/** @type {Promise<void> | undefined} */
let loading;

/** The member whose photos these are, once it is known. @type {string | undefined} */
let member;
/** Another member who signs in later has another tray. */
const key = async () => store.trayKey(member ??= await store.get("meta", "member"));

/** Resolves once all changes are stored. */
export const trayKept = () => writing;

/** Loads the tray of an earlier visit, once. */
export const loadTray = () => loading ??= read();

async function read() {
  const kept = await key().then((own) => store.get("meta", own)).catch(() => undefined);
  for (const { bytes, type, ...photo } of kept ?? []) {
    const blob = new Blob([bytes], { type });
    tray.push({ ...photo, blob, url: URL.createObjectURL(blob) });
  }
}

/** Stores the tray after a change. Without storage (private browsing) it lasts as long as the page. */
export function keepTray() {
  const photos = [...tray];
  writing = writing.then(async () => {
    const kept = await Promise.all(photos.map(async ({ blob, url: _url, ...photo }) => ({
      ...photo,
      type: blob.type,
      bytes: await blob.arrayBuffer(),
    })));
    if (kept.length) await store.put("meta", kept, await key());
    else await store.remove("meta", await key());
  }).catch(() => {});
  return writing;
}

/** Empties the tray once its photos are in the queue. */
export function emptyTray() {
  for (const { url } of tray.splice(0)) URL.revokeObjectURL(url);
  return keepTray();
}
