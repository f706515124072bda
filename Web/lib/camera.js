import { toBlob } from "./photos.js";
import { measure } from "./quality.js";

// The camera: asking, starting, torch and zoom where the device has them, and taking the picture.

/** Why there is no live camera, or null if it may be asked for. @returns {"insecure" | "missing" | null} */
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
    return "prompt"; // a browser that does not tell
  }
}

/**
 * Starts the camera that looks away from the user, as sharp as it can.
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
    // A camera that will not be told keeps its own focus.
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
 * The picture in the viewfinder, in the camera's full size: where frames can be handed over, the frame itself, so that
 * nothing is drawn or encoded on the thread that shows the camera.
 *
 * @param {HTMLVideoElement} video
 * @returns {Promise<Blob | VideoFrame>}
 */
export async function takePicture(video) {
  // A finger may be quicker than the camera's first frame.
  if (!video.videoWidth) await new Promise((resolve) => video.addEventListener("loadeddata", resolve, { once: true }));
  const frame = frameOf(video);
  if (frame) return frame;
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d", { alpha: false })?.drawImage(video, 0, 0);
  return toBlob(canvas, 0.92);
}

/** The video's frame of this moment, or null where the browser has none to give. @param {HTMLVideoElement} video */
export function frameOf(video) {
  if (!("VideoFrame" in globalThis) || !("OffscreenCanvas" in globalThis)) return null;
  try {
    return new VideoFrame(video);
  } catch {
    return null;
  }
}

/** Measures the viewfinder for the hints: in a worker where frames can be handed over, else here on a small canvas. */
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
   * @returns {Promise<ReturnType<typeof measure> | null>} null where there is no frame
   */
  async sample(video) {
    if (!video.videoWidth) return null;
    if (!this.#worker) return this.#here(video);
    const frame = frameOf(video);
    if (!frame) return this.#here(video);
    return await new Promise((resolve) => {
      this.#waiting = resolve;
      this.#worker?.postMessage(frame, [frame]);
      setTimeout(() => resolve(null), 2000);
    });
  }

  #here(video) {
    this.#canvas ??= document.createElement("canvas");
    const context = this.#canvas.getContext("2d", { willReadFrequently: true, alpha: false });
    const scale = 320 / Math.max(video.videoWidth, video.videoHeight);
    const width = Math.round(video.videoWidth * scale), height = Math.round(video.videoHeight * scale);
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    context.drawImage(video, 0, 0, width, height);
    return measure(context.getImageData(0, 0, width, height).data, width, height);
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
