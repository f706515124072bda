// The bar with the last action and Undo. Undo can be repeated: each one reveals the action before it.
import * as api from "../lib/api.js";
import { announce, h } from "../lib/dom.js";
import { vibrate } from "../lib/haptics.js";
import { t } from "../lib/i18n.js";
import { refreshLibrary } from "../lib/library.js";
import { button, round, wordsFor } from "./ui.js";

const SHOWN_FOR = 12_000; // ms after the last interaction
const DEPTH = 50;
const SWIPED = 60; // px

/**
 * Actions of this visit that can be undone, the latest last. An action that several screens show has a key, else its
 * `back` is the key.
 *
 * @type {Array<{text: string, back: () => any, key: any}>}
 */
const done = [];
/** The bar that is shown. @type {any} */ let bar = null;
let timer = 0;

/**
 * The place of the bar in a screen with controls at the bottom: above them, in the flow, so that it covers nothing.
 * Create it once for each screen, before the first `await`.
 */
export const undoPlace = () => h("div.undo-place");

/** Moves the bar to the screen that is shown now. */
export function placeUndo() {
  const place = document.querySelector("main .undo-place") ?? document.body;
  if (bar && bar.parentElement !== place) place.append(bar);
}

/**
 * Shows what was done, until the next action or for 12 seconds.
 *
 * @param {string} text
 * @param {() => any} [back] undoes it
 * @param {any} [key] see `done`
 */
export function undoBar(text, back, key = back) {
  if (back) {
    done.push({ text, back, key });
    if (done.length > DEPTH) done.shift();
  }
  show(text, Boolean(back));
  announce(back ? `${text} ${t("common.undoHint")}` : text);
}

/**
 * Says what a request does, and offers to undo it. If the server refuses it, the bar says why, and offers to undo the
 * `undoTokens` of the error: the parts that were done.
 *
 * @param {string | ((answer: any) => string)} words
 * @param {any} request promises an answer with `undoToken` or `undoTokens`, the latest first
 * @param {object} [options]
 * @param {boolean} [options.isShown] whether the screen shows the outcome already: then the bar does not wait either
 * @param {() => any} [options.restore] shows again what was before: after a refusal, and after Undo
 * @param {() => any} [options.changed] runs after the request and after Undo, when the server's library has changed
 * @param {() => Promise<any>} [options.opposite] undoes what the server has no token for
 * @returns {Promise<any>} the answer, or undefined if the server refused
 */
export async function act(words, request, { isShown, restore, changed = refreshLibrary, opposite } = {}) {
  const tokensOf = (answer) => (answer?.undoTokens ?? [answer?.undoToken]).filter(Boolean);
  /** The tokens that are not used yet. @type {string[] | undefined} */ let left;
  const back = async () => {
    const tokens = left ??= tokensOf(await request);
    await (tokens.length || !opposite ? api.undo(tokens) : opposite());
    await restore?.();
    changed();
  };
  if (isShown) undoBar(/** @type {string} */ (words), back);
  let answer;
  try {
    answer = await request ?? {};
  } catch (error) {
    forget(back);
    vibrate("refused");
    const reason = error.code === "edit_conflict" ? t("error.conflict") : wordsFor(error);
    left = error.undoTokens;
    if (left?.length) {
      undoBar(t("common.partlyDone", { reason }), back);
      changed();
    } else undoBar(reason);
    return void await restore?.();
  }
  const isUndoable = tokensOf(answer).length || opposite;
  if (!isShown) undoBar(typeof words === "function" ? words(answer) : words, isUndoable ? back : undefined);
  changed();
  return answer;
}

/** Drops an action that was not done, or is undone already. */
function forget(key) {
  const at = done.findIndex((action) => action.key === key);
  if (at >= 0) done.splice(at, 1);
}

/** Hides the bar. The actions can still be undone with the key U. */
function dismissUndo() {
  clearTimeout(timer);
  bar?.remove();
  bar = null;
}

/** Undoes the latest action that was not undone yet. */
export function undoLast() {
  if (done.length) inTurn(() => done.at(-1));
}

/** Undoes an action, and says so. @param {() => any} back @param {any} key see `done` */
export const undoNow = (back, key) => inTurn(() => ({ back, key }));

/** Lets the screen that is shown now undo an action that an earlier one offered to undo. */
export function renewUndo(back, key) {
  const action = done.find((action) => action.key === key);
  if (action) action.back = back;
}

/** Ends when nothing is being undone. */
let turn = Promise.resolve();

/** Undoes one action at a time: the server refuses an undo while a later action has changed the same books. */
function inTurn(next) {
  dismissUndo();
  turn = turn.then(() => undo(next()));
}

/** @param {{back: () => any, key: any} | undefined} action */
async function undo(action) {
  if (!action) return;
  const { back, key } = action;
  dismissUndo();
  try {
    await back();
  } catch (error) {
    const words = wordsFor(error), mayRetry = error.offline && done.at(-1)?.key === key;
    if (!mayRetry) forget(key);
    show(words, mayRetry);
    return announce(mayRetry ? `${words} ${t("common.undoHint")}` : words);
  }
  forget(key);
  const before = done.at(-1);
  if (!bar) show(before ? t("common.undoneBefore", { text: before.text }) : t("common.undone"), Boolean(before));
  announce(t("common.undone"));
}

function show(text, isUndoable) {
  dismissUndo();
  const fresh = bar = h(
    "div.undo",
    { role: "region", "aria-label": t("common.lastAction") },
    h("span", null, text),
    isUndoable && button(t("common.undo"), { onclick: () => undoLast() }),
    round("close", t("common.dismiss"), { class: "bare", onclick: dismissUndo }),
  );
  swipeAway(fresh);
  placeUndo();
  const leave = () => {
    clearTimeout(timer);
    timer = setTimeout(() => fresh.matches(":hover, :focus-within") ? leave() : dismissUndo(), SHOWN_FOR);
  };
  leave();
}

function swipeAway(element) {
  let from = null;
  element.addEventListener("pointerdown", (e) => (from = e.pointerType === "mouse" ? null : e.clientX));
  element.addEventListener("pointermove", (e) => {
    if (from === null) return;
    const moved = e.clientX - from;
    if (Math.abs(moved) > 10 && !element.hasPointerCapture(e.pointerId)) element.setPointerCapture(e.pointerId);
    element.style.setProperty("transform", `translateX(${moved}px)`);
  });
  const end = (e) => {
    if (from === null) return;
    const moved = e.clientX - from;
    from = null;
    element.style.removeProperty("transform");
    if (e.type === "pointerup" && Math.abs(moved) > SWIPED) dismissUndo();
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
