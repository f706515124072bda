// One shelf: its spines as the photos show them, the books without a spine, and its photos.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { day, t } from "../lib/i18n.js";
import { books, loadCounts, openLibrary } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { go } from "../lib/router.js";
import { find } from "../lib/search.js";
import { confirm, formSheet, menu } from "../elements/sheet.js";
import { button, define, empty, errorNote, field, link, round, Screen, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";
import { Virtual } from "../elements/virtual.js";
import { cell, covers } from "./library/cell.js";
import { drawBoards } from "./shelf/boards.js";
import { compareShelf, scanThis } from "./shelf/compare.js";
import { askAboutGap, askAboutMoved } from "./shelf/gap.js";
import { drawPhotos } from "./shelf/photos.js";
import { isInsideOthers } from "./shelf/sizes.js";

class ShelfScreen extends Screen {
  /** @type {Virtual} */ grid = /** @type {any} */ (null);
  #shelf;

  async build() {
    this.body = h("div.page");
    this.show(this.body);
    this.on(matchMedia("(min-width: 700px)"), "change", () => this.#drawBoards());
    openLibrary();
    await this.#open();
  }

  /** Loads the shelf, and draws the screen once. */
  async #open() {
    try {
      this.#shelf = await api.shelf(this.params.id);
    } catch (error) {
      return replace(this.body, this.#top(), errorNote(error, () => this.#open()));
    }
    if (this.signal.aborted) return;
    this.sub = h("p.shelf-sub", { role: "status" });
    this.boards = h("div.shelf-boards");
    this.count = h("span.nums.quiet");
    this.head = h("h2", null, t("library.books"));
    this.photos = h("section.section.shelf-photos-place");
    this.grid = new Virtual({
      label: t("library.books"),
      key: (b) => String(b.id),
      layout: covers,
      draw: (b) => cell(b, { view: "grid" }),
      signal: this.signal,
    });
    this.unseen = h("section.section", null, h("div.section-head", null, this.head, this.count), this.grid.element);
    replace(
      this.body,
      this.#top(),
      this.sub,
      this.boards,
      h(
        "div.line.wrap.shelf-actions",
        null,
        link(t("shelf.photograph"), "#/scan", { kind: "main small", onclick: () => scanThis(this.#shelf) }, "scan"),
        button(t("shelf.compare"), {
          kind: "small",
          onclick: () => compareShelf(this.#shelf, () => this.#load()),
        }, "eye"),
      ),
      this.unseen,
      this.photos,
    );
    await this.#load();
  }

  #top() {
    const more = () => round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
    return topbar(this.#shelf?.name ?? t("shelves.title"), "/shelves", this.#shelf && more());
  }

  /** The spines on the boards, the photos, and whether the latest scan is in the library. */
  async #load() {
    try {
      const [view, photos] = await Promise.all([
        api.shelfSpines(this.params.id),
        api.shelfPhotos(this.params.id).catch(() => []),
      ]);
      this.#photoList = photos;
      this.#view = withoutParts(view, photos);
    } catch (error) {
      if (this.signal.aborted) return;
      replace(this.boards, errorNote(error, () => this.#load()));
      return this.#drawBooks(find(books.get() ?? [], { shelf: this.params.id, sort: "author" }));
    }
    if (this.signal.aborted) return;
    this.#drawBoards();
    this.#drawBooks(find(this.#view.unseen, { sort: "author" }));
    drawPhotos(this.photos, this.#photoList);
  }
  /** @type {any} */ #view = null;
  /** @type {any[]} */ #photoList = [];

  #drawBoards() {
    if (!this.#view) return;
    const { boards, scannedAt } = this.#view, all = boards.flat();
    const missing = all.filter((one) => one.state === "missing").length;
    const n = all.filter((one) => one.state !== "elsewhere").length + this.#view.unseen.length;
    replace(
      this.sub,
      [t("library.count", { n }), scannedAt && t("shelf.scanned", { day: day(scannedAt) })].filter(Boolean).join(" · "),
      missing > 0 && h("span.missing-count", null, " · ", t("shelf.missing", { n: missing })),
    );
    redraw(
      this.boards,
      drawBoards(boards, this.#photoList, ({ entry, state }) => {
        const ask = state === "elsewhere" ? askAboutMoved : askAboutGap;
        ask(entry, this.#shelf, () => this.signal.aborted || this.#load());
      }),
    );
  }

  /** Books without a spine; without photos, all. */
  #drawBooks(list) {
    const hasBoards = Boolean(this.#view?.boards.length);
    replace(this.head, t(hasBoards ? "shelf.unseen" : "library.books"));
    replace(this.count, list.length || "");
    this.unseen.hidden = hasBoards && !list.length;
    this.grid.set(list);
    this.querySelector(".empty")?.remove();
    if (!hasBoards && !list.length) this.grid.element.after(empty(t("shelf.empty")));
  }

  #more() {
    menu(t("common.more"), [
      { label: t("shelf.rename"), icon: "edit", run: () => this.#rename() },
      { label: t("shelf.delete"), icon: "trash", danger: true, run: () => this.#delete() },
    ]);
  }

  async #rename() {
    const name = h("input.input", { value: this.#shelf.name, required: true, maxlength: 200, autofocus: true });
    const save = () => api.renameShelf(this.#shelf.id, name.value.trim(), this.#shelf.etag);
    const renamed = await formSheet(t("shelf.rename"), [field(t("shelf.name"), name)], save);
    if (!renamed) return;
    this.#shelf = { ...this.#shelf, ...renamed };
    replace(this.querySelector("h1"), renamed.name);
    await loadCounts();
  }

  async #delete() {
    if (
      !(await confirm(t("shelf.deleteTitle", { name: this.#shelf.name }), t("shelf.deleteText"), t("shelf.delete"), {
        danger: true,
      }))
    ) return;
    const words = t("shelf.deleted", { name: this.#shelf.name });
    const isDeleted = await act(words, api.deleteShelf(this.#shelf.id), { changed: loadCounts });
    if (isDeleted) go("/shelves", { replace: true });
  }
}

/** Lists misread parts of spines with the books without a spine. */
function withoutParts(view, photos) {
  const parts = view.boards.flat().filter((one) => isInsideOthers(one, photos));
  const boards = view.boards.map((board) => board.filter((one) => !parts.includes(one)));
  return {
    ...view,
    boards: boards.filter((board) => board.length),
    unseen: [...view.unseen, ...parts.map((one) => one.entry)],
  };
}

export default define("sl-shelf", ShelfScreen);
export const title = () => t("shelves.title");
