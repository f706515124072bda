// Questions "Do I own it?" that need the server and could not reach it. They survive a reload, and are answered when it can
// be reached again.
import * as api from "./api.js";
import { Value } from "./state.js";
import * as store from "./store.js";

const KEY = "asked";
/** So many questions are kept; older ones are dropped. */
const MOST = 100;

/**
 * @typedef {object} Question
 * @property {string} isbn an ISBN-13
 * @property {{verdict: string, title?: string, author?: string}} [answer] the server's
 */

/** The questions, the latest first. @type {Value<Question[]>} */
export const asked = new Value([]);

/** Writes are in order, so that an older list never replaces a newer one. */
let writing = Promise.resolve();
/** @type {Promise<void> | undefined} */
let loading;

/** Loads the questions of an earlier visit, once. */
export const loadAsked = () => loading ??= read();

async function read() {
  const kept = await store.get("meta", KEY).catch(() => undefined);
  const isNew = (one) => !asked.get().some(({ isbn }) => isbn === one.isbn);
  if (kept) asked.update((list) => [...list, ...kept.filter(isNew)]);
}

/** Changes the list, and stores it. Without storage (private browsing) it lasts as long as the page. */
async function change(work) {
  await loadAsked();
  asked.update((list) => work(list).slice(0, MOST));
  const list = asked.get();
  writing = writing.then(() => list.length ? store.put("meta", list, KEY) : store.remove("meta", KEY)).catch(() => {});
  return writing;
}

/** Keeps a question for later; one that was asked before gets a new answer. @param {string} isbn an ISBN-13 */
export const keepQuestion = (isbn) => change((list) => [{ isbn }, ...list.filter((one) => one.isbn !== isbn)]);

/** @param {string} isbn */
export const dropQuestion = (isbn) => change((list) => list.filter((one) => one.isbn !== isbn));

/**
 * Asks the server what is not answered yet; what it does not answer stays for the next time.
 *
 * @param {AbortSignal} signal
 */
export async function answerQuestions(signal) {
  await loadAsked();
  for (const { isbn } of asked.get().filter((one) => !one.answer)) {
    let found;
    try {
      found = await api.own({ isbn }, signal);
    } catch {
      return; // The next time the connection is back.
    }
    const { title, author, authors } = found.record ?? found.copies[0] ?? {};
    const answer = { verdict: found.verdict, title, author: author ?? authors?.join(", ") };
    await change((list) => list.map((one) => one.isbn === isbn ? { isbn, answer } : one));
  }
}
