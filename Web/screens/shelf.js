// One shelf: its spines as the photos show them, the books without a spine, and its photos.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { day, number, t } from "../lib/i18n.js";
import { books, loadCounts, openLibrary, refreshLibrary } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { go } from "../lib/router.js";
import { find } from "../lib/search.js";
import { shelves } from "../lib/state.js";
import { confirm, formSheet, menu } from "../elements/sheet.js";
import { newShelf } from "../elements/shelves.js";
import { button, define, empty, errorNote, field, link, round, Screen, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";
import { Virtual } from "../elements/virtual.js";
import { cell, covers } from "./library/cell.js";
import { drawBoards } from "./shelf/boards.js";
import { compareShelf, scanThis } from "./shelf/compare.js";
import { askAboutGap, askAboutLent, askAboutMoved, askAboutStray } from "./shelf/gap.js";
import { askForDetails, breadcrumb, drawInside, moveShelf, putRow } from "./shelf/inside.js";
import { printLabels } from "./shelf/labels.js";
import { photoOfPlace } from "./shelf/order.js";
import { drawPhotos } from "./shelf/photos.js";
import { isInsideOthers } from "./shelf/sizes.js";
import { isBySeries, volumesBetween } from "./shelf/volumes.js";

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
    this.around = h("nav.shelf-around", { "aria-label": t("shelf.around") });
    this.inside = h("section.section", { hidden: true });
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
      this.around,
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
      this.inside,
      this.unseen,
      this.photos,
    );
    shelves.watch(() => this.#drawPlace(), this.signal);
    books.watch(() => this.#series && this.#drawBoards(), this.signal); // what is wished for
    await this.#load();
  }

  #top() {
    const more = () => round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
    return topbar(this.#shelf?.name ?? t("shelves.title"), "/shelves", this.#shelf && more());
  }

  /** The shelves around this one and inside it. */
  #drawPlace() {
    const all = shelves.get();
    redraw(this.around, breadcrumb(all, this.#shelf));
    drawInside(this.inside, all, this.#shelf);
    // The shelves around this one may have arrived after its books.
    if (this.#view && this.#isBySeries() !== Boolean(this.#series)) this.#load();
    else this.#drawBoards();
  }

  #isBySeries() {
    return isBySeries(shelves.get(), this.#shelf);
  }

  /** The spines on the boards, the photos, and whether the latest scan is in the library. */
  async #load() {
    try {
      const [view, photos] = await Promise.all([
        api.shelfSpines(this.params.id),
        api.shelfPhotos(this.params.id).catch(() => []),
      ]);
      this.#series = this.#isBySeries() ? await api.series({ gaps: true }).catch(() => []) : null;
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
    drawPhotos(this.photos, this.#photoList, this.#view.boards);
  }
  /** @type {any} */ #view = null;
  /** @type {any[]} */ #photoList = [];
  /** The series with missing volumes; null if the shelf is not sorted by series. @type {any[] | null} */ #series =
    null;

  #drawBoards() {
    if (!this.#view) return;
    const { boards, scannedAt } = this.#view, all = boards.flat();
    const missing = all.filter((one) => one.state === "missing").length;
    const strays = all.filter((one) => one.outOfOrder).length;
    const here = all.filter((one) => one.state !== "elsewhere").length + this.#view.unseen.length;
    // Photos of shelves inside are on their own pages.
    const n = Math.max(here, shelves.get().find((s) => s.id === this.#shelf.id)?.count ?? 0);
    replace(
      this.sub,
      [t("library.count", { n }), scannedAt && t("shelf.scanned", { day: day(scannedAt) })].filter(Boolean).join(" · "),
      missing > 0 && h("span.missing-count", null, " · ", t("shelf.missing", { n: missing })),
      strays > 0 && h("span.missing-count", null, " · ", t("shelf.strays", { n: strays })),
    );
    const changed = () => this.signal.aborted || this.#load();
    const drawn = drawBoards(
      boards,
      this.#photoList,
      (spine) => {
        const { entry, state, outOfOrder } = spine;
        if (state === "elsewhere") askAboutMoved(entry, this.#shelf, changed);
        else if (state !== "present") askAboutGap(entry, this.#shelf, changed);
        else if (entry.ownership === "lent") askAboutLent(entry, this.#shelf, changed);
        else {
          const after = all.find((one) => one.entry.id === outOfOrder.belongsAfter)?.entry.title;
          askAboutStray(entry, after, photoOfPlace(this.#photoList, boards, spine), this.#shelf, changed);
        }
      },
      this.#volumes(),
      (series, number) => this.#wishFor(series, number),
    );
    redraw(this.boards, drawn.map((board, i) => [board, putRow(this.#shelf, boards[i], i, changed)]));
  }

  /** The missing volumes on the boards; none if the shelf is not sorted by series. */
  #volumes() {
    const { boards } = this.#view, series = this.#series;
    if (!series) return new Map();
    const wishes = (books.get() ?? []).filter((book) => book.ownership === "wishlist");
    return new Map(boards.flatMap((board) => [...volumesBetween(board, series, wishes)]));
  }

  /** Puts a missing volume on the wish list, and shows it as wished for. */
  #wishFor(series, number) {
    const renew = async () => {
      await refreshLibrary();
      if (!this.signal.aborted) await this.#load();
    };
    act(t("series.wished", { n: 1 }), api.wishVolumes(series.id, [number]), { changed: renew });
  }

  /** Books without a spine; without photos, all. None are shown if there is anything else on the shelf. */
  #drawBooks(list) {
    const hasBoards = Boolean(this.#view?.boards.length), isEmpty = !hasBoards && this.inside.hidden;
    replace(this.head, t(hasBoards ? "shelf.unseen" : "library.books"));
    replace(this.count, list.length ? number(list.length) : "");
    this.unseen.hidden = !list.length && !isEmpty;
    this.grid.set(list);
    this.querySelector(".empty")?.remove();
    if (!list.length && isEmpty) this.grid.element.after(empty(t("shelf.empty")));
  }

  #more() {
    menu(t("common.more"), [
      { label: t("shelf.rename"), icon: "edit", run: () => this.#rename() },
      { label: t("shelf.newInside"), icon: "plus", run: () => newShelf(this.#shelf) },
      { label: t("shelf.move"), icon: "arrow", run: () => moveShelf(this.#shelf, () => this.#renew()) },
      { label: t("shelf.details"), icon: "tag", run: () => this.#askForDetails() },
      { label: t("labels.print"), icon: "list", run: () => printLabels(this.#shelf) },
      { label: t("shelf.delete"), icon: "trash", danger: true, run: () => this.#delete() },
    ]);
  }

  async #rename() {
    const name = h("input.input", { value: this.#shelf.name, required: true, maxlength: 200, autofocus: true });
    const save = () => api.changeShelf(this.#shelf.id, { name: name.value.trim() }, this.#shelf.etag);
    const renamed = await formSheet(t("shelf.rename"), [field(t("shelf.name"), name)], save);
    if (!renamed) return;
    await this.#renew();
  }

  async #askForDetails() {
    if (!await askForDetails(this.#shelf)) return;
    await this.#renew();
    await this.#load(); // the rule decides what is out of order
  }

  /** Shows the shelf as it is now. */
  async #renew() {
    await loadCounts();
    this.#shelf = await api.shelf(this.#shelf.id);
    if (this.signal.aborted) return;
    replace(this.querySelector("h1"), this.#shelf.name);
    this.#drawPlace();
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
