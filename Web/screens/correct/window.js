// The part of the photo that the editor of a box shows, in fractions of the photo. It stays inside of the photo.
import { bounds } from "../../lib/geometry.js";

const AROUND = 0.12; // part of the photo around the spine
const SMALLEST = 0.05;

/** @typedef {{x: number, y: number, width: number, height: number}} Window */

/** @param {number[][]} quad @returns {Window} */
export function startWindow(quad) {
  const { x, y, width, height } = bounds(quad);
  return inside({ x: x - AROUND, y: y - AROUND, width: width + 2 * AROUND, height: height + 2 * AROUND });
}

/** @param {Window} view @param {number} dx @param {number} dy @returns {Window} */
export const windowMoved = (view, dx, dy) => inside({ ...view, x: view.x + dx, y: view.y + dy });

/** Scales about the centre. @param {Window} view @param {number} by @returns {Window} */
export function windowScaled(view, by) {
  const width = view.width * by, height = view.height * by;
  return inside({ x: view.x + (view.width - width) / 2, y: view.y + (view.height - height) / 2, width, height });
}

function inside({ x, y, width, height }) {
  const w = Math.min(1, Math.max(SMALLEST, width)), high = Math.min(1, Math.max(SMALLEST, height));
  return { x: Math.max(0, Math.min(1 - w, x)), y: Math.max(0, Math.min(1 - high, y)), width: w, height: high };
}
