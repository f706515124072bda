// ISBNs as people type and scan them.

/** An ISBN without its spaces and hyphens. @param {string} text */
export const bareIsbn = (text) => text.replace(/[\s-]/g, "").toUpperCase();

/** Whether an ISBN's check digit is right. */
export function validIsbn(text) {
  if (/^\d{13}$/.test(text)) return [...text].reduce((sum, d, i) => sum + Number(d) * (i % 2 ? 3 : 1), 0) % 10 === 0;
  if (/^\d{9}[\dX]$/.test(text)) {
    return [...text].reduce((sum, d, i) => sum + (d === "X" ? 10 : Number(d)) * (10 - i), 0) % 11 === 0;
  }
  return false;
}
