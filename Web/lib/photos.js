// Prepares the user's photos for upload.

/** Formats that the browser can decode, and HEIC, which the server can decode. */
export const ACCEPT = "image/jpeg,image/png,image/webp,image/heic,image/heif";

let worker, jobs = 0;
const open = new Map();

const LONGEST = 3072, QUALITY = 0.86;

/**
 * Rotates upright and scales to at most 3,072 px on the longest side by default; in a worker where possible.
 *
 * @param {Blob | VideoFrame} file a photo, or the camera's frame, which is closed when it is done with
 * @returns {Promise<{blob: Blob, width: number, height: number, measured?: any}>} `measured`: see quality.js; missing
 *   where the browser cannot measure it off the main thread
 */
export async function prepare(file, { longest = LONGEST, quality = QUALITY } = {}) {
  if (file instanceof Blob && /heic|heif/.test(file.type)) {
    // Only some browsers decode it; it is uploaded unchanged.
    const size = await createImageBitmap(file).then((b) => ({ width: b.width, height: b.height }), () => null);
    if (!size) return { blob: file, width: 0, height: 0 };
  }
  if (typeof OffscreenCanvas === "undefined" || typeof Worker === "undefined") {
    return onThisThread(file, longest, quality);
  }
  worker ??= startWorker();
  const id = ++jobs;
  try {
    return await new Promise((resolve, reject) => {
      open.set(id, { resolve, reject, file, longest, quality });
      worker?.postMessage({ id, file, longest, quality });
    });
  } finally {
    if (!(file instanceof Blob)) file.close();
  }
}

function startWorker() {
  const fresh = new Worker(new URL("../workers/resize.js", import.meta.url), { type: "module" });
  fresh.onmessage = ({ data: { id, error, ...photo } }) => {
    const job = open.get(id);
    open.delete(id);
    if (!job) return;
    if (error) job.reject(new Error(error));
    else job.resolve(photo);
  };
  fresh.onerror = () => {
    worker = undefined;
    for (const [id, job] of open) {
      onThisThread(job.file, job.longest, job.quality).then(job.resolve, job.reject).finally(() => open.delete(id));
    }
  };
  return fresh;
}

async function onThisThread(file, longest, quality) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d", { alpha: false })?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return { blob: await toBlob(canvas, quality), width: canvas.width, height: canvas.height };
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export const toBlob = (canvas, quality = QUALITY) =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("canvas")), "image/jpeg", quality)
  );

/** Whether a file looks like a supported photo. */
const isPhoto = (file) =>
  ACCEPT.split(",").includes(file.type) || /\.(jpe?g|png|webp|heic|heif)$/i.test(file.name ?? "");

/** Returns the photos of a drop or a paste. @param {DataTransfer | null} transfer */
export const photosIn = (transfer) => [...(transfer?.files ?? [])].filter(isPhoto);
