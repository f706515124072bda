// The queue as a list of cards by tier, for wide screens. Cards that stay are not moved: a tap in progress would be lost.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
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
    const shown = Object.keys(groups).filter((name) => groups[name].length);
    const ids = new Set(shown.flatMap((name) => groups[name].map((item) => item.id)));
    for (const [id, card] of this.#cards) if (!ids.has(id)) card.remove(), this.#cards.delete(id);
    for (const [name, section] of this.#sections) {
      if (!groups[name].length) section.element.remove(), this.#sections.delete(name);
    }
    const sections = shown.map((name) => {
      const section = this.#section(name);
      section.count.textContent = String(groups[name].length);
      arrange(section.list, groups[name].map((item) => this.#card(item, name, activeId)));
      return section.element;
    });
    arrange(this.element, sections);
  }

  #section(name) {
    let section = this.#sections.get(name);
    if (section) return section;
    const list = h("ul"), count = h("span.nums.quiet");
    const element = h(
      "section",
      { "aria-labelledby": `tier-${name}` },
      h("div.section-head", null, h("h2", { id: `tier-${name}` }, tier(name)), count),
      list,
    );
    this.#sections.set(name, section = { element, list, count });
    return section;
  }

  #card(item, name, activeId) {
    const isEdited = this.editing === item.id;
    const key = `${item.etag}|${item.title}|${item.author}|${name}|${isEdited}`;
    let card = this.#cards.get(item.id);
    if (card?.dataset.key !== key) {
      const fresh = queueCard(item, name, isEdited, this.actions);
      fresh.dataset.key = key;
      card?.replaceWith(fresh);
      this.#cards.set(item.id, card = fresh);
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

/** Sorts the children by inserting only those that are not in their place yet. */
function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((element, i) => {
    if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] ?? null);
  });
}

/** The bar that confirms a whole tier. @param {string} name @param {number} n @param {() => void} run */
export const tierBar = (name, n, run) =>
  h(
    "div.ready-bar",
    null,
    tier(name, { small: true }),
    h("span.caption", null, t("library.count", { n })),
    button(name === "notChecked" ? t("review.right") : t("review.verifyAll", { n }), { kind: "main", onclick: run }),
  );
