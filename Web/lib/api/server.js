// Lists to import and export, the catalog, settings and statistics.
import { V1 } from "../base.js";
import { request } from "../http.js";
import { get, id, match, send } from "./request.js";

// ---- import and export

/** @param {File} file @param {string} [encoding] instead of the detected one */
export function importFile(file, encoding) {
  const form = new FormData();
  form.append("file", file, file.name || "books.csv");
  return send("POST", encoding ? `/imports?encoding=${encodeURIComponent(encoding)}` : "/imports", form);
}
export const importState = (i) => get(`/imports/${id(i)}`);
export const startImport = (i, how) => send("POST", `/imports/${id(i)}/start`, how);
export const stopImport = (i) => send("DELETE", `/imports/${id(i)}`);
/** @param {string} format @param {string[]} [ids] of copies; without them, the whole library */
export const exportAddress = (format, ids) => `${V1}/export?format=${format}${ids ? `&ids=${ids.join(",")}` : ""}`;
export const backupAddress = `${V1}/backup`;

// ---- catalog

export const catalog = () => get("/catalog");
/** Asks for the sizes of a download; the server of the dumps may be slow. */
export const downloadEstimate = ({ languages, isbn }) =>
  get("/catalog/download/estimate", { query: { languages: languages.join(","), isbn }, timeout: 90_000 });
/**
 * Starts a download, or resumes an earlier one with the same choice.
 *
 * @param {{languages?: string[], isbn?: boolean}} choice
 */
export const startDownload = ({ languages = [], isbn = false }) =>
  send("POST", "/catalog/download", { languages, isbn });
export const updateCatalog = () => send("POST", "/catalog/update");
export const cancelDownload = ({ keep = true } = {}) =>
  request("DELETE", `${V1}/catalog/download`, { query: { keep } });

// ---- settings and statistics

export const settings = () => get("/settings");
export const changeSettings = (change, etag) => send("PATCH", "/settings", change, match(etag));
export const thresholdPreview = (threshold) => get("/settings/threshold-preview", { query: { threshold } });
export const stats = () => get("/stats");
/** Returns what the copies on each shelf cost and are worth. */
export const libraryValue = () => get("/stats/value");
export const reviewStats = () => get("/stats/review");
export const about = () => get("/about");
/** Returns the address for a phone on this network, with its QR code; nulls if there is none. */
export const phone = () => get("/phone");
/** Opens the server to this network, or closes it, and returns the same. @param {boolean} on */
export const openToNetwork = (on) => send("PUT", "/network", { on });
