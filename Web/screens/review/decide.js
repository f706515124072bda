// Decisions on books of the queue. The queue and the form of one book share them.
import * as api from "../../lib/api.js";
import { vibrate } from "../../lib/haptics.js";
import { t } from "../../lib/i18n.js";
import { decide, keepDraft, takeBack } from "../../lib/review.js";
import { go } from "../../lib/router.js";
import { titleOf } from "../../elements/book.js";
import { findMatch } from "../../elements/match.js";
import { spineOf } from "../../elements/spine.js";
import { act } from "../../elements/undo.js";
import { hasTextOfOther } from "./form.js";

/** Decides on items at once, with one request. @param {any[]} list @param {() => Promise<any>} send @param {string} words */
export const decideOn = (list, send, words) => {
  const request = decide(list, send);
  return act(words, request, { isShown: true, restore: () => takeBack(list.length), changed: () => {} });
};

export function verify(item) {
  vibrate("yes");
  return decideOn([item], () => api.verify(item.id, item.etag), t("review.verified", { title: titleOf(item) }));
}

export const reject = (item) => decideOn([item], () => api.reject(item.id, item.etag), t("book.removed"));

export const applyMatch = (item, record) =>
  decideOn([item], () => api.applyMatch(item.id, record, item.etag), t("match.used", { title: record.title }));

/** A candidate has no id, so it is saved like a correction by hand. */
export function useCandidate(item, { title, author, isbn }) {
  const change = { title, authors: api.authorsFrom(author), ...(isbn ? { isbn } : {}) };
  return decideOn([item], () => api.correct(item.id, change, item.etag), t("match.used", { title }));
}

/**
 * Saves what was typed. After a refusal the form has it again. After an edit conflict the form opens, unless the user has
 * left the queue or types in another form.
 */
export async function correct(item, change) {
  let isConflict = false;
  const send = async () => {
    try {
      return await api.correct(item.id, change, item.etag);
    } catch (error) {
      keepDraft(item, change);
      isConflict = error.code === "edit_conflict";
      throw error;
    }
  };
  await decideOn([item], send, t("correct.saved", { title: change.title }));
  const isInQueue = location.hash.startsWith("#/review") && !document.querySelector("dialog[open]");
  if (isConflict && isInQueue && !hasTextOfOther(item)) go(`/review/${encodeURIComponent(item.id)}`);
}

/**
 * Confirms books of a list, and corrects those in which something was typed: one action, with one undo.
 *
 * @param {import("./right.js").Answer[]} answers
 */
export function confirmTyped(answers) {
  if (!answers.length) return undefined;
  const typed = answers.filter((answer) => answer.change), list = answers.map(({ item }) => item);
  const ids = answers.filter((answer) => !answer.change).map(({ item }) => item.id);
  const send = async () => {
    /** The latest first. @type {string[]} */ const undoTokens = [];
    const keep = ({ undoToken }) => undoToken && undoTokens.unshift(undoToken);
    try {
      if (ids.length) keep(await api.verifyAll({ ids }));
      for (const { item, change } of typed) keep(await api.correct(item.id, change, item.etag));
    } catch (error) {
      // What was typed and not sent is in the form of the book again.
      for (const { item, change } of typed.slice(undoTokens.length - (ids.length ? 1 : 0))) keepDraft(item, change);
      throw Object.assign(error, { undoTokens });
    }
    return { undoTokens };
  };
  return decideOn(list, send, t("review.verifiedMany", { n: list.length }));
}

/** Lets the user search for the record of a book. @param {any[]} [query] @returns {Promise<any>} undefined without one */
export const findMatchFor = (item, query) => findMatch(item, { query, spine: spineOf(item), shelf: item.shelf?.name });
