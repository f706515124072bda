// Books to review, and searches for what they lack.
import { V1 } from "../base.js";
import { ownAddress } from "../dom.js";
import { placed } from "./first.js";
import { record } from "./library.js";
import { get, id, match, pages, send, whole } from "./request.js";

/** The address of the picture of a spine in the library. */
export const detectionCrop = (detection) => `${V1}/detections/${id(detection)}/crop`;

/** Moving the box changes the picture under the same address, so the address gets the revision. */
const cropOf = (item) => {
  const address = ownAddress(item.cropUrl);
  if (address?.includes("?")) return address;
  const revision = [item.etag, ...Object.values(item.boundingBox ?? {})].join("-");
  return address ? `${address}?revision=${id(revision)}` : null;
};

const reviewItem = (item) => ({
  ...item,
  shelf: placed(item.shelf),
  checked: item.tier !== "notChecked",
  cropUrl: cropOf(item),
  etag: item.etag,
});

/** Returns the beginning of the queue, books to review first, lowest confidence first, and the counts. */
export async function reviewQueue() {
  const items = [];
  let counts;
  for await (const page of pages("/review", { limit: 200 })) {
    items.push(...page.items.map(reviewItem));
    counts = page.counts;
    if (items.length >= 2000) break;
  }
  return { items, counts };
}
/** Returns a page of the books that were changed without a decision, the latest change first. */
export async function automaticChanges(cursor) {
  const { items, nextCursor } = await get("/review/automatic", { query: { limit: 50, cursor } });
  return { items: items.map((c) => ({ ...c, cropUrl: ownAddress(c.cropUrl) ?? null })), nextCursor };
}
/** Marks a change and all earlier ones as seen. */
export const markChangesSeen = (through) => send("POST", "/review/automatic/seen", { through });
export const undoChange = (c) => send("POST", `/review/automatic/${id(c)}/undo`);
export const detection = (d) => get(`/detections/${id(d)}`).then(reviewItem);
export const verify = (d, etag) => send("POST", `/detections/${id(d)}/verify`, undefined, match(etag));
export const reject = (d, etag) => send("POST", `/detections/${id(d)}/reject`, undefined, match(etag));
export const correct = (d, change, etag) => send("POST", `/detections/${id(d)}/correct`, change, match(etag));
export const applyMatch = (d, r, etag) =>
  send("POST", `/detections/${id(d)}/match`, { record: record(r), confirm: true }, match(etag));
export const moveBox = (d, quad, etag) =>
  send("PUT", `/detections/${id(d)}/box`, { quad }, match(etag)).then(reviewItem);
/** Discards several items as one action. @param {string[]} ids */
export const rejectAll = (ids) => send("POST", "/review/reject-all", { ids });
/** Removes failed rows of lists. @param {string[]} ids */
export const dismissRows = (ids) => send("POST", "/review/dismiss", { ids });
/** Returns the spines on which a text was read, and other lines of photos. @param {string} text */
export const findSpines = (text) =>
  get("/find", { query: { q: text } }).then(({ spines = [], lines = [] }) => ({ spines, lines }));
/** Returns the texts of all spines and other lines, for searching without the server. */
export const spineWords = () => whole("/find/words");
/** The search for what is missing of books: the records and covers of all that lack one, or the details of some. */
export const incompleteSearch = () => get("/review/incomplete/find");
export const findIncomplete = () => send("POST", "/review/incomplete/find");
/** @param {string[]} ids of copies */
export const findDetails = (ids) => send("POST", "/review/incomplete/find", { ids });
export const stopFindIncomplete = () => send("DELETE", "/review/incomplete/find");
export const verifyAll = (body) => send("POST", "/review/verify-all", body);
