// The live overlay: the server detects spines in small frames of the viewfinder.
import * as api from "../../lib/api.js";
import { frameOf, hasFrame } from "../../lib/camera.js";
import { h } from "../../lib/dom.js";
import { prepare, toBlob } from "../../lib/photos.js";

const AT_MOST_EVERY = 330; // ms: three frames a second are enough
const PAUSE_AFTER_TROUBLE = 1500;
const READY_AHEAD = 150;
const LONGEST = 1024, QUALITY = 0.6; // about 90 KB

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class LiveOverlay {
  #looking = false;
  #wanted = () => false;

  /** @param {HTMLVideoElement} video @param {AbortSignal} signal */
  constructor(video, signal) {
    this.video = video;
    this.signal = signal;
    this.element = h("canvas.live-overlay", { "aria-hidden": "true" });
  }

  /**
   * Sends frames as fast as the server answers, while `wanted`. The next frame is prepared shortly before the answer is
   * expected: the server does not wait for it, and it is at most `READY_AHEAD` old.
   */
  async run(wanted) {
    this.#wanted = () => wanted() && !this.signal.aborted;
    if (this.#looking) return;
    this.#looking = true;
    let took = 0, next = null;
    while (this.#wanted()) {
      const began = performance.now();
      try {
        const frame = await (next ?? smallFrame(this.video));
        const answer = frame ? api.preview(frame, this.signal) : Promise.resolve({});
        next = Promise.race([answer.catch(() => {}), pause(took - READY_AHEAD)]).then(() => smallFrame(this.video));
        next.catch(() => {}); // reported when it is awaited
        const { spines = [] } = await answer;
        took = performance.now() - began;
        if (this.#wanted()) outline(this.element, this.video, spines);
        await pause(AT_MOST_EVERY - took);
      } catch (error) {
        // The server is busy or unavailable: the viewfinder works without outlines.
        this.clear();
        await pause(Math.max(PAUSE_AFTER_TROUBLE, error?.retryAfterMs ?? 0));
        next = null;
      }
    }
    this.#looking = false;
  }

  clear() {
    this.element.getContext("2d")?.clearRect(0, 0, this.element.width, this.element.height);
  }
}

/** Returns a small picture of the viewfinder; encoded in a worker where frames can be transferred. @param {HTMLVideoElement} video @returns {Promise<Blob | null>} */
async function smallFrame(video) {
  if (!hasFrame(video)) return null;
  const frame = frameOf(video);
  if (frame) return (await prepare(frame, { longest: LONGEST, quality: QUALITY })).blob;
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d", { alpha: false })?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return toBlob(canvas, QUALITY);
}

/** Draws quadrilaterals, in fractions of the frame, over a video with object-fit 'cover'. */
function outline(canvas, video, spines) {
  const dense = Math.min(2, devicePixelRatio || 1);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== width * dense) canvas.width = width * dense;
  if (canvas.height !== height * dense) canvas.height = height * dense;
  const context = canvas.getContext("2d");
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, width, height);
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight);
  const left = (width - video.videoWidth * scale) / 2, top = (height - video.videoHeight * scale) / 2;
  context.lineJoin = "round";
  for (
    const [colour, thick] of /** @type {Array<[string, number]>} */ ([["rgb(16 12 8 / 0.7)", 4], ["#fff9ee", 1.8]])
  ) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    for (const { quad } of spines) {
      context.beginPath();
      quad.forEach(([x, y], i) =>
        context[i ? "lineTo" : "moveTo"](left + x * video.videoWidth * scale, top + y * video.videoHeight * scale)
      );
      context.closePath();
      context.stroke();
    }
  }
  canvas.dataset.spines = String(spines.length);
}
