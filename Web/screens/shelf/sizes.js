// The sizes of the spines on a shelf's boards, from photos that may be taken from different distances.
import { bounds, contains, quadOf } from "../../lib/geometry.js";

/**
 * Returns by photo how much larger a book is in the latest photos than in this one, from the books that both show. A photo
 * without such books has 1.
 *
 * @param {any[]} photos with their detections
 * @returns {Map<string, number>}
 */
export function photoScales(photos) {
  const scales = new Map(), heights = new Map();
  for (const photo of [...photos].sort((a, b) => a.takenAt < b.takenAt ? 1 : a.takenAt > b.takenAt ? -1 : 0)) {
    const here = photo.detections.filter((d) => d.entryId)
      .map((d) => [d.entryId, bounds(quadOf(d)).height * photo.height]).filter(([, height]) => height > 0);
    const ratios = here.filter(([id]) => heights.has(id)).map(([id, height]) => heights.get(id) / height)
      .sort((a, b) => a - b);
    const scale = ratios.length ? ratios[ratios.length >> 1] : 1;
    scales.set(photo.id, scale);
    for (const [id, height] of here) if (!heights.has(id)) heights.set(id, height * scale);
  }
  return scales;
}

/** The share of a reading inside of larger spines above which it is a part of them. */
const INSIDE = 0.5;
/** Points along each side at which a spine is compared with others. */
const POINTS = 7;

/**
 * Returns whether a spine is a misread part of others: unsure, and inside of a larger one of its photo, or, as a row of
 * imprints, across several. A leaning spine is compared by its corners: its upright box would be inside of its neighbours.
 *
 * @param {any} spine @param {any[]} photos with their detections
 */
export function isInsideOthers({ entry, photoId }, photos) {
  if (entry.reviewStatus !== "needsReview") return false;
  const all = photos.find((photo) => photo.id === photoId)?.detections ?? [];
  const here = all.find((d) => d.entryId === entry.id);
  if (!here?.boundingBox) return false;
  const quad = quadOf(here), points = pointsIn(quad), isLying = lies(here.boundingBox);
  const larger = all.filter((d) => d.entryId && d.entryId !== entry.id && area(quadOf(d)) > area(quad));
  const shareIn = (others) =>
    points.filter((point) => others.some((d) => contains(quadOf(d), point))).length / points.length;
  const isAcross = (d) => lies(d.boundingBox) !== isLying;
  return larger.some((d) => shareIn([d]) > INSIDE) || shareIn(larger.filter(isAcross)) > INSIDE;
}

const lies = ({ width, height }) => width > height;

/** The area of a quadrilateral. */
const area = (quad) =>
  Math.abs(quad.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = quad[(i + 1) % quad.length];
    return sum + x * nextY - nextX * y;
  }, 0)) / 2;

/** Points spread evenly over a quadrilateral. @param {number[][]} quad */
function pointsIn([a, b, c, d]) {
  const between = (p, q, share) => [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share];
  const shares = Array.from({ length: POINTS }, (_, i) => (i + 0.5) / POINTS);
  return shares.flatMap((down) => shares.map((right) => between(between(a, d, down), between(b, c, down), right)));
}

/**
 * Returns the spines of a board with their sizes in CSS px, as columns: a standing spine is one, a stack of lying spines is
 * one from its top.
 *
 * @param {any[]} board
 * @param {(spine: any) => number} scaleOf px in the photo to CSS px
 * @param {any[]} photos with their detections
 * @returns {Array<Array<{spine: any, width: number, height: number, lies: boolean}>>}
 */
export function columns(board, scaleOf, photos) {
  const sized = board.map((spine) => {
    const scale = scaleOf(spine);
    return { spine, width: spine.width * scale, height: spine.height * scale, lies: spine.width > spine.height };
  });
  const boxes = photos.map((p) => new Map(p.detections.map((d) => [d.entryId, d.boundingBox])));
  /** @type {any[][]} */
  const found = [];
  for (const one of sized) {
    const stack = found.at(-1);
    if (one.lies && stack?.[0].lies && boxes.some((photo) => isOn(boxOf(photo, one), boxOf(photo, stack[0])))) {
      stack.push(one);
    } else found.push([one]);
  }
  return found.map((stack) => stack.length > 1 ? fromTop(stack, boxes) : stack);
}

const boxOf = (photo, { spine }) => photo.get(spine.entry.id);

/** Whether a box is above or below another one, by half of the narrower one. */
function isOn(a, b) {
  if (!a || !b) return false;
  const shared = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  return shared > Math.min(a.width, b.width) / 2;
}

/** Sorts a stack as the photo that shows most of it. */
function fromTop(stack, boxes) {
  const shown = (photo) => stack.filter((one) => boxOf(photo, one)).length;
  const best = boxes.reduce((a, b) => shown(b) > shown(a) ? b : a);
  const top = (one) => boxOf(best, one)?.y ?? 1;
  return stack.sort((a, b) => top(a) - top(b));
}
