// The requests about stocktakes.
import { V1 } from "./base.js";
import { ownAddress } from "./dom.js";
import { request } from "./http.js";

const path = (stocktake) => `${V1}/stocktakes/${encodeURIComponent(stocktake)}`;

/** Returns all items of a list. */
async function whole(address, query = {}) {
  const items = [];
  let cursor;
  do {
    const page = await request("GET", address, { query: { limit: 500, ...query, cursor } });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

export const stocktakes = () => whole(`${V1}/stocktakes`);
/** Starts one; of everything without shelves, tags and copies. @param {any} wanted */
export const startStocktake = (wanted) => request("POST", `${V1}/stocktakes`, { body: wanted });
/** Returns one with its progress on each shelf. */
export const stocktake = (id) => request("GET", path(id));
/** Returns the first copies of a state, and how many there are. @returns {Promise<{items: any[], total: number}>} */
export const firstCopiesOf = (id, state, limit) => request("GET", `${path(id)}/copies`, { query: { state, limit } });
/** @param {{state?: string, shelf?: string}} [query] */
export const copiesOf = (id, query) => whole(`${path(id)}/copies`, query);
/** Returns the spines that are not recognised for sure, with the copies that each may be, which the server compares with all. */
export const spinesOf = (id) =>
  whole(`${path(id)}/spines`, { limit: 100 }).then((list) =>
    list.map((one) => ({ ...one, cropUrl: ownAddress(one.cropUrl) ?? null }))
  );
/** @param {{copies?: string[], barcode?: string, shelf?: string, detection?: string, seen?: boolean}} seen */
export const see = (id, seen) => request("POST", `${path(id)}/seen`, { body: seen });
export const closeStocktake = (id) => request("POST", `${path(id)}/close`);
export const removeStocktake = (id) => request("DELETE", path(id));
export const csvOf = (id) => `${path(id)}/report.csv`;
export const pageOf = (id, language) => `${path(id)}/report?language=${language}`;
