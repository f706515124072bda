// Shelves, their labels, and their photos.
import { V1 } from "../base.js";
import { ownAddress } from "../dom.js";
import { counted, entry } from "./first.js";
import { get, id, match, send, whole } from "./request.js";

/** Creates a shelf and, for a path, those around it. @param {string} name @param {string} [parent] */
export const createShelf = (name, parent) => send("POST", "/shelves", { name, parent }).then(counted);
/** Returns the shelf with the code of a label; undefined if there is none. @param {string} code */
export const shelfWithCode = (code) => get("/shelves", { query: { code } }).then((page) => page.items.map(counted)[0]);
/** Creates the shelf with the code of a label. @param {string} name or path @param {string} code */
export const createLabelled = (name, code) => send("POST", "/shelves", { name, code }).then(counted);
/** Returns the open questions about labels in the photos of a scan. */
export const labelQuestions = (scan) => whole("/label-questions", { scan });
/** Answers one. @param {{accept: boolean, name?: string}} answer */
export const answerLabel = (question, answer) => send("POST", `/label-questions/${id(question)}`, answer);
/** The address of a page that prints labels. @param {Record<string, string>} query */
export const labelPage = (query) => `${V1}/labels?${new URLSearchParams(query)}`;
export const shelf = (s) => get(`/shelves/${id(s)}`).then(counted);
export const changeShelf = (s, change, etag) => send("PATCH", `/shelves/${id(s)}`, change, match(etag)).then(counted);
/** Adds the shelves of a CSV file. @param {Blob} file */
export const importShelves = (file) =>
  send("POST", "/shelves/import", file, { headers: { "content-type": "text/csv" } });
export const deleteShelf = (s) => send("DELETE", `/shelves/${id(s)}`);
export const shelfPhotos = (s) =>
  whole(`/shelves/${id(s)}/photos`).then((list) => list.map((p) => ({ ...p, url: ownAddress(p.url) })));
/** Returns the books of a shelf in their order on its boards, and those that no photo shows. */
export async function shelfSpines(s) {
  const view = await get(`/shelves/${id(s)}/spines`);
  const spine = (one) => ({ ...one, entry: entry(one.entry), cropUrl: ownAddress(one.cropUrl) ?? null });
  return { ...view, boards: view.boards.map((board) => board.map(spine)), unseen: view.unseen.map(entry) };
}
/** Records that books are on a shelf although its latest photos do not show them. */
export const markFound = (s, ids) => send("POST", `/shelves/${id(s)}/found`, { ids });
/** Carries out a decision on a book of a shelf. @param {string} s @param {string} entry @param {string} action */
export const decideAudit = (s, entry, action) =>
  send("POST", `/shelves/${id(s)}/audit`, { decisions: [{ entry, action }] });
/**
 * Compares photos with the books of a shelf, whether their books were added or not.
 *
 * @param {string} s
 * @param {{jobId?: string, since?: string}} which photos: of a scan, or all of the shelf since a time
 */
export async function inventory(s, which) {
  const found = await send("POST", `/shelves/${id(s)}/inventory`, which);
  const groups = ["present", "new", "missing", "notShown", "lent", "moved"].map((
    name,
  ) => [name, found[name].map(entry)]);
  const notAdded = found.notAdded.map((b) => ({ ...b, cropUrl: ownAddress(b.cropUrl) ?? null }));
  return { ...found, ...Object.fromEntries(groups), notAdded };
}
/** Returns the latest completed scan of a shelf that the server still has. */
export const latestScan = (s) =>
  get("/scans", { query: { limit: 50 } }).then((page) =>
    page.items.find((job) => job.options.shelf === s && job.status === "completed")
  );
export const photo = (p) => get(`/photos/${id(p)}`).then((x) => ({ ...x, url: ownAddress(x.url) }));
export const photoImage = (p) => `${V1}/photos/${id(p)}/image`;
