// One shelf: its photos, its books, and its inventory.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { day, t } from "../lib/i18n.js";
import { books, loadCounts, openLibrary } from "../lib/library.js";
import { remember } from "../lib/memory.js";
import * as queue from "../lib/queue.js";
import { go } from "../lib/router.js";
import { find } from "../lib/search.js";
import { confirm, formSheet, menu, sheet } from "../elements/sheet.js";
import { button, define, empty, errorNote, field, link, round, Screen, topbar, wordsFor } from "../elements/ui.js";
import { undoBar } from "../elements/undo.js";
import { stage } from "../elements/stage.js";
import { Virtual } from "../elements/virtual.js";
import { cell, covers } from "./library/cell.js";

class ShelfScreen extends Screen {
  /** @type {Virtual} */ grid = /** @type {any} */ (null);
  #shelf;
  async build() {
    this.body = h("div.page");
    this.show(this.body);
    try {
      this.#shelf = await api.shelf(this.params.id);
    } catch (error) {
      return replace(this.body, this.#top(), errorNote(error, () => this.build()));
    }
    if (this.signal.aborted) return;
    this.photos = h("div.shelf-photos");
    this.count = h("span.nums.quiet");
    this.grid = new Virtual({
      label: t("library.books"),
      key: (b) => String(b.id),
      layout: covers,
      draw: (b) => cell(b, { view: "grid" }),
      signal: this.signal,
    });
    replace(
      this.body,
      this.#top(),
      this.photos,
      h(
        "div.line.wrap.shelf-actions",
        null,
        link(t("shelf.photograph"), "#/scan", { kind: "main small", onclick: () => this.#remember() }, "scan"),
        button(t("shelf.compare"), { kind: "small", onclick: () => this.#compare() }, "eye"),
      ),
      h(
        "section.section",
        null,
        h("div.section-head", null, h("h2", null, t("library.books")), this.count),
        this.grid.element,
      ),
    );
    books.watch((all) => this.#books(all), this.signal);
    openLibrary();
    this.#photos();
  }

  #remember() {
    remember("scan-shelf", this.params.id);
  }

  #top() {
    const more = () => round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
    return topbar(this.#shelf?.name ?? t("shelves.title"), "/shelves", this.#shelf && more());
  }

  #books(all) {
    const list = find(all ?? [], { shelf: this.params.id, sort: "author" });
    replace(this.count, list.length || "");
    this.grid.element.classList.toggle("loading", all === null);
    this.grid.set(list);
    this.querySelector(".empty")?.remove();
    if (all && !list.length) this.grid.element.after(empty(t("shelf.empty")));
  }

  async #photos() {
    let list;
    try {
      list = await api.shelfPhotos(this.params.id);
    } catch {
      return; // the books are shown without it
    }
    if (this.signal.aborted) return;
    replace(
      this.photos,
      list.map((photo) =>
        h(
          "button.shelf-photo",
          {
            type: "button",
            "aria-label": t("shelf.photoOf", { day: day(photo.takenAt) }),
            onclick: () => this.#show(photo),
          },
          h("img", { src: photo.url, alt: "", loading: "lazy" }),
          h("span.photo-glass", null, day(photo.takenAt)),
        )
      ),
    );
  }

  #show(photo) {
    sheet(t("shelf.photoOf", { day: day(photo.takenAt) }), (close) => {
      const view = stage({ class: "sheet-stage" });
      const list = (photo.detections ?? []).map((d) => ({
        ...d,
        id: d.detectionId,
        confidence: 1,
        state: d.reviewStatus === "needsReview" ? "review" : "ready",
      }));
      view.setBooks(list);
      const words = h("p.under-stage", { role: "status" }, t("shelf.tap"));
      view.addEventListener("pick", (e) => {
        const book = list.find((b) => b.id === e.detail.id);
        view.choose(book?.id ?? null);
        replace(
          words,
          book
            ? [
              h("span.title", null, book.title ?? t("book.unread")),
              book.entryId && button(t("shelf.open"), {
                kind: "link",
                onclick: () => {
                  close();
                  go(`/library/${encodeURIComponent(book.entryId)}`);
                },
              }),
            ]
            : t("shelf.tap"),
        );
      });
      requestAnimationFrame(() => view.show(photo.url, photo.width, photo.height));
      return h("div", null, view, words);
    }, { class: "dark full" });
  }

  /** Shows the inventory of the latest scan: present, new, missing, moved. */
  async #compare() {
    const scan = queue.scans.get().find((s) => s.shelfId === this.params.id && s.state === "done" && s.job);
    if (!scan) {
      return sheet(
        t("shelf.compare"),
        () =>
          h(
            "div",
            null,
            h("p", null, t("shelf.compareHow")),
            h(
              "div.actions",
              null,
              link(t("shelf.photograph"), "#/scan", { kind: "main", onclick: () => this.#remember() }, "scan"),
            ),
          ),
      );
    }
    sheet(t("shelf.compare"), () => {
      const place = h("div.stack", { style: { "--gap": "20px" } });
      api.inventory(this.params.id, scan.job?.id).then((i) => {
        const group = (name, list, line) =>
          h(
            "section",
            null,
            h("div.section-head", null, h("h2", null, t(`inventory.${name}`)), h("span.nums.quiet", null, list.length)),
            list.length > 0 && h("ul.rows", null, list.map((x) => h("li.kv", null, line(x)))),
          );
        const book = (
          b,
        ) => [
          h("span.title", null, b.title ?? t("book.unread")),
          h("span.caption", null, b.author ?? b.authors?.join(", ") ?? ""),
        ];
        replace(
          place,
          group("missing", i.missing, book),
          group("new", i.new, book),
          group("moved", i.moved, (m) => book(m.entry)),
          group("present", i.present, book),
        );
      }, (error) => replace(place, errorNote(error)));
      return place;
    });
  }

  #more() {
    menu(t("common.more"), [
      { label: t("shelf.rename"), icon: "edit", run: () => this.#rename() },
      { label: t("shelf.delete"), icon: "trash", danger: true, run: () => this.#delete() },
    ]);
  }

  async #rename() {
    const name = h("input.input", { value: this.#shelf.name, required: true, maxlength: 200, autofocus: true });
    const save = () => api.renameShelf(this.#shelf.id, name.value.trim(), this.#shelf.etag).then(() => true);
    if (!(await formSheet(t("shelf.rename"), [field(t("shelf.name"), name)], save))) return;
    await loadCounts();
    this.build();
  }

  async #delete() {
    if (
      !(await confirm(t("shelf.deleteTitle", { name: this.#shelf.name }), t("shelf.deleteText"), t("shelf.delete"), {
        danger: true,
      }))
    ) return;
    try {
      const done = await api.deleteShelf(this.#shelf.id);
      undoBar(
        t("shelf.deleted", { name: this.#shelf.name }),
        done?.undoToken && (() => api.undo([done.undoToken]).then(loadCounts)),
      );
      loadCounts();
      go("/shelves", { replace: true });
    } catch (error) {
      undoBar(wordsFor(error));
    }
  }
}

export default define("sl-shelf", ShelfScreen);
export const title = () => t("shelves.title");
