// Vibration that answers a tap, on devices that have it.

/** In ms; every second one is a pause. */
const PATTERNS = { shutter: 8, yes: 10, refused: 30, done: [20, 100, 20] };

/** Vibrates; browsers refuse it, with a warning, before the first tap. @param {keyof typeof PATTERNS} what */
export function vibrate(what) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(PATTERNS[what]);
}
