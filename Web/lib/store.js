// What this browser keeps: photos waiting in line, and a copy of the library for reading offline. IndexedDB.

const NAME = "shelflist", VERSION = 1;
/** @type {Promise<IDBDatabase> | undefined} */
let opening;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const db = request.result;
      for (const name of ["scans", "photos", "library", "meta"]) {
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

/** Runs `work` in one transaction and resolves once that is durable. */
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

/** Puts several values, possibly into several stores, all or none. @param {Record<string, any[]>} values */
export const putAll = (values) =>
  transaction(Object.keys(values), "readwrite", (tx) => {
    for (const [store, list] of Object.entries(values)) for (const value of list) tx.objectStore(store).put(value);
  });

/** Removes a scan with its photos, all or none. */
export const removeScan = (scan) =>
  transaction(["scans", "photos"], "readwrite", (tx) => {
    tx.objectStore("scans").delete(scan.id);
    for (const id of scan.photos) tx.objectStore("photos").delete(id);
  });

/** Puts `values` in place of a whole store. */
export const swap = (store, values) =>
  transaction(store, "readwrite", (tx) => {
    const target = tx.objectStore(store);
    target.clear();
    for (const value of values) target.put(value);
  });
