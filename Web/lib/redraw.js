// Redraws a part of a screen while a person uses it.
import { nodesOf } from "./dom.js";

/** Whether a folded part was drawn open. Those that a person has opened or closed are not in it, or differ. */
const drawnOpen = new WeakMap();

/**
 * Replaces the children of an element, and keeps focus, scroll positions and what a person opened.
 *
 * - Children that are among the new ones stay in the page, with what was typed in them and with their animations.
 * - The focus moves to the control that took the place of the focused one: that with the same name at the same position
 *   among those of this name, or the last of them. Without one, it moves to the heading of the element, else to that of
 *   the screen or sheet. `data-key` is a name that stays
 *   when the label changes.
 * - Parts with the same `data-scroll` keep their position.
 * - Folded parts (`details`) with the same `data-key` stay as a person left them.
 *
 * @param {HTMLElement} place
 * @param {...any} children as of `h`
 */
export function redraw(place, ...children) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const wasInside = focused !== place && place.contains(focused);
  const name = wasInside ? nameOf(focused) : "";
  const twins = () =>
    wasInside ? [...place.querySelectorAll(focused.localName)].filter((one) => nameOf(one) === name) : [];
  const at = twins().indexOf(focused);
  const scrolled = scrollers(place).map(({ dataset, scrollTop, scrollLeft }) => ({ dataset, scrollTop, scrollLeft }))
    .filter(({ scrollTop, scrollLeft }) => scrollTop || scrollLeft);
  const chosen = foldsIn(place).filter((fold) => fold.open !== drawnOpen.get(fold))
    .map(({ dataset, open }) => ({ key: dataset.key, open }));
  arrange(place, nodesOf(children));
  for (const fold of foldsIn(place)) {
    const choice = chosen.find(({ key }) => key === fold.dataset.key);
    if (choice) fold.open = choice.open;
    else drawnOpen.set(fold, fold.open);
  }
  for (const { dataset, ...position } of scrolled) {
    Object.assign(scrollers(place).find((one) => one.dataset.scroll === dataset.scroll) ?? {}, position);
  }
  if (!wasInside || document.activeElement === focused) return;
  const next = place.contains(focused) ? focused : twins()[at] ?? twins().at(-1);
  (next?.matches(":disabled") === false ? next : headingOf(place))?.focus({ preventScroll: true });
}

/** @returns {HTMLDetailsElement[]} */
const foldsIn = (place) => [...place.querySelectorAll("details[data-key]")];

/** @returns {HTMLElement[]} */
const scrollers = (place) => [...place.querySelectorAll("[data-scroll]")];

/** Inserts only what is not in its place yet: a node that is moved loses its focus and restarts its animations. */
function arrange(place, wanted) {
  const kept = new Set(wanted);
  for (const child of [...place.childNodes]) if (!kept.has(child)) child.remove();
  wanted.forEach((node, i) => {
    if (place.childNodes[i] !== node) place.insertBefore(node, place.childNodes[i] ?? null);
  });
}

/** What a person calls a control. */
export const nameOf = (control) =>
  control.dataset.key ?? control.getAttribute("aria-label") ?? control.labels?.[0]?.textContent ?? control.textContent;

function headingOf(place) {
  const heading = place.querySelector("h1, h2, h3") ?? place.closest("main, dialog")?.querySelector("h1, h2");
  if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return heading;
}
