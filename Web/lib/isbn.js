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

/**
 * Returns the ISBN-13 of a text, or null if it is not an ISBN. The two or five digits of a barcode's add-on may follow.
 *
 * @param {string} text
 */
export function isbn13(text) {
  const code = bareIsbn(text);
  if (/^\d{9}[\dX]$/.test(code)) return validIsbn(code) ? withCheckDigit("978" + code.slice(0, 9)) : null;
  const first = code.slice(0, 13);
  return /^97[89]\d{10}(\d\d|\d{5})?$/.test(code) && validIsbn(first) ? first : null;
}

const withCheckDigit = (twelve) => {
  const sum = [...twelve].reduce((sum, d, i) => sum + Number(d) * (i % 2 ? 3 : 1), 0);
  return twelve + (10 - sum % 10) % 10;
};
