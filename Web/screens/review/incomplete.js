// The line about books without a record or cover, which asks all sources for them.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";
import { incompleteCount, refreshReview } from "../../lib/review.js";
import { noSource } from "../../elements/no-match.js";
import { waitingLine, wordsFor } from "../../elements/ui.js";
import { act, undoBar } from "../../elements/undo.js";

const POLL = 1000; // ms

export class IncompleteLine {
  /** The search on the server. @type {any} */ #search = null;
  #hasNoSource = false;

  /** @param {AbortSignal} signal ends the polling */
  constructor(signal) {
    this.signal = signal;
    this.element = h("div.scraps-place.incomplete-place");
    incompleteCount.watch(() => this.#draw(), signal);
    // A search that another visit started goes on.
    api.incompleteSearch().then((search) => {
      if (search.status === "running") return this.#follow(search);
    }).catch(() => {});
  }

  #draw() {
    const n = incompleteCount.get(), search = this.#search;
    if (search) {
      const { done, total } = search;
      return redraw(
        this.element,
        waitingLine(icon("library"), h("span.grow", { role: "status" }, t("review.asking", { done, total })), {
          label: t("review.stopAsking"),
          run: () => this.#stop(),
        }),
      );
    }
    redraw(
      this.element,
      n > 0 && waitingLine(icon("library"), h("span.grow", null, t("review.incomplete", { n })), {
        label: !this.#hasNoSource && t("review.findAll"),
        run: () => this.#start(),
      }),
      n > 0 && this.#hasNoSource && noSource(() => this.#start()),
    );
  }

  async #start() {
    try {
      const { sourcesOn } = await api.incompleteSearch();
      this.#hasNoSource = !sourcesOn;
      if (sourcesOn) await this.#follow(await api.findIncomplete());
      else this.#draw();
    } catch (error) {
      undoBar(wordsFor(error));
    }
  }

  async #stop() {
    await api.stopFindIncomplete().catch((error) => undoBar(wordsFor(error)));
  }

  async #follow(search) {
    try {
      while (search.status === "running" && !this.signal.aborted) {
        this.#search = search;
        this.#draw();
        await new Promise((resolve) => setTimeout(resolve, POLL));
        search = await api.incompleteSearch();
      }
    } finally {
      this.#search = null;
      this.#draw();
    }
    if (!this.signal.aborted) await this.#finished(search);
  }

  async #finished({ completed, total, undoToken, failures }) {
    const words = [t("review.found", { n: completed, total }), ...failures.slice(0, 1)].join(" ");
    await act(words, { undoToken }, { changed: refreshReview });
  }
}
