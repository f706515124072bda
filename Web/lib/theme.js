// Five themes over one set of tokens. `theme.js` sets the first one before the first paint.
import { remember, remembered } from "./memory.js";

export const LIGHT = ["paper", "moss"];
export const DARK = ["lamplight", "harbour", "plum"];

export function look() {
  const usual = { mode: "system", light: "paper", dark: "lamplight" };
  try {
    return { ...usual, ...JSON.parse(remembered("look") ?? "{}") };
  } catch {
    return usual; // the stored value is not valid
  }
}

/** @param {Partial<{mode: string, light: string, dark: string}>} change */
export function setLook(change) {
  const next = { ...look(), ...change };
  remember("look", JSON.stringify(next));
  apply(next);
}

/** Returns the theme for a choice. */
export const themeFor = (choice, systemIsDark) =>
  (choice.mode === "system" ? systemIsDark : choice.mode === "dark") ? choice.dark : choice.light;

function apply(choice) {
  document.documentElement.dataset.theme = themeFor(choice, matchMedia("(prefers-color-scheme: dark)").matches);
  const ground = getComputedStyle(document.body).backgroundColor;
  document.querySelectorAll('meta[name="theme-color"]').forEach((meta) => meta.setAttribute("content", ground));
}

/** Follows the system's setting if the user chose that. */
export function followSystem() {
  apply(look());
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    () => look().mode === "system" && apply(look()),
  );
}
