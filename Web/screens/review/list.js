// The queue as a list of cards by tier, for wide screens. Cards that stay are not moved: a tap in progress would be lost.
import { h } from "../../lib/dom.js";
import { number, t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { button, tier } from "../../elements/ui.js";
import { queueCard } from "./card.js";

export class QueueList {
  #cards = new Map();
  #sections = new Map();
  /** The id of the item that is edited in place. @type {string | null} */ editing = null;

  /** @param {any} actions of a card */
  constructor(actions) {
    this.actions = actions;
    this.element = h("div.queue-sections");
  }

  /** @param {Record<string, any[]>} groups @param {string | null} activeId */
  show(groups, activeId) {
    const shown = Object.entries(groups).filter(([, items]) => items.length);
    const ids = new Set(shown.flatMap(([, items]) => items.map((item) => item.id)));
    for (const id of this.#cards.keys()) if (!ids.has(id)) this.#cards.delete(id);
    redraw(this.element, shown.map(([name]) => this.#section(name).element));
    for (const [name, items] of shown) {
      const { list, count } = this.#section(name);
      count.textContent = number(items.length);
      redraw(list, items.map((item) => this.#card(item, name, activeId)));
    }
  }

  /** The section of a tier. It stays when its books change. */
  #section(name) {
    if (!this.#sections.has(name)) {
      const list = h("ul"), count = h("span.nums.quiet");
      const element = h(
        "section",
        { "aria-labelledby": `tier-${name}` },
        h("div.section-head", null, h("h2", { id: `tier-${name}` }, tier(name)), count),
        list,
      );
      this.#sections.set(name, { element, list, count });
    }
    return this.#sections.get(name);
  }

  #card(item, name, activeId) {
    // What is typed outlasts news of the book.
    const key = this.editing === item.id ? "edited" : [item.etag, item.title, item.author, name].join("|");
    let card = this.#cards.get(item.id);
    if (card?.dataset.key !== key) {
      card = queueCard(item, name, this.editing === item.id, this.actions);
      card.dataset.key = key;
      this.#cards.set(item.id, card);
    }
    card.classList.toggle("here", activeId === item.id);
    return card;
  }

  /** @param {string | null} id */
  card(id) {
    return this.#cards.get(id);
  }

  /** Marks the active card. @param {string | null} id */
  mark(id) {
    for (const [other, card] of this.#cards) card.classList.toggle("here", other === id);
  }
}

/** What confirms the `n` books of a tier together. @param {string} name @param {number} n */
export const together = (name, n) => name === "notChecked" ? t("review.right") : t("review.verifyAll", { n });

/** The bar that confirms a whole tier. @param {string} name @param {number} n @param {() => void} run */
export const tierBar = (name, n, run) =>
  h(
    "div.ready-bar",
    null,
    tier(name, { small: true }),
    h("span.caption", null, t("library.count", { n })),
    button(together(name, n), { kind: "main", "data-key": "together", onclick: run }),
  );
