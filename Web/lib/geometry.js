// Quadrilaterals in fractions of the photo (origin top left), and the zoomable view of a photo.

/** Returns the corners of a book: its quad, or its bounding box. @returns {number[][]} */
export function quadOf(book) {
  if (Array.isArray(book?.quad) && book.quad.length === 4) return book.quad;
  const box = book?.boundingBox;
  if (!box) return [[0, 0], [0, 0], [0, 0], [0, 0]];
  const { x, y, width, height } = box;
  return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
}

export function centre(quad) {
  return [quad.reduce((sum, p) => sum + p[0], 0) / quad.length, quad.reduce((sum, p) => sum + p[1], 0) / quad.length];
}

/**
 * Returns an arrow from one point to another as path data: an arc above both, with a head of `size`.
 *
 * @param {number[]} from @param {number[]} to @param {number} size
 */
export function arrow([x, y], [toX, toY], size) {
  const top = Math.min(y, toY) - Math.max(size * 2, Math.abs(toX - x) / 4);
  const middle = (x + toX) / 2;
  // The arc ends in the direction from its control point.
  const length = Math.hypot(toX - middle, toY - top) || 1;
  const [dx, dy] = [(toX - middle) / length * size, (toY - top) / length * size];
  const corner = (side) => [toX - dx - side * dy * 0.7, toY - dy + side * dx * 0.7];
  const path = (points) => points.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join(" ");
  return `M${path([[x, y]])}Q${path([[middle, top], [toX, toY]])}M${path([corner(1)])}L${path([[toX, toY]])}L${
    path([corner(-1)])
  }`;
}

