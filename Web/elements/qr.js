// A QR code as the server draws it.
import { h } from "../lib/dom.js";

/** @param {string | null} svg @param {string} alt @returns {any} nothing without a code */
export function qrCode(svg, alt) {
  if (!svg) return null;
  const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return h("img.qr", { src: source, alt, onload: () => URL.revokeObjectURL(source) });
}
