// Sending a scan's photos: in parallel, with retries, waiting in sight where the server asks for it.
import * as api from "./api.js";
import { plain, save, setPhoto } from "./scans.js";
import * as store from "./store.js";

const PARALLEL = 2;
const TRIES = 4; // the first and three more

/** Sends what was not sent yet; one bad photo fails alone. Throws when none can be read, or the network is gone. */
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
        problems.push(error); // one bad photo fails alone
        setPhoto(photo.id, { state: error?.offline ? "offline" : "error", problem: plain(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  const lost = problems.find((p) => p.offline);
  if (lost) throw lost;
  if (problems.length === scan.photos.length) throw problems[0];
  if (problems.length) await api.finishScan(scan.job).catch(() => {}); // the others are read all the same
  await save(scan, { state: "reading" });
}

async function sent(photo) {
  await store.markSent(photo.id, true);
  setPhoto(photo.id, { state: "analysing", share: 1 });
}

/** One upload with its retries: 1, 2 and 4 seconds, or as long as the server asks for. */
async function withRetries(id, signal, work) {
  for (let attempt = 1;; attempt++) {
    setPhoto(id, { state: "uploading", share: 0 });
    try {
      return await work((share) => setPhoto(id, { state: "uploading", share }));
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      if (error.status === 429) {
        // Too many at once is not a failure: wait as told, in sight, and go on.
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
