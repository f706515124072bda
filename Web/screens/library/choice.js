// Several books at once: which are chosen, and what is done with all of them. Each change can be undone.
import * as api from "../../lib/api.js";
import { announce, h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { books, patchBook, refreshLibrary } from "../../lib/library.js";
import { chooseShelf } from "../../elements/shelves.js";
import { confirm, formSheet, menu } from "../../elements/sheet.js";
import { button, field, round, undoBar, wordsFor } from "../../elements/ui.js";

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
    const tool = (name, label, onclick) => round(name, label, { disabled: !n, onclick });
    replace(
      this.bar,
      h("span.grow", { role: "status" }, t("library.chosen", { n })),
      n < this.library.list().length &&
        button(t("library.chooseAll"), { kind: "small link", onclick: () => this.#all() }),
      tool("place", t("library.toShelf"), () => this.#toShelf()),
      tool("tag", t("library.addTag"), () => this.#addTag()),
      tool("eye", t("library.setReading"), () => this.#setReading()),
      tool("trash", t("common.delete"), () => this.#delete()),
      round("close", t("common.done"), { onclick: () => this.#switch(false) }),
    );
  }

  // ---- what is done with them

  #toShelf() {
    const n = this.#chosen.size;
    chooseShelf(t("library.toShelf"), null, (shelf) => {
      const id = shelf?.id ?? null, name = shelf?.name ?? null;
      this.#change(
        () => ({ shelfId: id, shelfName: name }),
        { shelf: id },
        t("library.moved", { n, shelf: name ?? t("scan.noShelf") }),
      );
    });
  }

  #setReading() {
    const n = this.#chosen.size;
    menu(
      t("library.setReading"),
      ["toRead", "reading", "read"].map((readingStatus) => ({
        label: t(`reading.${readingStatus}`),
        icon: "eye",
        run: () => this.#change(() => ({ readingStatus }), { readingStatus }, t("library.changed", { n })),
      })),
    );
  }

  async #addTag() {
    const tag = await askForTag();
    if (!tag) return;
    const tagged = (b) => ({ tags: [...new Set([...(b.tags ?? []), tag])] });
    this.#change(tagged, { addTags: [tag] }, t("library.changed", { n: this.#chosen.size }));
  }

  async #delete() {
    const n = this.#chosen.size;
    const sure = n <= 20 ||
      await confirm(t("library.deleteTitle", { n }), t("library.deleteText"), t("common.delete"), { danger: true });
    if (sure) this.#change(null, { delete: true }, t("library.deleted", { n }));
  }

  /** Changes the chosen books here at once (`here` gives the new fields; null takes them out) and on the server. */
  async #change(here, change, words) {
    const ids = [...this.#chosen.keys()];
    if (here) this.#chosen.forEach((b) => patchBook(b.id, here(b)));
    else books.update((all) => (all ?? []).filter((b) => !ids.includes(String(b.id))));
    this.#switch(false);
    try {
      const { undoToken } = await api.bulk(ids, change);
      undoBar(
        words,
        undoToken && (async () => {
          await api.undo([undoToken]);
          await refreshLibrary();
        }),
      );
    } catch (error) {
      undoBar(wordsFor(error));
    }
    refreshLibrary();
  }
}

function askForTag() {
  const input = h("input.input", { name: "tag", required: true, maxlength: 60, autofocus: true, autocomplete: "off" });
  return formSheet(t("library.addTag"), [field(t("library.tag"), input)], () => input.value.trim());
}
