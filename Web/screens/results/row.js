// The spines in shelf order, as one slider.
import { h, replace, wide } from "../../lib/dom.js";
import { quadOf, spineSize } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { spineOrCover } from "../../elements/place.js";

export class SpineRow {
  #items = new Map();

  /** @param {import("./model.js").ResultsModel} model @param {(id: string) => void} choose */
  constructor(model, choose) {
    this.model = model;
    this.choose = choose;
    this.element = h("div.spine-row", {
      role: "slider",
      tabindex: 0,
      "aria-label": t("results.row"),
      "aria-valuemin": 0,
      onkeydown: (e) => this.#keys(e),
    });
  }

  /** Draws the spines of the photo. */
  draw() {
    const { books, photo: { width, height, url } } = this.model;
    const room = wide() ? 128 : 62;
    const tallest = Math.max(1, ...books.map((b) => spineSize(quadOf(b), width, height).long));
    this.#items.clear();
    replace(
      this.element,
      books.map((book) => {
        const { long, short } = spineSize(quadOf(book), width, height);
        const high = Math.max(room * 0.6, room * long / tallest);
        const item = h(
          "span",
          { "aria-hidden": "true", onclick: () => this.choose(book.id) },
          spineOrCover({ source: url, quad: quadOf(book) }, book, { long: high, short: high * short / long }),
        );
        this.#items.set(book.id, item);
        return item;
      }),
    );
  }

  /** Marks the chosen book and those that are in the library. */
  update() {
    const { model } = this, { books, book } = model;
    for (const [id, item] of this.#items) {
      const its = books.find((b) => b.id === id);
      item.classList.toggle("here", id === model.chosen);
      item.classList.toggle("taken", its?.mark === "added");
      item.hidden = !its;
    }
    this.element.setAttribute("aria-valuemax", String(books.length));
    this.element.setAttribute("aria-valuenow", String(books.indexOf(book) + 1));
    this.element.setAttribute("aria-valuetext", book ? model.name(book) : t("results.noneChosen"));
  }

  /** Scrolls to a spine. */
  show(id) {
    this.#items.get(id)?.scrollIntoView({ inline: "center", block: "nearest", behavior: "smooth" });
  }

  #keys(event) {
    const list = this.model.books, at = list.indexOf(this.model.book);
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: list.length - 1,
      PageUp: at + 5,
      PageDown: at - 5,
    }[event.key];
    if (to === undefined || !list.length) return;
    event.preventDefault();
    this.choose(list[Math.max(0, Math.min(list.length - 1, to))].id);
    this.element.focus({ preventScroll: true });
  }
}
