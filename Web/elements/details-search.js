// A search for details of books, which runs on the server: its progress, Stop, and the sentence at its end.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { waitingLine, wordsFor } from "./ui.js";
import { act, undoBar } from "./undo.js";

const POLL = 1000; // ms

export class DetailsSearch {
  /** The search on the server while it runs. @type {any} */ #state = null;

  /**
   * @param {AbortSignal} signal ends the polling
   * @param {() => void} draw shows `line`
   * @param {() => any} changed loads the books again
   */
  constructor(signal, draw, changed) {
    this.signal = signal;
    this.draw = draw;
    this.changed = changed;
    // A search that an earlier visit started continues.
    api.incompleteSearch().then((search) => {
      if (search.status === "running") return this.follow(search);
    }).catch(() => {});
  }

  get isRunning() {
    return this.#state !== null;
  }

  /** The progress with Stop; null if no search runs. */
  line() {
    if (!this.#state) return null;
    const { done, total } = this.#state;
    return waitingLine(icon("library"), h("span.grow", { role: "status" }, t("review.asking", { done, total })), {
      label: t("review.stopAsking"),
      run: () => this.#stop(),
    });
  }

  async #stop() {
    await api.stopFindIncomplete().catch((error) => undoBar(wordsFor(error)));
  }

  /** Shows a search until it ends, and what it found. */
  async follow(search) {
    try {
      while (search.status === "running" && !this.signal.aborted) {
        this.#state = search;
        this.draw();
        await new Promise((resolve) => setTimeout(resolve, POLL));
        search = await api.incompleteSearch();
      }
    } finally {
      this.#state = null;
      this.draw();
    }
    if (!this.signal.aborted) await act(words(search), search, { changed: this.changed });
  }
}

function words({ chosen, completed, total, failures }) {
  const found = chosen && !total
    ? t("library.detailsComplete")
    : t(chosen ? "library.detailsFound" : "review.found", { n: completed, total });
  return [found, ...failures.slice(0, 1)].join(" ");
}
