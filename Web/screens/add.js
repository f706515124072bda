// Adds a book without a photo: by barcode, ISBN, search, or manual entry.
import * as api from "../lib/api.js";
import { announce, debounce, h, replace } from "../lib/dom.js";
import * as camera from "../lib/camera.js";
import { t } from "../lib/i18n.js";
import { bareIsbn, validIsbn } from "../lib/isbn.js";
import { redraw } from "../lib/redraw.js";
import { recordWords } from "../elements/book.js";
import { bookForm } from "../elements/book-form.js";
import { cover } from "../elements/cover.js";
import { noMatches } from "../elements/no-match.js";
import { confirm, formSheet, sheet } from "../elements/sheet.js";
import { shelfSelect } from "../elements/shelves.js";
import { button, define, errorNote, field, round, Screen, topbar, wordsFor } from "../elements/ui.js";
import { act, undoBar } from "../elements/undo.js";

class AddScreen extends Screen {
  #shelf = "";
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
    const barcodes = "BarcodeDetector" in globalThis && !camera.unavailable();
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
            barcodes && round("barcode", t("add.barcode"), { class: "bare", onclick: () => this.#barcode() }),
          ),
          field(
            t("work.shelf"),
            shelfSelect(t("scan.noShelf"), "", (v) => (this.#shelf = v)),
          ),
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
    if (!q) return replace(this.list);
    const code = bareIsbn(q), { signal } = this.#control;
    try {
      const found = await (validIsbn(code) ? api.search(code, "isbn", { signal }) : api.search(q, "all", { signal }));
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
              recordWords(r, r.inLibrary && h("span.caption", null, t("add.have"))),
              button(t("add.add"), {
                kind: "small",
                "aria-label": t("add.addName", { title: r.title }),
                onclick: (e) => this.#add({ record: strip(r) }, r.title, e.currentTarget),
              }),
            )
          )
          : noMatches(found, () => this.#search()),
      );
    } catch (error) {
      if (error?.name !== "AbortError") replace(this.list, errorNote(error, () => this.#search()));
    }
  }

  async #add(book, title, control) {
    if (control) control.disabled = true;
    const add = (duplicates) => api.addBook({ ...book, shelf: this.#shelf || null, duplicates });
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
    const words = this.input.value.trim(), code = bareIsbn(words);
    const form = bookForm(validIsbn(code) ? { isbn: code } : { title: words });
    const book = await formSheet(t("add.typed"), form.fields, form.read, { submit: t("add.add") });
    if (book) this.#add(book, book.title);
  }

  /** Reads barcodes on the device; nothing is sent until the number is known. */
  #barcode() {
    let cam, timer = 0;
    sheet(t("add.barcode"), (close) => {
      const video = h("video.barcode", { playsinline: true, autoplay: true });
      video.muted = true;
      const say = h("p.quiet.center", { role: "status" }, t("add.point"));
      (async () => {
        try {
          cam = await camera.startCamera();
          video.srcObject = cam.stream;
          const detector = new /** @type {any} */ (globalThis).BarcodeDetector({ formats: ["ean_13"] });
          const look = async () => {
            if (!video.isConnected) return;
            try {
              const [code] = await detector.detect(video);
              if (code && validIsbn(code.rawValue) && /^97[89]/.test(code.rawValue)) return close(code.rawValue);
            } catch {
              // The frame cannot be read: try the next one.
            }
            timer = setTimeout(look, 150);
          };
          look();
        } catch {
          replace(say, t("scan.no.denied.title"));
        }
      })();
      return h("div", null, video, say);
    }, { class: "dark" }).then((code) => {
      clearTimeout(timer);
      cam?.stream.getTracks().forEach((track) => track.stop());
      if (!code) return;
      this.input.value = code;
      this.#search();
    });
  }
}

const strip = ({ author: _author, coverUrl, ...r }) => ({
  ...r,
  coverUrl: coverUrl ? new URL(coverUrl).pathname : null,
});

export default define("sl-add", AddScreen);
export const title = () => t("add.title");
