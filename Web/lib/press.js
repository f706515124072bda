// Clicks of controls that are redrawn while the mouse is pressed on them.
import { nameOf } from "./redraw.js";

/**
 * Clicks a control over which the mouse is released if it took the place of the one on which it was pressed: the browser
 * clicks only where both are the same node.
 */
export function keepPresses() {
  /** @type {HTMLElement | null} */
  let pressed = null;
  document.addEventListener("mousedown", (event) => (pressed = event.button === 0 ? controlAt(event) : null), true);
  document.addEventListener("mouseup", (event) => {
    const next = controlAt(event);
    if (pressed?.isConnected === false && next?.localName === pressed.localName && nameOf(next) === nameOf(pressed)) {
      next.click();
    }
    pressed = null;
  }, true);
}

/** @returns {HTMLElement | null} */
const controlAt = ({ target }) => target instanceof Element ? target.closest("a, button, summary, input, label") : null;
