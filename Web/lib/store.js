// IndexedDB: queued photos, and a copy of the library for offline use. Both belong to one member. Photos of others that
// were not sent stay hidden until they return.

import { NAMED } from "./base.js";

const NAME = NAMED, VERSION = 1;
const STORES = ["scans", "photos", "library", "meta"];
const COVERS = `${NAMED}-covers`;
/** Milliseconds without an answer of the server after which the copy is removed. */
const LONGEST = 30 * 24 * 3_600_000;
/** @type {Promise<IDBDatabase> | undefined} */
let opening;

/** Opens the database, and removes a copy that must not be shown before anything reads it. */
function open() {
  opening ??= connect().then(async (db) => {
    await removeDue(db);
    return db;
  }).catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** @returns {Promise<IDBDatabase>} */
function connect() {
  return new Promise((resolve, reject) => {
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
    request.onerror = () => reject(request.error);
  });
}

/** Runs `work` in one transaction and resolves once it is durable. */
const transaction = async (stores, mode, work) => run(await open(), stores, mode, work);

function run(db, stores, mode, work) {
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
export const keys = (store) => transaction(store, "readonly", (tx) => tx.objectStore(store).getAllKeys());
export const all = (store) => transaction(store, "readonly", (tx) => tx.objectStore(store).getAll());
export const put = (store, value, key) =>
  transaction(store, "readwrite", (tx) => void tx.objectStore(store).put(value, key));
export const remove = (store, key) => transaction(store, "readwrite", (tx) => void tx.objectStore(store).delete(key));

/** Stores several values, possibly in several stores, in one transaction. @param {Record<string, any[]>} values */
export const putAll = (values) =>
  transaction(Object.keys(values), "readwrite", (tx) => {
    for (const [store, list] of Object.entries(values)) for (const value of list) tx.objectStore(store).put(value);
  });

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

// ---- whose data this is

const TRAY = "tray";
/** The key in `meta` of the photos that a member has not sent yet (tray.js). @param {string} [member] */
export const trayKey = (member) => member === undefined ? TRAY : `${TRAY} ${member}`;
/** Whether a key in `meta` is of a tray. @param {string} key */
export const isTray = (key) => key.startsWith(TRAY);
/** Whether a scan has photos that the server does not have yet. One that was refused has no job. */
export const isUnsent = (scan) => ["waiting", "uploading"].includes(scan.state) || scan.state === "failed" && !scan.job;

/**
 * Removes the data of the last member, and records whose data this is from now on. Photos that were not sent stay: those
 * of other members, and with `keepsPhotos` those of the last one.
 *
 * @param {string} [next] the next member, if there is one
 */
export const handOver = async (next, { keepsPhotos = true } = {}) => removeCopy(await open(), next, keepsPhotos);

/**
 * Records whose data this is, after it had no member. Photos without a member become theirs.
 *
 * @param {string} member
 * @returns {Promise<boolean>} whether hidden photos of the member are here
 */
export async function claim(member) {
  let hasPhotos = false;
  await transaction(["scans", "meta"], "readwrite", (tx) => {
    const meta = tx.objectStore("meta");
    meta.put(member, "member");
    meta.put(Date.now(), "answered");
    tx.objectStore("scans").getAll().onsuccess = (event) => {
      hasPhotos ||= event.target.result.some((scan) => scan.member === member);
    };
    meta.getKey(trayKey(member)).onsuccess = (event) => {
      hasPhotos ||= event.target.result !== undefined;
      claimTray(meta, member);
    };
  });
  return hasPhotos;
}

/** Adds the tray that has no member yet to the member's. */
function claimTray(meta, member) {
  meta.get(TRAY).onsuccess = ({ target: { result: photos } }) => {
    if (!photos) return;
    meta.get(trayKey(member)).onsuccess = (event) => {
      meta.put([...event.target.result ?? [], ...photos], trayKey(member));
      meta.delete(TRAY);
    };
  };
}

/**
 * Removes the copy if the server has not answered for too long, or if signing out was interrupted. A clock that was set
 * back keeps it no longer.
 */
async function removeDue(db) {
  const requests = await run(
    db,
    "meta",
    "readonly",
    (tx) => ["member", "answered", "leaving"].map((key) => tx.objectStore("meta").get(key)),
  );
  const [member, answered, leaving] = requests.map((request) => request.result);
  if (leaving || Math.abs(Date.now() - (answered ?? Date.now())) > LONGEST) {
    await removeCopy(db, undefined, leaving?.keepsPhotos ?? true);
  } else if (member !== undefined) {
    await run(db, "meta", "readwrite", (tx) => {
      const meta = tx.objectStore("meta");
      // Earlier versions recorded neither.
      if (answered === undefined) meta.put(Date.now(), "answered");
      claimTray(meta, member);
    });
  }
}

/**
 * In one transaction: neither a closed tab nor a second one loses a photo. The pictures are first: until the transaction,
 * the last member is known, so that an interrupted removal is repeated.
 */
async function removeCopy(db, next, keepsPhotos) {
  await globalThis.caches?.delete(COVERS);
  memory.clear();
  await run(db, STORES, "readwrite", (tx) => {
    const [scans, photos, library, meta] = STORES.map((name) => tx.objectStore(name));
    library.clear();
    meta.get("member").onsuccess = ({ target: { result: last } }) => {
      scans.getAll().onsuccess = (event) => {
        const kept = event.target.result
          .map((scan) => ({ ...scan, member: scan.member ?? last }))
          .filter((scan) => isUnsent(scan) && (keepsPhotos || scan.member !== last));
        const ids = new Set(kept.flatMap((scan) => scan.photos));
        scans.clear();
        for (const scan of kept) scans.put(scan);
        photos.getAllKeys().onsuccess = (event) => {
          for (const id of event.target.result) if (!ids.has(id)) photos.delete(id);
        };
      };
      meta.getAllKeys().onsuccess = (event) => {
        for (const key of event.target.result) {
          if (!isTray(key) || !keepsPhotos && key === trayKey(last)) meta.delete(key);
        }
        if (next === undefined) return;
        meta.put(next, "member");
        meta.put(Date.now(), "answered");
      };
    };
  });
}

/** Replaces the contents of a store. */
export const replaceAll = (store, values) =>
  transaction(store, "readwrite", (tx) => {
    const target = tx.objectStore(store);
    target.clear();
    for (const value of values) target.put(value);
  });
