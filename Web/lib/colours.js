// Colours of a cover, from the pixels of a spine.

/** @typedef {[number, number, number]} Colour red, green and blue, 0 to 255 */

/** @type {Colour} */ const LIGHT = [255, 250, 240];
/** @type {Colour} */ const DARK = [27, 23, 18];
/** The lowest contrast of text on a cover. */
const READABLE = 4.5;

/** Returns the contrast of two colours as WCAG defines it, 1 to 21. @param {Colour} a @param {Colour} b */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const luminance = (colour) => {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/**
 * Returns the colours of a cover that suits a spine: its most common colour as the ground, a text colour that is
 * readable on it, and the spine's most common colour that stands out from the ground.
 *
 * @param {Uint8ClampedArray | number[]} pixels RGBA
 * @returns {{ground: Colour, ink: Colour, mark: Colour}}
 */
export function coverColours(pixels) {
  const found = commonColours(pixels);
  const [most] = found;
  const ink = contrast(most, LIGHT) >= contrast(most, DARK) ? LIGHT : DARK;
  const away = /** @type {Colour} */ (ink === LIGHT ? [0, 0, 0] : [255, 255, 255]);
  let ground = most;
  while (contrast(ground, ink) < READABLE) ground = mixed(ground, away, 0.08);
  return { ground, ink, mark: found.find((colour) => contrast(colour, ground) >= 1.6) ?? ink };
}

/** The colours that cover at least 3% of the pixels, the most common first; at least one. @returns {Colour[]} */
function commonColours(pixels) {
  /** @type {Map<number, number[]>} The number of pixels and the sums of their channels, by the top 3 bits of each. */
  const bins = new Map();
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
    const key = (r >> 5) << 6 | (g >> 5) << 3 | b >> 5;
    const bin = bins.get(key) ?? [0, 0, 0, 0];
    bins.set(key, [bin[0] + 1, bin[1] + r, bin[2] + g, bin[3] + b]);
  }
  const least = pixels.length / 4 * 0.03;
  const sorted = [...bins.values()].sort((a, b) => b[0] - a[0]);
  return sorted.filter((bin, i) => i === 0 || bin[0] >= least).map(([n, r, g, b]) => [r / n, g / n, b / n]);
}

/** @param {Colour} a @param {Colour} b @param {number} share of `b` @returns {Colour} */
const mixed = (a, b, share) => /** @type {Colour} */ (a.map((value, i) => value + (b[i] - value) * share));

/** @param {Colour} colour */
export const css = (colour) => `rgb(${colour.map(Math.round).join(" ")})`;
