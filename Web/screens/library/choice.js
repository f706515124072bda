// Several books at once: which are chosen, and the tools for what bulk.js does with them.
import { announce, h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { button, round } from "../../elements/ui.js";

export class Choice {
  on = false;
  #chosen = new Map();

  /** @param {{list: () => any[], changed: () => void}} library `changed` when choosing begins, ends or takes all */
  constructor(library) {
    this.library = library;
    this.bar = h("div.bulk", { hidden: true, role: "toolbar", "aria-label": t("library.bulk") });
  }

  has(id) {
    return this.#chosen.has(id);
  }

  start() {
    this.#switch(true);
    announce(t("library.choosing"));
  }

  #switch(on) {
    this.on = on;
    this.#chosen.clear();
    this.bar.hidden = !on;
    this.library.changed();
    this.#draw();
  }

  toggle(book, element) {
    const id = String(book.id);
    if (this.#chosen.has(id)) this.#chosen.delete(id);
    else this.#chosen.set(id, book);
    element.setAttribute("aria-pressed", String(this.#chosen.has(id)));
    element.closest("li").classList.toggle("chosen", this.#chosen.has(id));
    this.#draw();
  }

  #all() {
    this.library.list().forEach((b) => this.#chosen.set(String(b.id), b));
    this.library.changed();
    this.#draw();
  }

  #draw() {
    const n = this.#chosen.size;
    const tool = (name, label, run) => round(name, label, { disabled: !n, onclick: () => this.#with(run) });
    replace(
      this.bar,
      h("span.grow", { role: "status" }, t("library.chosen", { n })),
      n < this.library.list().length &&
        button(t("library.chooseAll"), { kind: "small link", onclick: () => this.#all() }),
      tool("place", t("library.toShelf"), "toShelf"),
      tool("tag", t("library.addTag"), "addTag"),
      tool("eye", t("library.setReading"), "setReading"),
      tool("trash", t("common.delete"), "remove"),
      round("close", t("common.done"), { onclick: () => this.#switch(false) }),
    );
  }

  /** @param {"toShelf" | "addTag" | "setReading" | "remove"} work */
  async #with(work) {
    const bulk = await import("./bulk.js");
    bulk[work]({ chosen: new Map(this.#chosen), done: () => this.#switch(false) });
  }
}
