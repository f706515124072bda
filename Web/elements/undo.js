// The bar with the last action and Undo. Undo can be repeated: each one reveals the action before it.
import { announce, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { button, round, wordsFor } from "./ui.js";

const SHOWN_FOR = 12_000; // ms after the last interaction
const DEPTH = 50;
const SWIPED = 60; // px

/** Actions of this visit that can be undone, the latest last. @type {Array<{text: string, back: () => any}>} */
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

/** Shows what was done, until the next action or for 12 seconds. @param {() => any} [back] undoes it */
export function undoBar(text, back) {
  if (back) {
    done.push({ text, back });
    if (done.length > DEPTH) done.shift();
  }
  show(text, Boolean(back));
  announce(back ? `${text} ${t("common.undoHint")}` : text);
}

/** Hides the bar. The actions can still be undone with the key U. */
function dismissUndo() {
  clearTimeout(timer);
  bar?.remove();
  bar = null;
}

/** Undoes the latest action that was not undone yet. Returns whether there was one. */
export function undoLast() {
  const last = done.pop();
  if (last) undo(last);
  return Boolean(last);
}

async function undo({ back }) {
  dismissUndo();
  try {
    await back();
  } catch (error) {
    return undoBar(wordsFor(error));
  }
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
