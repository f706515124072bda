// Reads the ISBN of a barcode: with the browser's reader where it has one for books, else with zxing-cpp in a worker.
import { isbn13 } from "./isbn.js";

const FORMAT = "ean_13";
/** The longest side of the pictures that the worker reads, in px: a barcode at arm's length has 2 px a bar. */
const LONGEST = 1280;

/** @returns {Promise<any>} the browser's reader, or null */
async function ownReader() {
  const Detector = /** @type {any} */ (globalThis).BarcodeDetector;
  if (!Detector) return null;
  try {
    const formats = await Detector.getSupportedFormats?.() ?? [FORMAT];
    return formats.includes(FORMAT) ? new Detector({ formats: [FORMAT] }) : null;
  } catch {
    return null;
  }
}

export class BarcodeReader {
  #own = ownReader();
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<any>} */
  #turn = Promise.resolve();
  #canvas = document.createElement("canvas");

  /**
   * Returns the ISBN of a barcode in a picture or in the camera's frame, or null.
   *
   * @param {HTMLVideoElement | ImageBitmap} picture
   * @returns {Promise<string | null>} throws if barcodes cannot be read here
   */
  async read(picture) {
    const own = await this.#own;
    if (own) {
      const codes = await own.detect(picture);
      return codes.map((code) => isbn13(code.rawValue)).find(Boolean) ?? null;
    }
    return isbn13(await this.#ask(this.#pixels(picture)));
  }

  close() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #pixels(picture) {
    const { videoWidth: wide = picture.width, videoHeight: high = picture.height } = picture;
    const scale = Math.min(1, LONGEST / Math.max(wide, high, 1));
    const canvas = this.#canvas, width = Math.round(wide * scale) || 1, height = Math.round(high * scale) || 1;
    Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false });
    context?.drawImage(picture, 0, 0, width, height);
    return { rgba: context?.getImageData(0, 0, width, height).data, width, height };
  }

  /** The worker reads one picture at a time: a photo may be chosen while the camera is read. @returns {Promise<string>} */
  #ask(pixels) {
    const answer = this.#turn.then(() => this.#send(pixels));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** @returns {Promise<string>} */
  #send(pixels) {
    const worker = this.#worker ??= new Worker(new URL("../workers/barcode.js", import.meta.url), { type: "module" });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { digits, error } }) => error ? reject(new Error(error)) : resolve(digits);
      worker.onerror = () => reject(new Error("worker"));
      worker.postMessage(pixels, [pixels.rgba.buffer]);
    });
  }
}
