// Adds a book without a photo: by barcode, ISBN, search, or manual entry.
import * as api from "../lib/api.js";
import { announce, debounce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isbn13 } from "../lib/isbn.js";
import { redraw } from "../lib/redraw.js";
import { askForBarcode } from "../elements/barcode.js";
import { recordWords } from "../elements/book.js";
import { bookForm } from "../elements/book-form.js";
import { cover } from "../elements/cover.js";
import { noMatches } from "../elements/no-match.js";
import { confirm, formSheet } from "../elements/sheet.js";
import { shelfSelect } from "../elements/shelves.js";
import { button, define, errorNote, field, round, Screen, topbar, wordsFor } from "../elements/ui.js";
import { act, undoBar } from "../elements/undo.js";
import { copyRow, verdictMark, volumeLink } from "../elements/verdict.js";

class AddScreen extends Screen {
  #shelf = "";
  /** The ISBN that a barcode gave last. @type {string | null} */ #scanned = null;
  #control;

  build() {
    this.input = h("input.input", {
      type: "search",
      placeholder: t("add.hint"),
      "aria-label": t("add.hint"),
      autocomplete: "off",
      enterkeyhint: "search",
      value: this.query.get("title") ?? "",
      oninput: debounce(300, () => this.#search()),
    });
    this.list = h("div.add-list", { role: "list", "aria-label": t("match.results") });
    this.answer = h("div.own-answer");
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(t("add.title"), "/library"),
        h(
          "div.stack",
          { style: { "--gap": "16px" } },
          h(
            "div.searchbox",
            null,
            round("search", t("common.search"), { class: "bare lead", onclick: () => this.#search() }),
            this.input,
            round("barcode", t("add.barcode"), { class: "bare", onclick: () => this.#barcode() }),
          ),
          field(
            t("work.shelf"),
            shelfSelect(t("scan.noShelf"), "", (v) => (this.#shelf = v)),
          ),
          this.answer,
          this.list,
          button(t("add.typed"), { kind: "link", onclick: () => this.#typed() }, "edit"),
        ),
      ),
    );
    setTimeout(() => this.input.focus(), 0);
    if (this.input.value) this.#search();
  }

  async #search() {
    this.#control?.abort();
    this.#control = new AbortController();
    const q = this.input.value.trim();
    replace(this.answer);
    if (!q) return replace(this.list);
    const isbn = isbn13(q), { signal } = this.#control;
    try {
      const found = await (isbn ? api.search(isbn, "isbn", { signal }) : api.search(q, "all", { signal }));
      if (isbn) this.#showAnswer(await api.own({ isbn }, signal));
      announce(t("match.count", { n: found.length }));
      redraw(
        this.list,
        found.outages?.length ? h("p.quiet", { role: "status" }, found.outages.join(" ")) : null,
        found.length
          ? found.map((r) =>
            h(
              "div.could-row",
              { role: "listitem" },
              cover(r, { size: "s" }),
              recordWords(r, r.inLibrary && verdictMark("have")),
              button(t("add.add"), {
                kind: "small",
                "aria-label": t("add.addName", { title: r.title }),
                onclick: (e) => this.#add({ record: api.record(r) }, r.title, e.currentTarget),
              }),
            )
          )
          : noMatches(found, () => this.#search()),
      );
    } catch (error) {
      if (error?.name !== "AbortError") replace(this.list, errorNote(error, () => this.#search()));
    }
  }

  /** Shows the copies of a book that the library has already or wishes for, or the gap that it fills. */
  #showAnswer({ verdict, copies, series, volume }) {
    if (!copies.length && !series) return;
    announce(t(`own.${verdict}`));
    redraw(
      this.answer,
      h("h2", null, verdictMark(verdict)),
      series && h("p", null, volumeLink({ series, volume })),
      h("div.own-list", { role: "list" }, copies.map((copy) => copyRow(copy))),
    );
  }

  async #add(book, title, control) {
    if (control) control.disabled = true;
    const source = this.#scanned && isbn13(this.input.value) === this.#scanned ? "barcode" : "hand";
    const add = (duplicates) => api.addBook({ ...book, shelf: this.#shelf || null, duplicates, source });
    try {
      const made = await add("ask");
      // A question is not undone; its answer is.
      if (!made?.certainty) act(t("results.addedOne", { title }), made);
      else if (await this.#isSecond()) act(t("results.addedOne", { title }), add("addCopy"));
    } catch (error) {
      undoBar(wordsFor(error));
    } finally {
      if (control) control.disabled = false;
    }
  }

  /** Asks whether a book that the library has is added again. */
  #isSecond() {
    return confirm(t("duplicate.title", { n: 1 }), t("duplicate.text", { n: 1 }), t("duplicate.second"));
  }

  async #typed() {
    // What was searched for need not be typed again.
    const words = this.input.value.trim(), isbn = isbn13(words);
    const form = bookForm(isbn ? { isbn } : { title: words });
    const book = await formSheet(t("add.typed"), form.fields, form.read, { submit: t("add.add") });
    if (book) this.#add(book, book.title);
  }

  async #barcode() {
    const isbn = await askForBarcode();
    if (!isbn) return;
    this.input.value = isbn;
    this.#scanned = isbn13(isbn);
    this.#search();
  }
}

export default define("sl-add", AddScreen);
export const title = () => t("add.title");
