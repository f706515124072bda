import { toBlob } from "./photos.js";
import { measure } from "./quality.js";

// The camera: permission, start, torch and zoom where available, and taking photos.

/** Returns why there is no live camera, or null. @returns {"insecure" | "missing" | null} */
export function unavailable() {
  if (!globalThis.isSecureContext) return "insecure";
  return "mediaDevices" in navigator ? null : "missing";
}

/** @returns {Promise<"granted" | "denied" | "prompt">} */
export async function permission() {
  try {
    const status = await navigator.permissions.query({ name: /** @type {any} */ ("camera") });
    return status.state;
  } catch {
    return "prompt"; // the browser cannot report it
  }
}

/**
 * Starts the rear camera at its highest resolution.
 *
 * @returns {Promise<{stream: MediaStream, track: MediaStreamTrack, torch: boolean, zoom: {min: number, max: number, step: number} | null}>}
 */
export async function startCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } },
  });
  const [track] = stream.getVideoTracks();
  const can = /** @type {any} */ (track.getCapabilities?.() ?? {});
  try {
    if (can.focusMode?.includes?.("continuous")) {
      await track.applyConstraints(/** @type {any} */ ({ advanced: [{ focusMode: "continuous" }] }));
    }
  } catch {
    // The camera may not support this; it then keeps its own focus.
  }
  return {
    stream,
    track,
    torch: Boolean(can.torch),
    zoom: can.zoom && can.zoom.max > can.zoom.min
      ? { min: can.zoom.min, max: Math.min(can.zoom.max, can.zoom.min * 8), step: can.zoom.step || 0.1 }
      : null,
  };
}

export const setTorch = (track, on) => track.applyConstraints({ advanced: [{ torch: on }] });
export const setZoom = (track, zoom) => track.applyConstraints({ advanced: [{ zoom }] });

/**
 * Returns whether the video has a frame. Its size is known earlier; what is drawn of it then is black.
 *
 * @param {HTMLVideoElement} video
 */
export const hasFrame = (video) => video.readyState >= 2; // HAVE_CURRENT_DATA

/**
 * Takes the picture in the viewfinder at full size. Returns the frame itself where it can be transferred, so that nothing
 * is drawn or encoded on the main thread.
 *
 * @param {HTMLVideoElement} video
 * @returns {Promise<Blob | VideoFrame>}
 */
export async function takePicture(video) {
  // The shutter may be pressed before the first frame.
  if (!hasFrame(video)) await new Promise((resolve) => video.addEventListener("loadeddata", resolve, { once: true }));
  const frame = frameOf(video);
  if (frame) return frame;
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d", { alpha: false })?.drawImage(video, 0, 0);
  return toBlob(canvas, 0.92);
}

/** Returns the video's current frame, or null if the browser does not support it. @param {HTMLVideoElement} video */
export function frameOf(video) {
  if (!("VideoFrame" in globalThis) || !("OffscreenCanvas" in globalThis)) return null;
  try {
    return new VideoFrame(video);
  } catch {
    return null;
  }
}

/** Measures the viewfinder for the hints: in a worker where frames can be transferred, else on a small canvas. */
export class Sampler {
  #worker;
  #waiting;
  #canvas;

  constructor() {
    if (!("VideoFrame" in globalThis) || !("OffscreenCanvas" in globalThis)) return;
    this.#worker = new Worker(new URL("../workers/hints.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#waiting?.(data);
    this.#worker.onerror = () => {
      this.#worker = undefined;
      this.#waiting?.(null);
    };
  }

  /**
   * @param {HTMLVideoElement} video
   * @returns {Promise<ReturnType<typeof measure> | null>} null without a frame
   */
  async sample(video) {
    if (!hasFrame(video)) return null;
    if (!this.#worker) return this.#measureOnCanvas(video);
    const frame = frameOf(video);
    if (!frame) return this.#measureOnCanvas(video);
    return await new Promise((resolve) => {
      this.#waiting = resolve;
      this.#worker?.postMessage(frame, [frame]);
      setTimeout(() => resolve(null), 2000);
    });
  }

  #measureOnCanvas(video) {
    this.#canvas ??= document.createElement("canvas");
    const context = this.#canvas.getContext("2d", { willReadFrequently: true, alpha: false });
    const scale = 320 / Math.max(video.videoWidth, video.videoHeight);
    const width = Math.round(video.videoWidth * scale), height = Math.round(video.videoHeight * scale);
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    context.drawImage(video, 0, 0, width, height);
    return measure(context.getImageData(0, 0, width, height).data, width, height);
  }

  /** Ends the worker when it has closed the frames that it was given. */
  stop() {
    this.#worker?.postMessage(null);
    this.#worker = undefined;
  }
}