export function bounds(quad) {
  const xs = quad.map((p) => p[0]), ys = quad.map((p) => p[1]);
  const x = Math.min(...xs), y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** @param {number[][]} quad @param {number[]} point */
export function contains(quad, [x, y]) {
  let inside = false;
  for (let i = 0, j = quad.length - 1; i < quad.length; j = i++) {
    const [xi, yi] = quad[i], [xj, yj] = quad[j];
    if ((yi > y) !== (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/**
 * Returns the quad at a tap: one that contains the point, else the nearest within `reach`, which provides a 44 px
 * target for narrow spines. If several qualify, the one with the nearest centre.
 *
 * @param {number[][][]} quads in the same unit as the point
 * @param {number[]} point
 * @param {number} reach half a touch target
 * @returns {number} index, or -1
 */
export function hit(quads, point, reach) {
  let best = -1, bestScore = Infinity;
  quads.forEach((quad, i) => {
    const inside = contains(quad, point);
    const away = inside ? 0 : edgeDistance(quad, point);
    if (away > reach) return;
    // Only the distance across the long axis counts.
    const score = (inside ? 0 : 1e4) + across(quad, point);
    if (score < bestScore) [best, bestScore] = [i, score];
  });
  return best;
}

/** @param {number[][]} quad @param {number[]} point */
function across(quad, [x, y]) {
  const [a, b, c, d] = quad;
  const wide = length(a, b) + length(d, c), high = length(a, d) + length(b, c);
  const [p, q] = wide > high ? [mid(a, d), mid(b, c)] : [mid(a, b), mid(d, c)];
  return segmentDistance([x, y], p, q);
}

const mid = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
const length = (p, q) => Math.hypot(q[0] - p[0], q[1] - p[1]);

function edgeDistance(quad, point) {
  return Math.min(...quad.map((p, i) => segmentDistance(point, p, quad[(i + 1) % quad.length])));
}

/** @param {number[]} point @param {number[]} from @param {number[]} to */
function segmentDistance([x, y], [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
  const along = squared ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared)) : 0;
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/**
 * Returns the size of a spine in pixels, long and short side, and whether it is horizontal.
 *
 * @param {number[][]} quad unit quad
 * @param {number} width photo width in pixels
 * @param {number} height
 */
export function spineSize(quad, width, height) {
  const [a, b, c, d] = quad.map(([x, y]) => [x * width, y * height]);
  const across = (length(a, b) + length(d, c)) / 2, down = (length(a, d) + length(b, c)) / 2;
  return { across, down, lying: across > down, long: Math.max(across, down), short: Math.min(across, down) };
}

/**
 * Returns the affine map from a quad's parallelogram to a rectangle: `[a, b, c, d, e, f]`, as for canvas.
 *
 * @param {number[][]} quad in source pixels
 * @param {number} width of the target
 * @param {number} height
 * @param {0 | 90 | -90 | 180} turn how the crop is turned: -90 lets a standing spine lie with its top at the left
 */
export function cropTransform(quad, width, height, turn = 0) {
  let [a, b, c, d] = quad;
  if (turn === 180) [a, b, c, d] = [c, d, a, b];
  if (turn === -90) [a, b, c, d] = [b, c, d, a]; // top right moves to the top left
  if (turn === 90) [a, b, c, d] = [d, a, b, c];
  // Uses the middle lines, which distributes the error of a skewed quad to both sides.
  const u = [(b[0] - a[0] + c[0] - d[0]) / 2, (b[1] - a[1] + c[1] - d[1]) / 2];
  const v = [(d[0] - a[0] + c[0] - b[0]) / 2, (d[1] - a[1] + c[1] - b[1]) / 2];
  const m = centre([a, b, c, d]);
  const o = [m[0] - (u[0] + v[0]) / 2, m[1] - (u[1] + v[1]) / 2];
  const det = u[0] * v[1] - u[1] * v[0];
  if (!det) return [1, 0, 0, 1, 0, 0];
  const xx = v[1] / det * width, xy = -v[0] / det * width;
  const yx = -u[1] / det * height, yy = u[0] / det * height;
  return [xx, yx, xy, yy, -(xx * o[0] + xy * o[1]), -(yx * o[0] + yy * o[1])];
}

/** Clamps a view: the photo covers the stage if it is large enough, else it is centred. */
export function clampView(view, stage, photo, { min = 0.1, max = 12 } = {}) {
  const scale = Math.min(max, Math.max(min, view.scale));
  const w = photo.width * scale, hgt = photo.height * scale;
  const place = (at, size, room, from, to) =>
    size <= room ? from + (room - size) / 2 : Math.min(from, Math.max(to - size, at));
  const left = stage.left ?? 0, top = stage.top ?? 0;
  return {
    scale,
    x: place(view.x, w, stage.width, left, left + stage.width),
    y: place(view.y, hgt, stage.height, top, top + stage.height),
  };
}

/** Returns the view that shows the whole photo. */
export function fitView(stage, photo) {
  const scale = Math.min(stage.width / photo.width, stage.height / photo.height);
  return clampView({ x: 0, y: 0, scale }, stage, photo, { min: scale, max: Math.max(scale, 12) });
}

/** Returns a view zoomed by a factor about a point of the stage. */
/** @param {{x: number, y: number, scale: number}} view @param {number} factor @param {number[]} point @param {number} min @param {number} max */
export function zoomAbout(view, factor, [px, py], min, max) {
  const scale = Math.min(max, Math.max(min, view.scale * factor));
  const real = scale / view.scale;
  return { scale, x: px - (px - view.x) * real, y: py - (py - view.y) * real };
}

/** Returns the view with a quad in the middle, large enough to see. */
export function viewOn(quad, stage, photo, { min, max, fill = 0.72 }) {
  const box = bounds(quad);
  const scale = Math.min(
    max,
    Math.max(
      min,
      Math.min(
        stage.width * fill / Math.max(1, box.width * photo.width),
        stage.height * fill / Math.max(1, box.height * photo.height),
      ),
    ),
  );
  const [cx, cy] = centre(quad);
  return clampView(
    {
      scale,
      x: (stage.left ?? 0) + stage.width / 2 - cx * photo.width * scale,
      y: (stage.top ?? 0) + stage.height / 2 - cy * photo.height * scale,
    },
    stage,
    photo,
    { min, max },
  );
}

/** Sorts books in reading order: row by row, left to right; a stack from the top. */
export function shelfOrder(books) {
  const items = books.map((book) => ({ book, box: bounds(quadOf(book)), at: centre(quadOf(book)) }));
  // The tallest books define a row; whatever is beside them at any height belongs to it.
  items.sort((a, b) => b.box.height - a.box.height);
  const rows = [];
  for (const item of items) {
    const row = rows.find((r) => item.at[1] > r.top && item.at[1] < r.bottom);
    if (row) row.items.push(item);
    else rows.push({ top: item.box.y, bottom: item.box.y + item.box.height, items: [item] });
  }
  rows.sort((a, b) => a.top - b.top);
  return rows.flatMap((row) => columns(row.items)).map((item) => item.book);
}

/**
 * Returns the place of a spine in its photo: "4th from the top" of a stack, "3rd from the left" of a row.
 *
 * @param {any[]} all with `quad` or `boundingBox`
 * @param {any} one of them
 * @returns {{n: number, from: "top" | "left"}}
 */
export function placeAmong(all, one) {
  const mine = bounds(quadOf(one)), lies = (b) => b.width > b.height;
  const boxes = all.map((x) => bounds(quadOf(x)));
  if (lies(mine)) {
    const pile = boxes.filter((b) => lies(b) && overlap({ x: mine.x, x2: mine.x + mine.width }, b) > 0.5);
    return { from: "top", n: 1 + pile.filter((b) => b.y < mine.y - 1e-6).length };
  }
  const row = boxes.filter((b) =>
    !lies(b) && b.y < mine.y + mine.height / 2 && b.y + b.height > mine.y + mine.height / 2
  );
  return { from: "left", n: 1 + row.filter((b) => b.x < mine.x - 1e-6).length };
}

function columns(items) {
  // A stack counts as one column at its left edge, read from the top.
  const groups = [];
  for (const item of [...items].sort((a, b) => a.box.x - b.box.x)) {
    const pile = groups.find((g) => g.pile && item.box.width > item.box.height && overlap(g, item.box) > 0.5);
    if (pile) {
      pile.items.push(item);
      pile.x2 = Math.max(pile.x2, item.box.x + item.box.width);
    } else {groups.push({
        x: item.box.x,
        x2: item.box.x + item.box.width,
        pile: item.box.width > item.box.height,
        items: [item],
      });}
  }
  return groups.flatMap((g) => g.items.sort((a, b) => a.at[1] - b.at[1]));
}

const overlap = (g, box) => (Math.min(g.x2, box.x + box.width) - Math.max(g.x, box.x)) / box.width;

const CLOSEST = 2.5; // times the scale at which the photo fills the stage

/**
 * Returns the view that opens on a part of the photo: as high as the stage where that shows at least half of its width.
 *
 * @param {number[][]} area points in fractions of the photo
 * @param {{left: number, top: number, width: number, height: number}} stage
 * @param {{width: number, height: number}} photo
 * @param {number} fill the scale at which the photo fills the stage
 */
export function areaView(area, stage, photo, fill) {
  const box = bounds(area);
  const width = Math.max(1, box.width * photo.width), height = Math.max(1, box.height * photo.height);
  const wanted = Math.min(stage.height / height, 2 * stage.width / width);
  const scale = Math.max(fill, Math.min(CLOSEST * fill, wanted));
  const x = stage.left + stage.width / 2 - (box.x + box.width / 2) * photo.width * scale;
  const y = stage.top + stage.height / 2 - (box.y + box.height / 2) * photo.height * scale;
  return clampView({ x, y, scale }, stage, photo, { min: 0, max: scale });
}

/**
 * Returns the direction in which most letters of a spine run in its photo; undefined if it is not known.
 *
 * @param {Array<{text: string, score: number, direction?: string}>} [lines]
 */
export function directionOf(lines = []) {
  const letters = new Map();
  for (const { text, score, direction } of lines) {
    if (direction) letters.set(direction, (letters.get(direction) ?? 0) + text.length * score);
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Returns the turn in degrees after which a spine can be read from left to right, lying.
 *
 * @param {boolean} lying whether it lies in the photo
 * @param {string} [direction] of its text in the photo; most spines run from top to bottom
 * @returns {0 | 90 | -90 | 180}
 */
export const turnToRead = (lying, direction) =>
  lying ? direction === "upsideDown" ? 180 : 0 : direction === "bottomToTop" ? 90 : -90;
