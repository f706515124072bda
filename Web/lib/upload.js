// Uploads a scan's photos: in parallel, with retries, and with a visible delay when the server asks for one.
import * as api from "./api.js";
import { plain, save, setPhoto } from "./scans.js";
import * as store from "./store.js";

const PARALLEL = 2;
const TRIES = 4; // one attempt and three retries

/** Uploads the remaining photos; a bad photo does not affect others. Throws if none is readable or the network is lost. */
export async function sendAll(scan, signal) {
  await save(scan, { state: "uploading" });
  const all = (await Promise.all(scan.photos.map((id) => store.photo(id)))).map((photo, i) => ({
    photo,
    n: i + 1,
  }));
  const waiting = all.filter(({ photo }) => photo && !photo.sent);
  if (!scan.job && waiting.length) {
    const first = waiting[0].photo;
    await save(scan, {
      job: await withRetries(first.id, signal, () => api.openScan(scan, scan.photos.length, { signal })),
    });
  }
  let next = 0;
  const problems = [];
  const lane = async () => {
    while (next < waiting.length) {
      const { photo, n } = waiting[next++];
      try {
        await withRetries(photo.id, signal, (onProgress) => api.putPhoto(scan.job, n, photo, { signal, onProgress }));
        await sent(photo);
      } catch (error) {
        if (error?.name === "AbortError") throw error;
        problems.push(error); // a bad photo does not affect others
        setPhoto(photo.id, { state: error?.offline ? "offline" : "error", problem: plain(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  const lost = problems.find((p) => p.offline);
  if (lost) throw lost;
  if (problems.length === scan.photos.length) throw problems[0];
  if (problems.length) await api.finishScan(scan.job).catch(() => {}); // the others are still read
  await save(scan, { state: "reading" });
}

async function sent(photo) {
  await store.markSent(photo.id, true);
  setPhoto(photo.id, { state: "analysing", share: 1 });
}

/** Uploads a photo, with retries after 1, 2 and 4 seconds, or after the server's delay. */
async function withRetries(id, signal, work) {
  for (let attempt = 1;; attempt++) {
    setPhoto(id, { state: "uploading", share: 0 });
    try {
      return await work((share) => setPhoto(id, { state: "uploading", share }));
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      if (error.status === 429) {
        // A rate limit is not a failure: wait visibly, then continue.
        await pause(id, Math.max(1000, error.retryAfterMs || 5000), "limited", signal);
        attempt--;
        continue;
      }
      if (!error.retryable || attempt >= TRIES) throw error;
      await pause(id, error.retryAfterMs || 1000 * 2 ** (attempt - 1), "retrying", signal);
    }
  }
}

function pause(id, ms, state, signal) {
  setPhoto(id, { state, share: 0, retryAt: Date.now() + ms });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("canceled", "AbortError"));
    }, { once: true });
  });
}
