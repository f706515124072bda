// Open sheets as entries of the browser's history, so that Back closes the topmost one.

/** The open sheets, the topmost last. @type {Array<{id: number, dismiss: () => void}>} */
const layers = [];
// The entries of a page that was reloaded stay in the history, so their numbers are not used again.
let last = Date.now();
/** Resolves once the entry that `pop` removes is gone. @type {(() => void) | null} */
let popped = null;

const isOn = (layer) => history.state?.layer === layer.id;

/**
 * Adds an entry for a sheet.
 *
 * @param {() => void} dismiss closes the sheet, or asks before
 */
export function push(dismiss) {
  const layer = { id: ++last, dismiss };
  layers.push(layer);
  history.pushState({ layer: layer.id }, "");
  return layer;
}

/** Removes the entry of a closed sheet; nothing is left of it when the promise resolves. */
export function pop(layer) {
  layers.splice(layers.indexOf(layer), 1);
  // Another screen was opened from the sheet: its entry comes after that of the sheet.
  if (!isOn(layer)) return Promise.resolve();
  return new Promise((resolve) => {
    popped = () => resolve(undefined);
    history.back();
  });
}

if (typeof document !== "undefined") {
  addEventListener("popstate", () => {
    if (popped) {
      // A sheet below closed at the same time: its entry goes, too.
      if (history.state?.layer && !layers.some(isOn)) return history.back();
      popped();
      popped = null;
      return;
    }
    const top = layers.at(-1);
    if (top) {
      // The sheet may stay, to ask.
      if (!isOn(top)) {
        history.pushState({ layer: top.id }, "");
        top.dismiss();
      }
    } else if (history.state?.layer) {
      // Back from a screen that was opened from a sheet: the sheet is closed, and its entry shows the same screen.
      history.back();
    }
  });
}
