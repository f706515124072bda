// Five looks over one set of tokens. `theme.js` sets the first one before the page is painted.
import { remember, remembered } from "./memory.js";

export const LIGHT = ["paper", "moss"];
export const DARK = ["lamplight", "harbour", "plum"];

export function look() {
  const usual = { mode: "system", light: "paper", dark: "lamplight" };
  try {
    return { ...usual, ...JSON.parse(remembered("look") ?? "{}") };
  } catch {
    return usual; // what was kept is no choice of ours
  }
}

/** @param {Partial<{mode: string, light: string, dark: string}>} change */
export function setLook(change) {
  const next = { ...look(), ...change };
  remember("look", JSON.stringify(next));
  apply(next);
}

/** The theme that a choice means. */
export const themeFor = (choice, systemIsDark) =>
  (choice.mode === "system" ? systemIsDark : choice.mode === "dark") ? choice.dark : choice.light;

function apply(choice) {
  document.documentElement.dataset.theme = themeFor(choice, matchMedia("(prefers-color-scheme: dark)").matches);
  const ground = getComputedStyle(document.body).backgroundColor;
  document.querySelectorAll('meta[name="theme-color"]').forEach((meta) => meta.setAttribute("content", ground));
}

/** Follows the system while the user leaves it the choice. */
export function followSystem() {
  apply(look());
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    () => look().mode === "system" && apply(look()),
  );
}
