// The library: search as you type, filters, grid or list, and bulk actions.
import * as api from "../lib/api/first.js";
import { announce, debounce, h, replace, runShortcut, wide } from "../lib/dom.js";
import { currentLanguage, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { books, howMany, libraryProblem, openLibrary, refreshLibrary } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { later } from "../lib/rest.js";
import { go } from "../lib/router.js";
import { find } from "../lib/search.js";
import { inside } from "../lib/places.js";
import { shelves } from "../lib/state.js";
import { button, define, empty, errorNote, link, round, Screen } from "../elements/ui.js";
import { Virtual } from "../elements/virtual.js";
import { cell, layout } from "./library/cell.js";
import { drawChips, narrowed, showAll, showSeries, wish } from "./library/wish.js";

const load = {
  book: later(() => import("./work.js")),
  choice: later(() => import("./library/choice.js")),
  details: later(() => import("../elements/details-search.js")),
  drawing: later(() => import("../elements/drawing.js")),
  latest: later(() => import("./library/latest.js")),
  order: later(() => import("./library/order.js")),
  sheet: later(() => import("../elements/sheet.js")),
  spines: later(() => import("./library/spines.js")),
  stocktake: later(() => import("./stocktake/start.js")),
};

class LibraryScreen extends Screen {
  /** @type {Virtual} */ grid = /** @type {any} */ (null);
  /** @type {any[]} */ #list = [];
  /** @type {string[]} */ #tags = [];
  /** The book that is shown beside the list. @type {string | null} */ #inspected = null;
  /** The selection of books, from the first time on. @type {any} */ #choice;
  /** The search for details, once the books are shown. @type {any} */ #search;
  #drawing = false;
  /** Whether what was tapped last could not be loaded. */
  #isPartMissing = false;

  build() {
    this.classList.add("library");
    this.#choice = this.#search = undefined;
    const searching = location.hash.startsWith("#/search");
    if (this.query.get("q")) wish.text = this.query.get("q") ?? "";
    if (this.query.get("series")) showSeries(this.query.get("series") ?? "");
    this.#buildSearch(searching);
    this.count = h("p", { role: "status" });
    this.tools = h(
      "nav.lib-tools",
      { "aria-label": t("library.tools") },
      [["plus", "add.short", "/add"], ["place", "shelves.title", "/shelves"], ["lent", "import.short", "/import"], [
        "chart",
        "stats.title",
        "/stats",
      ]].map(([name, words, to]) => h("a", { href: `#${to}` }, icon(name), h("span", null, t(words)))),
    );
    this.chips = h("div.chips", { role: "group", "aria-label": t("library.filters") });
    this.board = h("div.board-place");
    this.sort = round("sort", t("library.sort"), { onclick: () => this.#orSay(this.#askForOrder()) });
    this.order = h("button.quiet.plain-button", { type: "button", onclick: () => this.#orSay(this.#askForOrder()) });
    this.note = h("div");
    this.searching = h("div.scraps-place");
    this.spines = h("section.section", { hidden: true });
    this.grid = new Virtual({
      label: t("library.books"),
      key: (b) => `${b.id}|${wish.view}`,
      layout,
      draw: (b) => cell(b, { choice: this.#choice, open: this.#inspected }),
      signal: this.signal,
    });
    this.inspector = h("aside.inspector", { hidden: true, "aria-label": t("work.title") });
    this.show(
      h(
        "div.page",
        null,
        h(
          "div.page-head.lib-head",
          null,
          h("div.grow", null, h("h1", { tabindex: -1 }, t("nav.library")), this.count),
          this.box,
          h(
            "div.line",
            null,
            this.sort,
            round("more", t("common.more"), { onclick: () => this.#orSay(this.#more()) }),
          ),
        ),
        this.tools,
        this.chips,
        this.note,
        this.searching,
        this.board,
        h("div.section-head.lib-order", null, h("h2", null, t("library.all")), this.order),
        this.grid.element,
        this.spines,
      ),
      this.inspector,
    );
    if (this.params.id) this.#inspect(this.params.id);
    for (const value of [books, shelves, libraryProblem]) value.watch(() => this.#drawSoon(), this.signal);
    openLibrary().then(() => this.#decorate());
    if (searching) setTimeout(() => this.input.focus(), 0);
    this.on(globalThis, "keydown", (e) => runShortcut(e, this.#inspected ? { Escape: () => go("/library") } : {}));
  }

  #buildSearch(searching) {
    this.input = h("input.input", {
      type: "search",
      value: wish.text,
      placeholder: t("library.searchHint"),
      "aria-label": t("library.search"),
      autocomplete: "off",
      enterkeyhint: "search",
      oninput: debounce(30, () => {
        wish.text = this.input.value;
        this.#changed();
      }),
    });
    this.box = h(
      "div.searchbox.lib-search",
      { role: "search", hidden: !wide() && !searching && !wish.text },
      icon("search"),
      this.input,
      round("close", t("common.clear"), {
        class: "bare clear",
        onclick: () => {
          this.input.value = wish.text = "";
          this.#changed();
          this.input.focus();
        },
      }),
    );
  }

  /** Loads the optional parts: tags to filter by, the search for details, and the latest shelf. */
  async #decorate() {
    if (this.signal.aborted) return;
    api.tags().then((list) => {
      this.#tags = list;
      this.#drawSoon();
    }, () => {}); // without chips for tags
    this.#details().catch(() => {}); // without the progress of a search
    try {
      const { latestShelf } = await load.latest();
      const board = await latestShelf(books.get() ?? []);
      if (!this.signal.aborted) redraw(this.board, board);
    } catch {
      // The list below has the books.
    }
  }

  /** Returns the search for details that runs or ran on the server. */
  async #details() {
    const { DetailsSearch } = await load.details();
    return this.#search ??= new DetailsSearch(
      this.signal,
      () => redraw(this.searching, this.#search.line()),
      refreshLibrary,
    );
  }

  /** Begins to select books. */
  async #choose() {
    const { Choice } = await load.choice();
    if (this.signal.aborted) return;
    if (!this.#choice) {
      this.#choice = new Choice({
        list: () => this.#list,
        changed: () => {
          this.#draw();
          this.grid.redraw();
        },
        search: async (state) => (await this.#details()).follow(state),
      });
      this.append(this.#choice.bar);
    }
    this.#choice.start();
  }

  /** Opens another book beside the same list. @param {Record<string, string>} params */
  paramsChanged(params) {
    this.params = params;
    this.#inspect(params.id);
  }

  /** Shows the book beside the list on wide screens. */
  async #inspect(id) {
    this.classList.toggle("split", Boolean(id));
    this.inspector.hidden = !id;
    for (const one of /** @type {any} */ (this.querySelectorAll(".cell"))) {
      one.classList.toggle("open", one.dataset.id === id);
    }
    if (!id) {
      replace(this.inspector);
      const was = /** @type {any} */ (this.querySelector(`.cell[data-id="${CSS.escape(this.#inspected ?? "")}"] a`));
      this.#inspected = null;
      return was?.focus({ preventScroll: true });
    }
    this.#inspected = id;
    const { default: name } = await load.book();
    if (this.params.id !== id) return;
    const book = /** @type {any} */ (document.createElement(name));
    Object.assign(book, { params: { id }, inside: true });
    replace(this.inspector, book);
    announce(books.get()?.find((b) => b.id === id)?.title ?? "");
  }

  // ---- drawing

  #tell = debounce(500, () => !this.signal.aborted && announce(t("library.found", { n: this.#list.length })));

  /** Applies a change of search, filters or order. */
  #changed() {
    this.#draw();
    this.#tell();
    this.#findSpines();
  }

  #findSpines = debounce(300, async () => {
    const text = wish.text, shown = new Set(this.#list.map((book) => book.id));
    const part = await load.spines().catch(() => undefined); // without it, the list has the answer
    part?.drawSpines(this.spines, text, shown, () => !this.signal.aborted && text === wish.text);
  });

  /** Combines changes into one redraw. */
  #drawSoon() {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => this.#draw());
  }

  #drawNote() {
    const problem = libraryProblem.get();
    redraw(
      this.note,
      this.#isPartMissing && errorNote({ message: t("error.screen") }),
      problem &&
        (books.get()?.length
          ? h("div.note", { role: "status" }, icon("offline"), h("p", null, t("library.readOnly")))
          : errorNote(problem, () => refreshLibrary())),
    );
  }

  #draw() {
    this.#drawing = false;
    if (this.signal.aborted) return;
    const all = books.get(), problem = libraryProblem.get();
    this.#drawNote();
    // An empty library has no filters.
    const nothing = all?.length === 0;
    this.chips.hidden = this.sort.hidden = nothing;
    drawChips(this.chips, this.#tags, all ?? [], () => this.#changed());
    replace(this.order, t(`sort.${wish.sort}`));
    this.grid.element.classList.toggle("loading", all === null);
    this.#list = all
      ? find(all, { ...wish, inside: wish.shelf && inside(shelves.get(), wish.shelf) }, currentLanguage())
      : [];
    // The number is unknown if nothing could be fetched.
    replace(this.count, all && (all.length || !problem) ? this.#countWords(all) : "\u00a0");
    /** @type {any} */ (this.querySelector(".lib-order")).hidden = !this.#list.length;
    this.querySelector(".empty")?.remove();
    this.grid.set(this.#list);
    this.board.hidden = narrowed() || Boolean(this.#choice?.on);
    this.classList.toggle("choosing", Boolean(this.#choice?.on));
    if (all && !this.#list.length && !problem) this.grid.element.after(this.#nothing());
  }

  #countWords(all) {
    if (narrowed()) return t("library.found", { n: this.#list.length });
    const total = howMany(all), placed = all.filter((b) => b.shelfId).length;
    const n = new Set(all.map((b) => b.shelfId).filter(Boolean)).size;
    const books = t("library.count", { n: total });
    if (!n) return books;
    // Some books stand on no shelf, unless the list is still loading.
    return placed < all.length
      ? `${books}, ${t("library.someOnShelves", { n, placed })}`
      : `${books} ${t("library.onShelves", { n })}`;
  }

  /** How to begin; the drawing is loaded only then. */
  #noBooks() {
    const picture = h("div");
    load.drawing().then((drawing) => replace(picture, drawing.emptyShelf()), () => {});
    return empty(t("library.empty"), link(t("scans.new"), "#/scan", { kind: "main" }, "scan"), {
      picture,
      text: t("library.emptyText"),
      more: h(
        "div.line.wrap.center",
        null,
        link(t("add.title"), "#/add", { kind: "link" }, "plus"),
        link(t("import.drop"), "#/import", { kind: "link" }, "lent"),
      ),
    });
  }

  #nothing() {
    if (!narrowed()) return this.#noBooks();
    const clear = () => {
      showAll();
      this.input.value = wish.text = "";
      this.#changed();
    };
    return empty(t("library.nothingFits"), button(t("library.showAll"), { onclick: clear }));
  }

  // ---- menus

  /** Says that what was tapped could not be loaded. @param {Promise<any>} opening */
  #orSay(opening) {
    const say = (isMissing) => {
      this.#isPartMissing = isMissing;
      this.#drawNote();
    };
    return opening.then(() => say(false), () => say(true));
  }

  async #askForOrder() {
    const { askForOrder } = await load.order();
    askForOrder({ reordered: () => this.#draw(), viewed: () => this.grid.layout(true) });
  }

  async #more() {
    const { menu } = await load.sheet();
    const { countable, stocktakeOf } = await load.stocktake();
    const found = narrowed() ? countable(this.#list) : [];
    menu(t("common.more"), [
      { label: t("library.choose"), icon: "check", run: () => this.#orSay(this.#choose()) },
      { label: t("own.title"), icon: "barcode", run: () => go("/own") },
      { label: t("series.title"), icon: "list", run: () => go("/series") },
      { label: t("stocktake.title"), icon: "check", run: () => go("/stocktakes") },
      ...(found.length
        ? [{ label: t("stocktake.startOf", { n: found.length }), icon: "clock", run: () => stocktakeOf(found) }]
        : []),
    ]);
  }
}

export default define("sl-library", LibraryScreen);
export const title = () => t("nav.library");
