// What the library asks when it opens. The other paths are in api.js, which is loaded behind it.
import { ownAddress } from "../dom.js";
import { get, PAGE, pages, whole } from "./request.js";

export const session = () => get("/session");

/** A book names its shelf with those around it. */
export const placed = (shelf) => shelf && { ...shelf, name: shelf.path ?? shelf.name };

/** Returns an entry with its shelf in flat fields. */
export const entry = (e) => ({
  ...e,
  coverUrl: ownAddress(e.coverUrl) ?? null,
  cropUrl: ownAddress(e.cropUrl) ?? null,
  shelfId: e.shelf?.id ?? null,
  shelfName: placed(e.shelf)?.name ?? null,
});

/** @param {(some: any[], total: number) => void} onSome */
export async function allBooks(onSome) {
  const list = [];
  for await (const page of pages("/library", { limit: PAGE, sort: "author" })) {
    list.push(...page.items.map(entry));
    if (page.nextCursor) onSome(list, page.total ?? list.length);
  }
  return list;
}

export const librarySize = () => get("/library", { query: { limit: 1 } }).then((p) => p.total ?? null);
/** Returns the twelve most common tags. */
export const tags = () =>
  whole("/tags").then((list) => list.sort((a, b) => b.count - a.count).slice(0, 12).map((c) => c.key));

export const counted = (s) => ({ ...s, count: s.entriesInside });
/** Returns the shelves, each before those inside it. */
export const shelfList = () => whole("/shelves").then((list) => list.map(counted));

export const reviewSummary = () => get("/review/counts").then((c) => ({ ...c, count: c.total }));
