// Notices changes of the library that were made in another tab or on another device.
import * as api from "./api.js";
import { noteAnswer } from "./browser-data.js";
import { books, loadCounts, refreshLibrary } from "./library.js";
import { online } from "./state.js";

const EVERY = 10_000;

/** Asks for the library's version while the page is visible, and fetches the library when it has changed. */
export function watchForChanges() {
  /** @type {string | undefined} */
  let known;
  let asking = false;
  const ask = async () => {
    const isSignedOut = location.hash.startsWith("#/welcome");
    if (asking || isSignedOut || document.visibilityState !== "visible" || !online.get()) return;
    asking = true;
    try {
      const { version } = await api.libraryVersion();
      noteAnswer();
      const isNews = known !== undefined && known !== version;
      known = version;
      if (isNews) await (books.get() === null ? loadCounts() : refreshLibrary());
    } catch {
      // The next request may succeed.
    } finally {
      asking = false;
    }
  };
  ask();
  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
}
