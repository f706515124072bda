// Prepares photos and camera frames for upload, off the main thread: upright, at most `longest` px on the longest side,
// JPEG. Measures them with quality.js, like the viewfinder.
import { measure } from "../lib/quality.js";

const SAMPLE = 320; // px

self.onmessage = async ({ data: { id, file, longest, quality } }) => {
  try {
    self.postMessage({ id, ...(await shrink(file, longest, quality)) });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  }
};

async function shrink(file, longest, quality) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } finally {
    if (!(file instanceof Blob)) file.close();
  }
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const width = Math.round(bitmap.width * scale), height = Math.round(bitmap.height * scale);
  const measured = sample(bitmap);
  // A small JPEG is uploaded unchanged, at its own quality.
  if (scale === 1 && file.type === "image/jpeg" && file.size < 1_200_000) {
    bitmap.close();
    return { blob: file, width, height, measured };
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
  return { blob, width, height, measured };
}

/** @param {ImageBitmap} bitmap */
function sample(bitmap) {
  const scale = SAMPLE / Math.max(bitmap.width, bitmap.height);
  const width = Math.max(3, Math.round(bitmap.width * scale)), height = Math.max(3, Math.round(bitmap.height * scale));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height)
    .getContext("2d", { alpha: false, willReadFrequently: true }));
  context.drawImage(bitmap, 0, 0, width, height);
  return measure(context.getImageData(0, 0, width, height).data, width, height);
}
