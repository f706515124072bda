// The line about books without a record or cover, which asks all sources for them.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";
import { incompleteCount, refreshReview } from "../../lib/review.js";
import { DetailsSearch } from "../../elements/details-search.js";
import { noSource } from "../../elements/no-match.js";
import { waitingLine, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

export class IncompleteLine {
  #hasNoSource = false;

  /** @param {AbortSignal} signal ends the polling */
  constructor(signal) {
    this.element = h("div.scraps-place.incomplete-place");
    this.search = new DetailsSearch(signal, () => this.#draw(), refreshReview);
    incompleteCount.watch(() => this.#draw(), signal);
  }

  #draw() {
    const n = incompleteCount.get();
    if (this.search.isRunning) return redraw(this.element, this.search.line());
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
      if (sourcesOn) await this.search.follow(await api.findIncomplete());
      else this.#draw();
    } catch (error) {
      undoBar(wordsFor(error));
    }
  }
}
