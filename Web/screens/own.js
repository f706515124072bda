// "Do I own it?": by title, author, ISBN or barcode from this browser's copy of the library, also without a network, and
// by a photo of a shelf on the server.
import * as api from "../lib/api.js";
import { answerQuestions, keepQuestion } from "../lib/asked.js";
import { announce, debounce, h, replace } from "../lib/dom.js";
import { currentLanguage, t } from "../lib/i18n.js";
import { gapOf } from "../lib/gaps.js";
import { Problem } from "../lib/http.js";
import { isbn13 } from "../lib/isbn.js";
import { books, openLibrary } from "../lib/library.js";
import { answerAboutIsbn, matching, verdictOf } from "../lib/own.js";
import { ACCEPT } from "../lib/photos.js";
import { redraw } from "../lib/redraw.js";
import { fold } from "../lib/search.js";
import { online } from "../lib/state.js";
import { askForBarcode } from "../elements/barcode.js";
import { button, define, round, Screen, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";
import { copyRow, verdictMark, volumeLink } from "../elements/verdict.js";
import { showAsked } from "./own/asked.js";
import { checkPhoto } from "./own/photo.js";

/** So many copies are listed for a text. */
const MOST = 50;

class OwnScreen extends Screen {
  #control = new AbortController();
  /** The ISBN that was scanned, or confirmed with Enter: not the beginning of a longer one. */
  #meant = "";
  /** The ISBN that is asked about, if the server is needed and was not reached. */
  #unanswered = "";

  build() {
    this.input = h("input.input", {
      type: "search",
      placeholder: t("own.hint"),
      "aria-label": t("own.hint"),
      autocomplete: "off",
      enterkeyhint: "search",
      oninput: debounce(150, () => this.#ask()),
      onchange: () => this.#mean(),
    });
    this.note = h("p.quiet", { role: "status" });
    this.answer = h("div.own-answer");
    const asked = h("div");
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(t("own.title"), "/library"),
        h(
          "div.stack",
          { style: { "--gap": "16px" } },
          h(
            "div.searchbox",
            null,
            round("search", t("common.search"), { class: "bare lead", onclick: () => this.#askNow() }),
            this.input,
            round("barcode", t("add.barcode"), { class: "bare", onclick: () => this.#barcode() }),
          ),
          this.note,
          this.answer,
          this.#photoButton(),
          asked,
        ),
      ),
    );
    this.signal.addEventListener("abort", () => this.#control.abort(), { once: true });
    showAsked(asked, (isbn) => this.#open(isbn), this.signal);
    const answer = () => online.get() && document.visibilityState === "visible" && answerQuestions(this.signal);
    online.watch((is) => {
      replace(this.note, is ? "" : t("own.offline"));
      if (is) this.#ask();
      answer();
    }, this.signal);
    books.watch(() => this.#ask(), this.signal);
    this.on(document, "visibilitychange", answer); // a server may be unreachable where there is a network
    openLibrary();
    setTimeout(() => this.input.focus(), 0);
  }

  /** Starts the next question, and ends the one before. */
  #next() {
    this.#control.abort();
    this.#control = new AbortController();
    return this.#control.signal;
  }

  /** Notes that the text is complete. It is not asked again here: a tap on the answer leaves the field, too. */
  #mean() {
    this.#meant = isbn13(this.input.value.trim()) ?? "";
    this.#keep();
  }

  #askNow() {
    this.#mean();
    this.#ask();
  }

  /** Keeps a complete ISBN for later, once, if it needs the server. */
  #keep() {
    if (!this.#meant || this.#meant !== this.#unanswered) return;
    keepQuestion(this.#meant);
    this.#meant = "";
  }

  #open(isbn) {
    this.input.value = isbn;
    this.#ask();
    this.input.scrollIntoView({ block: "center" });
  }

  async #ask() {
    const text = this.input.value.trim(), isbn = isbn13(text);
    this.#unanswered = "";
    if (!text) return;
    const signal = this.#next(), all = books.get() ?? [];
    if (isbn) return this.#answer(answerAboutIsbn(all, isbn), { isbn }, signal);
    const found = matching(all, text, currentLanguage());
    const gap = found.some((book) => fold(book.title) === fold(text)) ? null : await gapOf(text);
    if (signal.aborted) return;
    if (!found.length) {
      return this.#answer({ verdict: gap ? "fillsGap" : "notYours", copies: [], ...gap }, { title: text }, signal);
    }
    announce([gap && t("own.fillsGap"), t("own.count", { n: found.length })].filter(Boolean).join(". "));
    redraw(
      this.answer,
      gap && h("h2", null, verdictMark("fillsGap")),
      gap && h("p", null, volumeLink(gap)),
      h("div.own-list", { role: "list" }, found.slice(0, MOST).map((book) => copyRow(book, verdictOf(book)))),
    );
  }

  /** Shows the answer of this browser's copy, and the server's where the copy knows nothing. */
  async #answer(answer, query, signal) {
    this.#show(answer, query);
    if (answer.copies.length) return;
    try {
      if (!online.get()) throw new Problem({ code: "offline" });
      this.#show(await api.own(query, signal), query);
    } catch (error) {
      // The answer of the copy stays.
      if (!error.offline) return;
      this.#unanswered = query.isbn ?? "";
      this.#keep();
    }
  }

  #show({ verdict, copies, record, series, volume }, { isbn }) {
    const isWanted = (verdict === "notYours" || verdict === "fillsGap") && record;
    announce(t(`own.${verdict}`));
    redraw(
      this.answer,
      h("h2", null, verdictMark(verdict)),
      record && h("p", { dir: "auto" }, [record.title, record.author].filter(Boolean).join(" – ")),
      series && h("p", null, volumeLink({ series, volume })),
      verdict === "unsure" && h("p.quiet", null, copies.length ? t("own.maybe") : isbn ? t("own.unknownIsbn") : ""),
      h("div.own-list", { role: "list" }, copies.map((copy) => copyRow(copy))),
      isWanted && button(t("own.wish"), { kind: "small", onclick: (e) => this.#wish(record, e.currentTarget) }, "tag"),
    );
  }

  async #wish(record, control) {
    control.disabled = true;
    const book = { record: api.record(record), ownership: "wishlist", duplicates: "addCopy" };
    if (!await act(t("own.wishedFor", { title: record.title }), api.addBook(book))) control.disabled = false;
  }

  async #barcode() {
    const isbn = await askForBarcode();
    if (!isbn) return;
    this.input.value = isbn;
    this.#askNow();
  }

  #photoButton() {
    const input = h("input", {
      type: "file",
      accept: ACCEPT,
      hidden: true,
      "aria-label": t("own.photo"),
      onchange: () => {
        const [file] = input.files ?? [];
        input.value = "";
        if (!file) return;
        this.input.value = "";
        checkPhoto(this.answer, file, this.#next());
      },
    });
    return h(
      "div",
      null,
      button(t("own.photo"), { onclick: () => input.click() }, "photo"),
      h("p.caption", null, t("own.photoNote")),
      input,
    );
  }
}

export default define("sl-own", OwnScreen);
export const title = () => t("own.title");
