// Uploads queued photos without a page, in the service worker, when the network is back. The page's queue (queue.js)
// continues from there: keys and numbers are the same, so nothing is uploaded twice.
import { NAMED, V1 } from "./base.js";
import { isOwn } from "./browser-data.js";
import { scanForm } from "./scan-form.js";
import * as store from "./store.js";

/**
 * Uploads the queue, unless another member has signed in since. Throws if the network is lost again, so that the browser
 * retries later.
 */
export async function sendWaiting(fetcher = fetch) {
  const member = await store.get("meta", "member");
  const answer = await fetcher(`${V1}/session`);
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  if ((await answer.json()).member?.id !== member) return;
  for (const scan of await store.all("scans")) {
    if (!waits(scan) || !isOwn(scan, member)) continue;
    await navigator.locks.request(`${NAMED}-${scan.id}`, () => sendScan(scan, fetcher));
  }
}

const waits = (scan) => scan.state === "waiting" || scan.state === "uploading";

async function sendScan(known, fetcher) {
  // Read again under the lock: a page may have uploaded or cancelled it.
  const scan = await store.get("scans", known.id);
  if (!scan || !waits(scan)) return;
  if (!scan.job) {
    const answer = await fetcher(`${V1}/scans`, {
      method: "POST",
      body: scanForm(scan, scan.photos.length),
      headers: { "idempotency-key": scan.id },
    });
    if (!answer.ok) return stopOrThrow(scan, answer);
    const { jobId, token } = await answer.json();
    scan.job = { id: jobId, token };
    await store.put("scans", scan);
  }
  for (const [i, id] of scan.photos.entries()) {
    const photo = await store.photo(id);
    if (!photo || photo.sent) continue;
    const answer = await fetcher(`${V1}/scans/${encodeURIComponent(scan.job.id)}/photos/${i + 1}`, {
      method: "PUT",
      body: photo.blob,
      headers: {
        "content-type": photo.blob.type || "application/octet-stream",
        authorization: `Bearer ${scan.job.token}`,
      },
    });
    if (!answer.ok) return stopOrThrow(scan, answer);
    await store.markSent(id, true);
  }
  await store.put("scans", { ...scan, state: "reading" });
}

/** Whether to retry later. If the server refused, the page shows why. */
function stopOrThrow(scan, answer) {
  if (answer.status === 429 || answer.status >= 500) {
    throw new Error(`The server answered ${answer.status} for ${scan.id}.`);
  }
}
