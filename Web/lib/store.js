// IndexedDB: queued photos, and a copy of the library for offline use.

import { NAMED } from "./base.js";

const NAME = NAMED, VERSION = 1;
const STORES = ["scans", "photos", "library", "meta"];
/** @type {Promise<IDBDatabase> | undefined} */
let opening;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const db = request.result;
      for (const name of STORES) {
        if (!db.objectStoreNames.contains(name)) {
          db.createObjectStore(name, name === "meta" ? undefined : { keyPath: "id" });
        }
      }
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        request.result.close();
        opening = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => {
      opening = undefined;
      reject(request.error);
    };
  });
  return opening;
}

/** Runs `work` in one transaction and resolves once it is durable. */
async function transaction(stores, mode, work) {
  const db = await open();
  return new Promise((resolve, reject) => {
    const tx = db.transaction(stores, mode, mode === "readwrite" ? { durability: "strict" } : undefined);
    /** @type {any} */
    let result = null;
    tx.oncomplete = () => resolve(result instanceof IDBRequest ? result.result : result);
    tx.onabort = tx.onerror = () =>
      reject(tx.error ?? new DOMException("The browser's storage did not answer.", "AbortError"));
    result = work(tx);
  });
}

export const get = (store, key) => transaction(store, "readonly", (tx) => tx.objectStore(store).get(key));
export const all = (store) => transaction(store, "readonly", (tx) => tx.objectStore(store).getAll());
export const put = (store, value, key) =>
  transaction(store, "readwrite", (tx) => void tx.objectStore(store).put(value, key));
export const remove = (store, key) => transaction(store, "readwrite", (tx) => void tx.objectStore(store).delete(key));

/** Stores several values, possibly in several stores, in one transaction. @param {Record<string, any[]>} values */
export const putAll = (values) =>
  transaction(Object.keys(values), "readwrite", (tx) => {
    for (const [store, list] of Object.entries(values)) for (const value of list) tx.objectStore(store).put(value);
  });

/** Removes everything, in one transaction. */
export const clear = () => {
  memory.clear();
  return transaction(STORES, "readwrite", (tx) => {
    for (const store of STORES) tx.objectStore(store).clear();
  });
};

/** Without storage (private browsing), photos last as long as the page. */
const memory = new Map();

/**
 * Stores a scan and its photos in one transaction. Photos are stored as bytes: WebKit refuses blobs in private windows.
 *
 * @param {any} scan
 * @param {Array<{id: string, blob: Blob, width: number, height: number}>} photos
 * @throws QuotaExceededError
 */
export async function keepScan(scan, photos) {
  const records = [];
  for (const { blob, ...rest } of photos) {
    records.push({ ...rest, sent: false, type: blob.type, bytes: await blob.arrayBuffer() });
  }
  try {
    await putAll({ scans: [scan], photos: records });
  } catch (error) {
    if (error?.name === "QuotaExceededError") throw error;
    for (const record of records) memory.set(record.id, record);
  }
}

/** A photo with its picture as a blob, or undefined. @param {string} id */
export async function photo(id) {
  const record = memory.get(id) ?? await get("photos", id).catch(() => undefined);
  if (!record) return undefined;
  const { bytes, type, ...rest } = record;
  return { ...rest, blob: new Blob([bytes], { type }) };
}

/** Stores whether a photo has been uploaded. */
export async function markSent(id, sent) {
  const known = memory.get(id);
  if (known) return void (known.sent = sent);
  const record = await get("photos", id);
  if (record) await put("photos", { ...record, sent });
}

/** Removes a scan with its photos, in one transaction. */
export const removeScan = (scan) =>
  transaction(["scans", "photos"], "readwrite", (tx) => {
    tx.objectStore("scans").delete(scan.id);
    for (const id of scan.photos) tx.objectStore("photos").delete(id);
  });

/**
 * Removes everything but the scans that `keep` selects and their photos, and records whose data this is. In one
 * transaction: neither a closed tab nor a second one loses a photo.
 *
 * @param {string} member
 * @param {(scans: any[]) => any[]} keep
 */
export const handOver = (member, keep) => {
  memory.clear();
  return transaction(STORES, "readwrite", (tx) => {
    const [scans, photos, library, meta] = STORES.map((name) => tx.objectStore(name));
    library.clear();
    meta.clear();
    meta.put(member, "member");
    scans.getAll().onsuccess = (event) => {
      const kept = keep(event.target.result), ids = new Set(kept.flatMap((scan) => scan.photos));
      scans.clear();
      for (const scan of kept) scans.put(scan);
      photos.getAllKeys().onsuccess = (event) => {
        for (const id of event.target.result) if (!ids.has(id)) photos.delete(id);
      };
    };
  });
};

/** Replaces the contents of a store. */
export const replaceAll = (store, values) =>
  transaction(store, "readwrite", (tx) => {
    const target = tx.objectStore(store);
    target.clear();
    for (const value of values) target.put(value);
  });
