// The books that were changed without a decision, while providers answered; those that were not seen yet first.
import * as api from "../lib/api.js";
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadReviewCounts, refreshLibrary } from "../lib/library.js";
import { items, loadReview } from "../lib/review.js";
import { user } from "../lib/state.js";
import { button, define, empty, errorNote, link, Screen, topbar, wordsFor } from "../elements/ui.js";
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
    replace(this.list, Array.from({ length: 3 }, () => h("div.queue-card.ghost-card", null, h("div.spine-strip"))));
    this.#load();
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
    if (!this.#changes.length) {
      replace(this.seen);
      return replace(this.list, empty(t("automatic.empty"), link(t("automatic.toReview"), "#/review", {}, "review")));
    }
    const undo = this.#mayChange ? (change) => this.#undo(change) : null;
    const fresh = this.#changes.filter((c) => !c.seen), earlier = this.#changes.filter((c) => c.seen);
    const section = (name, list) =>
      list.length > 0 && h(
        "section",
        { "aria-labelledby": `changes-${name}` },
        h(
          "div.section-head",
          null,
          h("h2", { id: `changes-${name}` }, t(`automatic.${name}`)),
          h("span.nums.quiet", null, list.length),
        ),
        h("ul", null, list.map((change) => changeCard(change, undo))),
      );
    replace(
      this.list,
      h("p.quiet", null, t("automatic.text")),
      section("new", fresh),
      section("earlier", earlier),
      this.#next && h("div", null, button(t("automatic.more"), { onclick: () => this.#load(this.#next) })),
    );
    replace(
      this.seen,
      fresh.length > 0 && this.#mayChange && h(
        "div.ready-bar",
        null,
        h("span.caption", null, t("automatic.unseen", { n: fresh.length })),
        button(t("automatic.markSeen"), { kind: "main", onclick: () => this.#markSeen() }, "check"),
      ),
    );
  }

  async #undo(change) {
    const at = this.#changes.indexOf(change);
    try {
      await api.undoChange(change.id);
    } catch (error) {
      if (error.status === 404) return this.#load(); // undone elsewhere, or changed again
      if (error.status !== 409) return undoBar(wordsFor(error));
      change.undoable = false;
      this.#draw();
      return this.#focus(at);
    }
    this.#changes = this.#changes.filter((c) => c !== change);
    this.#draw();
    this.#focus(at);
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
    this.#draw();
    this.#focus(-1);
    announce(t("automatic.allSeen"));
    this.#refresh();
  }

  #refresh() {
    if (items.get()) loadReview();
    else loadReviewCounts();
  }

  /** Moves the focus to the card at a position, or to the heading. */
  #focus(at) {
    const cards = this.list.querySelectorAll(".change-card");
    const card = cards[Math.min(at, cards.length - 1)];
    (card?.querySelector("button, a") ?? this.querySelector("h1"))?.focus({ preventScroll: true });
  }
}

export default define("sl-automatic", AutomaticScreen);
export const title = () => t("automatic.title");
