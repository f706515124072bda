// Where a person was on each screen: Back returns there, also where the screen is filled only later.
import { rememberedHere, rememberHere } from "./memory.js";

/** How long the position is held while a screen fills, in ms. */
const FILLS = 2000;
/** The person moves, which ends holding a position. */
const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"];

/** The entry of the history that is shown. @type {number} */
let entry = 0;
let stop = new AbortController();

/** Starts to note the positions. */
export function noteScroll() {
  history.scrollRestoration = "manual";
  addEventListener("scroll", () => rememberHere(`scroll-${entry}`, String(Math.round(scrollY))), { passive: true });
}

/** Shows the screen of the current entry of the history from its top, or from where it was left. */
export function enterScreen() {
  stop.abort();
  stop = new AbortController();
  const known = history.state?.entry;
  entry = known ?? Date.now();
  if (!known) history.replaceState({ ...history.state, entry }, "");
  const left = known ? Number(rememberedHere(`scroll-${known}`) ?? 0) : 0;
  scrollTo(0, left);
  if (left) hold(left, stop.signal);
}

/** Covers and boards that arrive move what is below them: the position is set again until the person moves. */
function hold(top, signal) {
  const until = performance.now() + FILLS;
  for (const name of MOVES) addEventListener(name, () => stop.abort(), { passive: true, signal });
  const again = () => {
    if (signal.aborted || performance.now() > until) return;
    if (Math.abs(scrollY - top) > 1) scrollTo(0, top);
    requestAnimationFrame(again);
  };
  requestAnimationFrame(again);
}

/**
 * Keeps an element at the top while what is around it fills, until the person moves.
 *
 * @param {any} element @param {any} around @param {AbortSignal} signal ends it
 */
export function keepAtTop(element, around, signal) {
  const moved = new AbortController();
  const watch = new ResizeObserver(() => element.scrollIntoView());
  watch.observe(around);
  const end = () => {
    watch.disconnect();
    moved.abort();
  };
  for (const name of MOVES) addEventListener(name, end, { passive: true, signal: moved.signal });
  signal.addEventListener("abort", end, { once: true });
}
