// Selection of several books, and the toolbar for the actions of bulk.js.
import { announce, h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";
import { button, round } from "../../elements/ui.js";

export class Choice {
  on = false;
  #chosen = new Map();
  /** The book that was toggled last, where a range begins. @type {string | null} */ #from = null;

  /**
   * @param {{list: () => any[], changed: () => void, search: (state: any) => Promise<void>}} library `changed` is called when selecting
   *   begins or ends, or all are selected; `search` with a search for details that has begun
   */
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
    this.#from = null;
    this.bar.hidden = !on;
    this.library.changed();
    this.#draw();
  }

  /** Chooses a book or not; with `isRange`, all between the last one and this. */
  toggle(book, element, isRange = false) {
    const id = String(book.id);
    if (isRange && this.#from !== null) return this.#range(id);
    this.#from = id;
    if (this.#chosen.has(id)) this.#chosen.delete(id);
    else this.#chosen.set(id, book);
    element.setAttribute("aria-pressed", String(this.#chosen.has(id)));
    element.closest("li").classList.toggle("chosen", this.#chosen.has(id));
    this.#draw();
  }

  #range(id) {
    const list = this.library.list(), at = (one) => list.findIndex((b) => String(b.id) === one);
    const [first, last] = [at(this.#from), at(id)].sort((a, b) => a - b);
    for (const book of list.slice(Math.max(0, first), last + 1)) this.#chosen.set(String(book.id), book);
    this.#from = id;
    this.library.changed();
    this.#draw();
  }

  #all() {
    this.library.list().forEach((b) => this.#chosen.set(String(b.id), b));
    this.library.changed();
    this.#draw();
  }

  #draw() {
    const n = this.#chosen.size;
    const tool = (name, label, word, run) =>
      h(
        "button.tool",
        { type: "button", "aria-label": label, disabled: !n, onclick: () => this.#with(run) },
        icon(name),
        h("span", null, word),
      );
    redraw(
      this.bar,
      h("span.grow", { role: "status" }, t("library.chosen", { n })),
      n < this.library.list().length &&
        button(t("library.chooseAll"), { kind: "small link", onclick: () => this.#all() }),
      round("close", t("common.done"), { class: "bare", onclick: () => this.#switch(false) }),
      h(
        "div.tools",
        null,
        tool("place", t("library.toShelf"), t("work.shelf"), "toShelf"),
        tool("tag", t("library.addTag"), t("library.tag"), "addTag"),
        tool("eye", t("library.setReading"), t("library.status"), "setReading"),
        tool("clock", t("stocktake.word"), t("stocktake.word"), "stocktake"),
        tool("search", t("library.findDetails"), t("library.details"), "findDetails"),
        tool("download", t("export.chosen"), t("export.word"), "save"),
        tool("trash", t("common.delete"), t("common.delete"), "remove"),
      ),
    );
  }

  /** @param {"toShelf" | "addTag" | "setReading" | "stocktake" | "findDetails" | "save" | "remove"} work */
  async #with(work) {
    const bulk = await import("./bulk.js");
    bulk[work]({ chosen: new Map(this.#chosen), done: () => this.#switch(false), search: this.library.search });
  }
}
