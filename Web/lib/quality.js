// Measures a small grey frame (about 320 × 240) for live hints; fast enough for ten a second on a slow phone.

/**
 * Measures a frame.
 *
 * @param {Uint8ClampedArray} rgba
 * @param {number} width
 * @param {number} height
 * @returns {{sharpness: number, light: number, glare: number, tilt: number | null}}
 *   sharpness: 90th percentile of the Laplacian's magnitude, 0...255; light: mean luma, 0...1;
 *   glare: share of blown-out pixels, 0...1; tilt: degrees of the strongest near-vertical edges, or null
 */
export function measure(rgba, width, height) {
  const grey = new Uint8Array(width * height);
  let sum = 0, blown = 0;
  for (let i = 0, p = 0; i < grey.length; i++, p += 4) {
    const value = (rgba[p] * 77 + rgba[p + 1] * 150 + rgba[p + 2] * 29) >> 8;
    grey[i] = value;
    sum += value;
    if (value > 250) blown++;
  }
  const histogram = new Uint32Array(256);
  const angles = new Float32Array(61);
  let counted = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const left = grey[i - 1], right = grey[i + 1], up = grey[i - width], down = grey[i + width];
      const laplacian = Math.abs(4 * grey[i] - left - right - up - down);
      histogram[laplacian > 255 ? 255 : laplacian]++;
      counted++;
      const gx = right - left, gy = down - up;
      // Spines have near-vertical edges: strong horizontally, weak vertically.
      if (Math.abs(gx) > 48 && Math.abs(gx) > 3 * Math.abs(gy)) {
        const degrees = Math.atan2(gy, gx) * 180 / Math.PI;
        const folded = degrees > 90 ? degrees - 180 : degrees < -90 ? degrees + 180 : degrees;
        angles[Math.round(folded * 2) + 30] += Math.abs(gx);
      }
    }
  }
  return {
    sharpness: percentile(histogram, counted, 0.97),
    light: sum / grey.length / 255,
    glare: blown / grey.length,
    tilt: weightedAngle(angles),
  };
}

function percentile(histogram, total, share) {
  let left = total * (1 - share);
  for (let value = 255; value >= 0; value--) {
    left -= histogram[value];
    if (left <= 0) return value;
  }
  return 0;
}

function weightedAngle(angles) {
  let weight = 0, sum = 0;
  angles.forEach((value, i) => {
    weight += value;
    sum += value * (i - 30) / 2;
  });
  return weight > 4000 ? sum / weight : null;
}

/**
 * Returns the hints for a measurement, the most important first.
 *
 * @param {{sharpness: number, light: number, glare: number, tilt: number | null}} m
 * @param {number | null} [level] the device's own roll in degrees, if it reports
 */
export function hints(m, level = null) {
  const roll = level ?? m.tilt;
  const state = {
    sharp: m.sharpness >= 26,
    light: m.light >= 0.14 && m.glare < 0.06,
    level: roll === null || Math.abs(roll) <= 4,
  };
  const list = [];
  if (m.light < 0.14) list.push("dark");
  else if (m.glare >= 0.06) list.push("glare");
  if (!state.sharp && m.light >= 0.14) list.push("blur");
  if (roll !== null && !state.level) list.push(roll > 0 ? "tiltRight" : "tiltLeft");
  return { ...state, list };
}
