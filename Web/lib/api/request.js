// Requests to the server's API, for the lists of its paths beside this file.
import { V1 } from "../base.js";
import { request } from "../http.js";

export const id = encodeURIComponent;
export const get = (path, options) => request("GET", V1 + path, options);
export const send = (method, path, body, options = {}) => request(method, V1 + path, { body, ...options });
/** @returns {Record<string, string>} */
export const bearer = (token) => token ? { authorization: `Bearer ${token}` } : {};
export const match = (etag) => etag ? { headers: { "if-match": etag } } : {};

/** Yields the pages of a list. */
export async function* pages(path, query) {
  let cursor;
  do {
    const page = await get(path, { query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor;
  } while (cursor);
}

export const PAGE = 500;

export async function whole(path, query) {
  const items = [];
  for await (const page of pages(path, { limit: PAGE, ...query })) items.push(...page.items);
  return items;
}
