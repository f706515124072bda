// Where books that are out of order belong on the photos of a shelf.
import { bounds, quadOf } from "../../lib/geometry.js";

/** The height at which an arrow ends, as a fraction of a spine from its top. */
const HIGH = 0.15;

/**
 * Returns where a book that is out of order belongs in a photo, in fractions; undefined if the photo does not show it.
 *
 * @param {any} photo with its detections
 * @param {any[]} board the spines from left to right
 * @param {any} spine with `outOfOrder`
 * @returns {number[] | undefined}
 */
export function placeIn(photo, board, { entry, outOfOrder }) {
  const shown = (id) => photo.detections.find((d) => d.entryId === id);
  // Before all others, which begin with the first one in order.
  const first = board.find((one) => !one.outOfOrder && one.state === "present")?.entry.id;
  const neighbour = shown(outOfOrder.belongsAfter ?? first);
  if (!neighbour || !shown(entry.id)) return undefined;
  const { x, y, width, height } = bounds(quadOf(neighbour));
  return [outOfOrder.belongsAfter ? x + width : x, y + height * HIGH];
}

/**
 * Returns the photo that shows a book and where it belongs, and that place; undefined if none is stored.
 *
 * @param {any[]} photos latest first
 * @param {any[][]} boards
 * @param {any} spine
 */
export function photoOfPlace(photos, boards, spine) {
  const board = boards.find((one) => one.includes(spine)) ?? [];
  for (const photo of photos) {
    const to = photo.url && placeIn(photo, board, spine);
    if (to) return { photo, to };
  }
}
