// Small values in the browser's storage. Without storage (private browsing) they are asked for again.
import { NAMED } from "./base.js";

const named = (key) => `${NAMED}.${key}`;

/** @param {string} key @returns {string | null} */
export function remembered(key, store = () => localStorage) {
  try {
    return store().getItem(named(key));
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value, store = () => localStorage) {
  try {
    store().setItem(named(key), value);
  } catch {
    // Without storage the question is asked again.
  }
}

/** Removes all values. */
export function forget() {
  for (const store of [() => localStorage, () => sessionStorage]) {
    try {
      for (const key of Object.keys(store())) if (key.startsWith(named(""))) store().removeItem(key);
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}

/** Stored until the tab is closed. @param {string} key */
export const rememberedHere = (key) => remembered(key, () => sessionStorage);
/** @param {string} key @param {string} value */
export const rememberHere = (key, value) => remember(key, value, () => sessionStorage);

/** Whether this is asked for the first time in this tab. @param {string} key */
export function isFirstTimeHere(key) {
  if (rememberedHere(key)) return false;
  rememberHere(key, "yes");
  return true;
}
