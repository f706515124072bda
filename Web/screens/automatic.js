// The books that were changed without a decision, while providers answered; those that were not seen yet first.
import * as api from "../lib/api.js";
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { redraw } from "../lib/redraw.js";
import { loadReviewCounts, refreshLibrary } from "../lib/library.js";
import { items, loadReview } from "../lib/review.js";
import { changedCount, user } from "../lib/state.js";
import {
  button,
  define,
  empty,
  errorNote,
  ghostCards,
  link,
  Screen,
  section,
  topbar,
  wordsFor,
} from "../elements/ui.js";
import { undoBar } from "../elements/undo.js";
import { changeCard } from "./automatic/card.js";

class AutomaticScreen extends Screen {
  /** @type {any[]} */ #changes = [];
  /** @type {string | null} */ #next = null;

  build() {
    this.classList.add("automatic");
    this.list = h("div.queue");
    this.seen = h("div.ready-bar-place");
    this.show(
      h("div.page.review-page", null, topbar(t("automatic.title"), "/review"), this.list),
      this.seen,
    );
    replace(this.list, ghostCards(3));
    this.#load();
    // The list has one page of them; the server counts all.
    loadReviewCounts();
    changedCount.watch(() => this.#changes.length && this.#draw(), this.signal);
  }

  get #mayChange() {
    return user.get()?.role !== "viewer";
  }

  async #load(cursor) {
    try {
      const { items: page, nextCursor } = await api.automaticChanges(cursor);
      if (this.signal.aborted) return;
      this.#changes = cursor ? [...this.#changes, ...page] : page;
      this.#next = nextCursor;
      this.#draw();
    } catch (error) {
      if (this.signal.aborted) return;
      if (cursor) undoBar(wordsFor(error));
      else replace(this.list, errorNote(error, () => this.#load()));
    }
  }

  #draw() {
    const undo = this.#mayChange ? (change) => this.#undo(change) : null;
    const fresh = this.#changes.filter((c) => !c.seen), earlier = this.#changes.filter((c) => c.seen);
    const unseen = Math.max(fresh.length, changedCount.get());
    const cards = (list) => h("ul", null, list.map((change) => changeCard(change, undo)));
    const nothing = empty(t("automatic.empty"), link(t("automatic.toReview"), "#/review", {}, "review"));
    redraw(
      this.list,
      this.#changes.length ? h("p.quiet", null, t("automatic.text")) : nothing,
      section(t("automatic.new"), fresh, cards, {}, unseen),
      section(t("automatic.earlier"), earlier, cards),
      this.#next && h("div", null, button(t("automatic.more"), { onclick: () => this.#load(this.#next) })),
    );
    redraw(
      this.seen,
      fresh.length > 0 && this.#mayChange && h(
        "div.ready-bar",
        null,
        h("span.caption", null, t("automatic.unseen", { n: unseen })),
        button(t("automatic.markSeen"), { kind: "main", onclick: () => this.#markSeen() }, "check"),
      ),
    );
    if (document.activeElement === document.body) this.querySelector("h1")?.focus({ preventScroll: true });
  }

  async #undo(change) {
    try {
      await api.undoChange(change.id);
    } catch (error) {
      if (error.status === 404) return this.#load(); // undone elsewhere, or changed again
      if (error.status !== 409) return undoBar(wordsFor(error));
      change.undoable = false;
      return this.#draw();
    }
    this.#changes = this.#changes.filter((c) => c !== change);
    if (!change.seen) changedCount.update((n) => Math.max(0, n - 1));
    this.#draw();
    undoBar(t("automatic.undone", { title: change.before.title || t("book.unread") }));
    this.#refresh();
    refreshLibrary();
  }

  async #markSeen() {
    try {
      await api.markChangesSeen(this.#changes[0].id);
    } catch (error) {
      return undoBar(wordsFor(error));
    }
    for (const change of this.#changes) change.seen = true;
    changedCount.set(0);
    this.#draw();
    announce(t("automatic.allSeen"));
    this.#refresh();
  }

  #refresh() {
    if (items.get()) loadReview();
    else loadReviewCounts();
  }
}

export default define("sl-automatic", AutomaticScreen);
export const title = () => t("automatic.title");
