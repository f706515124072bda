// This browser's copy of the texts of spines and other lines in photos, to search them without the server.
import * as api from "./api.js";
import { findTexts } from "./search.js";
import * as store from "./store.js";

/** The server is asked for all texts at most once in this time, in ms. */
const EVERY = 60_000;
const KEY = "words";
let fetchedAt = -Infinity;

/** Fetches the texts, for when there is no connection. */
export async function keepWords() {
  if (performance.now() - fetchedAt < EVERY) return;
  fetchedAt = performance.now();
  try {
    await store.put("meta", await api.spineWords(), KEY);
  } catch {
    // The copy before is kept.
    fetchedAt = -Infinity;
  }
}

/** Returns the stored texts that match, best first. @param {string} text @param {number} [limit] */
export async function findWords(text, limit = 20) {
  const kept = await store.get("meta", KEY).catch(() => undefined);
  return findTexts(kept ?? [], text, limit);
}
