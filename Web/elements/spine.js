// The picture of one spine, cropped from its photo and rotated upright or horizontal.
import { h } from "../lib/dom.js";
import { cropTransform, directionOf, quadOf, spineSize, turnToRead } from "../lib/geometry.js";

/** Decoded pictures by URL. @type {Map<string, Promise<HTMLImageElement>>} */
const pictures = new Map();

/** @param {string} address */
function picture(address) {
  let promise = pictures.get(address);
  if (!promise) {
    promise = new Promise((resolve, reject) => {
      const image = new Image();
      image.decoding = "async";
      image.onload = () => resolve(image);
      image.onerror = () => {
        pictures.delete(address);
        reject(new Error("picture"));
      };
      image.src = address;
    });
    pictures.set(address, promise);
    if (pictures.size > 60) pictures.delete(pictures.keys().next().value ?? "");
  }
  return promise;
}

const seen = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen?.unobserve(entry.target);
    /** @type {any} */ (entry.target).drawSoon?.();
  }
}, { rootMargin: "300px" });

/** Returns the picture of a book's spine in a photo. @param {{url: string}} photo @param {any} book */
export const spineOn = (photo, book) => ({
  source: photo.url,
  quad: quadOf(book),
  direction: directionOf(book.text),
});

/** Returns the stored picture of a book's spine, or null if neither photo nor picture of the shelf is stored. */
export const spineOf = (book) => book.cropUrl ? { source: book.cropUrl, direction: directionOf(book.text) } : null;

/** A spine from left to right, as wide as its place; nothing without a picture. @param {any} picture as for `spine` */
export const spineStrip = (picture) => picture && h("div.spine-strip", null, spine(picture, { lie: true, long: 640 }));

/**
 * Returns a spine's crop as a canvas. It is decorative: the text beside it says the same.
 *
 * @param {{source: string, quad?: number[][] | null, rotate?: number, direction?: string}} spine `quad` in fractions
 *   of the picture; without it the picture is the spine's crop. `direction`: in which its text runs in the photo
 * @param {{lie?: boolean, long?: number, short?: number}} [options] `lie`: horizontal; `long`: the drawn length in CSS px; the thickness follows from the photo, at most `short`
 */
export function spine(spine, { lie = false, long = 200, short = Infinity } = {}) {
  const canvas = h("canvas.spine", { "aria-hidden": "true", class: lie ? "lies" : "stands" });
  // Its size until it is drawn, to avoid layout shifts.
  const thick = Number.isFinite(short) ? short : long / 6;
  canvas.style.setProperty("--w", `${lie ? long : thick}px`);
  canvas.style.setProperty("--h", `${lie ? thick : long}px`);
  canvas.drawSoon = async () => {
    let image;
    try {
      image = await picture(spine.source);
    } catch {
      canvas.classList.add("missing");
      canvas.dispatchEvent(new Event("missing"));
      return;
    }
    draw(canvas, image, spine, { lie, long, short });
    canvas.classList.add("drawn");
    canvas.dispatchEvent(new Event("drawn", { bubbles: true }));
  };
  if (seen) seen.observe(canvas);
  else canvas.drawSoon();
  return canvas;
}

/** @param {any} canvas @param {any} image @param {any} spine @param {any} options */
function draw(canvas, image, { quad, rotate = 0, direction }, { lie, long, short }) {
  const width = image.naturalWidth, height = image.naturalHeight;
  const unit = quad ?? [[0, 0], [1, 0], [1, 1], [0, 1]];
  let pixels = unit.map(([x, y]) => [x * width, y * height]);
  for (let i = 0; i < (((rotate / 90) % 4) + 4) % 4; i++) pixels = [pixels[3], pixels[0], pixels[1], pixels[2]];
  const size = spineSize(pixels, 1, 1);
  const turn = lie ? turnToRead(size.lying, rotate ? undefined : direction) : size.lying ? 90 : 0;
  const thick = Math.max(6, Math.min(short, long * size.short / Math.max(1, size.long)));
  const w = lie ? long : thick, h2 = lie ? thick : long;
  const dense = Math.min(2, globalThis.devicePixelRatio || 1);
  canvas.width = Math.round(w * dense);
  canvas.height = Math.round(h2 * dense);
  canvas.style.setProperty("aspect-ratio", `${w} / ${h2}`);
  canvas.style.setProperty("--w", `${w}px`);
  canvas.style.setProperty("--h", `${h2}px`);
  const context = canvas.getContext("2d", { alpha: false });
  context.imageSmoothingQuality = "high";
  context.setTransform(...cropTransform(pixels, canvas.width, canvas.height, turn));
  context.drawImage(image, 0, 0);
}
