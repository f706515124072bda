// What the library opens without: the words and the styles of everything else.
import { loadOtherWords } from "./i18n.js";

/** Loads both, once. Ends when they apply. */
export const loadRest = () => Promise.all([loadStyles(), loadWords()]);

/**
 * Returns a function that loads a module, and with it all words and styles. What opens with the library loads modules
 * that need them only by such a function: Tests/Web/opening.test.mjs checks it.
 *
 * @template Module
 * @param {() => Promise<Module>} load
 */
export const later = (load) => async () => (await Promise.all([load(), loadRest()]))[0];

const loadWords = once(loadOtherWords);
const loadStyles = once(() =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "css/screens.css";
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error("css/screens.css could not be loaded"));
    };
    /** @type {Element} */ (document.querySelector("link[media=print]")).before(link); // those for paper stay the last
  })
);

/** Returns a function that does the work at its first call; after a failure, the next call tries again. */
function once(work) {
  /** @type {Promise<any> | undefined} */
  let working;
  return () =>
    working ??= work().catch((error) => {
      working = undefined;
      throw error;
    });
}
