// The formats in which the library is exported.
import { exportAddress } from "./api.js";
import { h } from "./dom.js";

/** By the server's name, with the name that people know. @type {Array<[string, string]>} */
export const FORMATS = [
  ["csv", "CSV"],
  ["goodreads", "Goodreads"],
  ["json", "JSON"],
  ["bibtex", "BibTeX"],
  ["ris", "RIS"],
  ["csl", "CSL-JSON"],
  ["marcxml", "MARCXML"],
];

/** The number of chosen copies up to which their numbers fit into an address. */
export const MOST_CHOSEN = 1000;

/** Downloads copies of the library. @param {string} format @param {string[]} ids */
export function save(format, ids) {
  h("a", { href: exportAddress(format, ids), download: "" }).click();
}
