// The library: search that answers as you type, chips that filter, covers or a list, and several books at once.
import * as api from "../lib/api.js";
import { announce, debounce, h, replace, wide } from "../lib/dom.js";
import { quadOf, shelfOrder, spineSize } from "../lib/geometry.js";
import { currentLanguage, day, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { books, libraryProblem, openLibrary, patchBook, refreshLibrary } from "../lib/library.js";
import { go } from "../lib/router.js";
import { find } from "../lib/search.js";
import { shelves } from "../lib/state.js";
import {
  button,
  confirm,
  define,
  empty,
  field,
  link,
  menu,
  round,
  Screen,
  segmented,
  sheet,
  trouble,
  undoBar,
  wordsFor,
} from "../elements/ui.js";
import { cover } from "../elements/cover.js";
import { chooseShelf } from "../elements/shelves.js";
import { spine } from "../elements/spine.js";
import { Virtual } from "../elements/virtual.js";

/** @type {any} */
const kept = {
  text: "",
  shelf: null,
  reading: null,
  ownership: null,
  tag: null,
  noCover: false,
  needsReview: false,
  sort: "author",
  view: "grid",
  scroll: 0,
};

class LibraryScreen extends Screen {
  #chosen = new Map();
  #choosing = false;
  #list = [];

  build() {
    this.classList.add("library");
    const searching = location.hash.startsWith("#/search");
    if (this.query.get("q")) kept.text = this.query.get("q") ?? "";
    this.input = h("input.input", {
      type: "search",
      value: kept.text,
      placeholder: t("library.searchHint"),
      "aria-label": t("library.search"),
      autocomplete: "off",
      enterkeyhint: "search",
      oninput: debounce(30, () => {
        kept.text = this.input.value;
        this.#draw();
        this.#tell();
      }),
    });
    this.box = h(
      "div.searchbox.lib-search",
      { role: "search", hidden: !wide() && !searching && !kept.text },
      icon("search"),
      this.input,
      round("close", t("common.clear"), {
        class: "bare",
        onclick: () => {
          this.input.value = kept.text = "";
          this.#draw();
          this.input.focus();
        },
      }),
    );
    this.count = h("p", { role: "status" });
    this.chips = h("div.chips", { role: "group", "aria-label": t("library.filters") });
    this.board = h("div.board-place");
    this.order = h("button.quiet.plain-button", { type: "button", onclick: () => this.#sortMenu() });
    this.note = h("div");
    this.tools = h("div.line");
    this.grid = new Virtual({
      label: t("library.books"),
      key: (b) => `${b.id}|${kept.view}`,
      layout: (width) => this.#layout(width),
      draw: (b) => this.#cell(b),
      signal: this.signal,
    });
    this.inspector = h("aside.inspector", { hidden: true, "aria-label": t("work.title") });
    this.bulk = h("div.bulk", { hidden: true, role: "toolbar", "aria-label": t("library.bulk") });
    this.show(
      h(
        "div.page",
        null,
        h(
          "div.page-head.lib-head",
          null,
          h("div.grow", null, h("h1", { tabindex: -1 }, t("nav.library")), this.count),
          this.box,
          this.tools,
        ),
        this.chips,
        this.note,
        this.board,
        h("div.section-head.lib-order", null, h("h2", null, t("library.all")), this.order),
        this.grid.element,
      ),
      this.inspector,
      this.bulk,
    );
    if (this.params.id) this.#inspect(this.params.id);
    replace(
      this.tools,
      round("sort", t("library.sort"), { onclick: () => this.#sortMenu() }),
      round("more", t("common.more"), { onclick: () => this.#more() }),
    );
    books.watch(() => this.#draw(), this.signal);
    shelves.watch(() => this.#draw(), this.signal);
    libraryProblem.watch(() => this.#draw(), this.signal);
    openLibrary().then(() => this.#latest());
    api.tags().then((list) => {
      this.#tags = list;
      if (!this.signal.aborted) this.#draw();
    }, () => {});
    if (searching) setTimeout(() => this.input.focus(), 0);
    else if (kept.scroll) setTimeout(() => scrollTo(0, kept.scroll), 0);
    this.on(globalThis, "scroll", () => (kept.scroll = scrollY), { passive: true });
  }

  /** Another book of the same library: the list stays as it is. @param {Record<string, string>} params */
  paramsChanged(params) {
    this.params = params;
    this.#inspect(params.id);
  }

  /** Wide screens show the book beside the list. */
  async #inspect(id) {
    this.classList.toggle("split", Boolean(id));
    this.inspector.hidden = !id;
    for (const cell of /** @type {any} */ (this.querySelectorAll(".cell"))) {
      cell.classList.toggle("open", cell.dataset.id === id);
    }
    if (!id) {
      replace(this.inspector);
      const was = /** @type {any} */ (this.querySelector(`.cell[data-id="${CSS.escape(this.#inspected ?? "")}"] a`));
      this.#inspected = null;
      return was?.focus({ preventScroll: true });
    }
    this.#inspected = id;
    const { default: name } = await import("./work.js");
    if (this.params.id !== id) return;
    const book = /** @type {any} */ (document.createElement(name));
    Object.assign(book, { params: { id }, inside: true });
    replace(this.inspector, book);
    announce(books.get()?.find((b) => b.id === id)?.title ?? "");
  }
  /** @type {string | null} */ #inspected = null;

  #tell = debounce(500, () => !this.signal.aborted && announce(t("library.found", { n: this.#list.length })));

  #layout(width) {
    if (kept.view === "list") return { columns: 1, rowHeight: 84, gap: 0 };
    const gap = width < 500 ? 14 : 24;
    const columns = width < 340 ? 2 : width < 560 ? 3 : width < 740 ? 4 : width < 1000 ? 5 : 6;
    const cell = (width - gap * (columns - 1)) / columns;
    return { columns, rowHeight: cell * 1.5 + 68, gap };
  }

  #draw() {
    if (this.signal.aborted || !this.grid) return;
    const all = books.get();
    const problem = libraryProblem.get();
    const filtered = kept.text || kept.shelf || kept.reading || kept.ownership || kept.tag || kept.noCover ||
      kept.needsReview;
    replace(
      this.note,
      problem && all?.length
        ? h("div.note", { role: "status" }, icon("offline"), h("p", null, t("library.readOnly")))
        : problem
        ? trouble(problem, () => refreshLibrary())
        : null,
    );
    this.#drawChips();
    replace(this.order, t(`sort.${kept.sort}`));
    if (all === null) {
      replace(this.count, "\u00a0");
      this.grid.set([]);
      this.grid.element.classList.add("loading");
      return;
    }
    this.grid.element.classList.remove("loading");
    const nShelves = new Set(all.map((b) => b.shelfId).filter(Boolean)).size;
    replace(
      this.count,
      filtered
        ? t("library.found", { n: this.#list.length })
        : nShelves
        ? `${t("library.count", { n: all.length })} ${t("library.onShelves", { n: nShelves })}`
        : t("library.count", { n: all.length }),
    );
    this.#list = find(all, kept, currentLanguage());
    if (filtered) replace(this.count, t("library.found", { n: this.#list.length }));
    /** @type {any} */ (this.querySelector(".lib-order")).hidden = !this.#list.length;
    this.querySelector(".empty")?.remove();
    this.grid.set(this.#list);
    this.board.hidden = Boolean(filtered) || this.#choosing;
    if (!this.#list.length && !problem) {
      this.grid.element.after(
        filtered
          ? empty(t("library.nothingFits"), button(t("library.showAll"), { onclick: () => this.#clear() }))
          : empty(t("library.empty"), link(t("scans.new"), "#/scan", { kind: "main" }, "scan")),
      );
    }
  }

  #clear() {
    Object.assign(kept, {
      text: "",
      shelf: null,
      reading: null,
      ownership: null,
      tag: null,
      noCover: false,
      needsReview: false,
    });
    this.input.value = "";
    this.#draw();
  }

  #drawChips() {
    const chip = (word, on, run, iconName) =>
      h(
        "button.chip",
        {
          type: "button",
          "aria-pressed": String(on),
          "data-chip": word,
          onclick: () => {
            run();
            this.#draw();
            this.#tell();
            /** @type {any} */ (this.chips.querySelector(`[data-chip="${CSS.escape(word)}"]`))?.focus();
          },
        },
        iconName && icon(iconName),
        word,
      );
    const none = !kept.reading && !kept.shelf && !kept.noCover && !kept.needsReview && kept.ownership !== "lent" &&
      !kept.tag;
    const scroll = this.chips.scrollLeft;
    replace(
      this.chips,
      chip(t("library.chip.all"), none, () =>
        Object.assign(kept, {
          reading: null,
          shelf: null,
          noCover: false,
          needsReview: false,
          ownership: null,
          tag: null,
        })),
      ["toRead", "reading", "read"].map((s) =>
        chip(t(`reading.${s}`), kept.reading === s, () => (kept.reading = kept.reading === s ? null : s))
      ),
      !wide() &&
        shelves.get().map((s) =>
          chip(s.name, kept.shelf === s.id, () => (kept.shelf = kept.shelf === s.id ? null : s.id), "place")
        ),
      chip(t("library.chip.noCover"), kept.noCover, () => (kept.noCover = !kept.noCover)),
      chip(t("library.chip.needsReview"), kept.needsReview, () => (kept.needsReview = !kept.needsReview)),
      chip(
        t("library.chip.lent"),
        kept.ownership === "lent",
        () => (kept.ownership = kept.ownership === "lent" ? null : "lent"),
      ),
      this.#tags.map((tag) => chip(tag, kept.tag === tag, () => this.#byTag(kept.tag === tag ? null : tag), "tag")),
    );
    this.chips.scrollLeft = scroll;
  }

  /** The shelf that grew last, with its real spines out of the photo. */
  async #latest() {
    const all = books.get() ?? [];
    const newest = all.reduce((a, b) => !a || String(b.addedAt) > String(a.addedAt) ? b : a, null);
    if (this.signal.aborted || !newest) return replace(this.board);
    let photo;
    try {
      const { position } = await api.book(newest.id);
      if (!position) return replace(this.board);
      photo = await api.photo(position.photoId);
    } catch {
      return; // decoration: the list below has the books
    }
    if (this.signal.aborted) return;
    const known = new Map(all.map((b) => [String(b.id), b]));
    const standing = shelfOrder(photo.detections.filter((d) => known.has(String(d.entryId)))).slice(0, 40);
    if (!standing.length) return replace(this.board);
    const today = all.filter((b) => new Date(b.addedAt).toDateString() === new Date().toDateString()).length;
    const size = (d) => spineSize(quadOf(d), photo.width, photo.height);
    const tallest = Math.max(...standing.map((d) => size(d).long));
    replace(
      this.board,
      h(
        "div.section-head",
        null,
        h("h2", null, newest.shelfName || t("library.latest")),
        h("span.quiet", null, today ? t("library.addedToday", { n: today }) : day(newest.addedAt)),
      ),
      h(
        "div.board",
        { role: "group", "aria-label": newest.shelfName || t("library.latest"), tabindex: 0 },
        h(
          "div.board-spines",
          null,
          standing.map((d) => {
            const { long, short } = size(d), high = Math.max(96, 184 * long / tallest);
            return h("a", {
              href: `#/library/${encodeURIComponent(d.entryId)}`,
              "aria-label": known.get(String(d.entryId)).title,
              tabindex: -1,
            }, spine({ source: photo.url, quad: quadOf(d) }, { long: high, short: Math.max(9, high * short / long) }));
          }),
        ),
      ),
    );
  }

  #cell(book) {
    const id = String(book.id), chosen = this.#chosen.has(id);
    const author = (book.authors ?? []).join(", ");
    const inside = kept.view === "list"
      ? [
        cover(book, { size: "xs" }),
        h(
          "span.grow",
          null,
          h("span.title.clip", null, book.title),
          h("span.quiet.clip", null, author || t("book.noAuthor")),
        ),
        h(
          "span.caption",
          null,
          [book.shelfName, book.ownership === "lent" ? t("library.chip.lent") : ""].filter(Boolean).join(" · "),
        ),
      ]
      : [cover(book), h("span.title.clip", null, book.title), h("span.cell-author.clip", null, author || "\u00a0")];
    const mark = book.reviewStatus === "needsReview" &&
      h("span.cell-mark", null, icon("review_tier", { label: t("tier.review") }));
    return h(
      "li",
      { class: `cell ${kept.view}${chosen ? " chosen" : ""}${this.#inspected === id ? " open" : ""}`, "data-id": id },
      this.#choosing
        ? h(
          "button.cell-main",
          {
            type: "button",
            "aria-pressed": String(chosen),
            onclick: (e) => this.#toggle(book, e.currentTarget),
          },
          inside,
          mark,
          h("span.dot", { "aria-hidden": "true" }, icon("check")),
        )
        : h(
          "a.cell-main",
          {
            href: `#/library/${encodeURIComponent(id)}`,
            "aria-label": author ? t("book.by", { title: book.title, author }) : book.title,
          },
          inside,
          mark,
        ),
    );
  }

  #tags = /** @type {string[]} */ ([]);

  /** Tags are the server's to look up: the list does not carry them. */
  async #byTag(tag) {
    kept.tag = tag;
    kept.tagged = null;
    if (!tag) return;
    try {
      kept.tagged = await api.taggedBooks(tag);
    } catch (error) {
      kept.tag = null;
      undoBar(wordsFor(error));
    }
    this.#draw();
  }

  // ---- several at once

  #choose(on) {
    this.#choosing = on;
    this.#chosen.clear();
    this.bulk.hidden = !on;
    this.classList.toggle("choosing", on);
    this.#draw();
    this.#drawBulk();
    if (on) announce(t("library.choosing"));
  }

  #toggle(book, element) {
    const id = String(book.id);
    if (this.#chosen.has(id)) this.#chosen.delete(id);
    else this.#chosen.set(id, book);
    element.setAttribute("aria-pressed", String(this.#chosen.has(id)));
    element.closest("li").classList.toggle("chosen", this.#chosen.has(id));
    this.#drawBulk();
  }

  #drawBulk() {
    const n = this.#chosen.size;
    replace(
      this.bulk,
      h("span.grow", { role: "status" }, t("library.chosen", { n })),
      n < this.#list.length && button(t("library.chooseAll"), {
        kind: "small link",
        onclick: () => {
          this.#list.forEach((b) => this.#chosen.set(String(b.id), b));
          this.grid?.redraw();
          this.#drawBulk();
        },
      }),
      round("place", t("library.toShelf"), { disabled: !n, onclick: () => this.#bulkShelf() }),
      round("tag", t("library.addTag"), { disabled: !n, onclick: () => this.#bulkTag() }),
      round("eye", t("library.setReading"), { disabled: !n, onclick: () => this.#bulkReading() }),
      round("trash", t("common.delete"), { disabled: !n, onclick: () => this.#bulkDelete() }),
      round("close", t("common.done"), { onclick: () => this.#choose(false) }),
    );
  }

  /** Changes the chosen books here at once and on the server with one request. */
  async #bulkChange(here, change, words) {
    const list = [...this.#chosen.values()];
    list.forEach((b) => patchBook(b.id, here(b)));
    this.#choose(false);
    try {
      const { undoToken } = await api.bulk(list.map((b) => b.id), change);
      undoBar(
        words,
        undoToken && (async () => {
          await api.undo([undoToken]);
          refreshLibrary();
        }),
      );
    } catch (error) {
      undoBar(wordsFor(error));
    }
    refreshLibrary();
  }

  #bulkShelf() {
    const n = this.#chosen.size;
    const put = (shelf) =>
      this.#bulkChange(() => ({ shelfId: shelf?.id ?? null, shelfName: shelf?.name ?? null }), {
        shelf: shelf?.id ?? null,
      }, t("library.moved", { n, shelf: shelf?.name ?? t("scan.noShelf") }));
    chooseShelf(t("library.toShelf"), null, put);
  }

  #bulkReading() {
    const n = this.#chosen.size;
    menu(
      t("library.setReading"),
      ["toRead", "reading", "read"].map((s) => ({
        label: t(`reading.${s}`),
        icon: "eye",
        run: () => this.#bulkChange(() => ({ readingStatus: s }), { readingStatus: s }, t("library.changed", { n })),
      })),
    );
  }

  #bulkTag() {
    const input = h("input.input", {
      name: "tag",
      required: true,
      maxlength: 60,
      autofocus: true,
      autocomplete: "off",
    });
    sheet(t("library.addTag"), (close) =>
      h(
        "form",
        {
          onsubmit: (e) => {
            e.preventDefault();
            close(input.value.trim());
          },
        },
        field(t("library.tag"), input),
        h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
      )).then((tag) => {
        if (!tag) return;
        const n = this.#chosen.size;
        this.#bulkChange(
          (b) => ({ tags: [...new Set([...(b.tags ?? []), tag])] }),
          { addTags: [tag] },
          t("library.changed", { n }),
        );
      });
  }

  async #bulkDelete() {
    const list = [...this.#chosen.values()];
    if (
      list.length > 20 &&
      !(await confirm(t("library.deleteTitle", { n: list.length }), t("library.deleteText"), t("common.delete"), {
        danger: true,
      }))
    ) return;
    this.#choose(false);
    const ids = new Set(list.map((b) => String(b.id)));
    books.update((all) => (all ?? []).filter((b) => !ids.has(String(b.id))));
    let done;
    try {
      done = await api.bulk([...ids], { delete: true });
    } catch (error) {
      undoBar(wordsFor(error));
      return refreshLibrary();
    }
    undoBar(
      t("library.deleted", { n: list.length }),
      done.undoToken && (async () => {
        await api.undo([done.undoToken]);
        await refreshLibrary();
      }),
    );
    refreshLibrary();
  }

  // ---- menus

  #sortMenu() {
    sheet(
      t("library.sort"),
      (close) =>
        h(
          "div.stack",
          { style: { "--gap": "20px" } },
          segmented(t("library.view"), [["grid", t("library.grid")], ["list", t("library.list")]], kept.view, (v) => {
            kept.view = v;
            this.grid?.layout(true);
          }),
          h(
            "div.menu",
            { role: "radiogroup", "aria-label": t("library.sort") },
            ["author", "title", "added", "year", "rating"].map((s) =>
              h(
                "button",
                {
                  type: "button",
                  role: "radio",
                  "aria-checked": String(kept.sort === s),
                  onclick: () => {
                    kept.sort = s;
                    this.#draw();
                    close();
                  },
                },
                icon(kept.sort === s ? "check" : "sort"),
                h("span.grow", null, t(`sort.${s}`)),
              )
            ),
          ),
        ),
    );
  }

  #more() {
    menu(t("common.more"), [
      { label: t("library.choose"), icon: "check", run: () => this.#choose(true) },
      { label: t("add.title"), icon: "plus", run: () => go("/add") },
      { label: t("shelves.title"), icon: "place", run: () => go("/shelves") },
      { label: t("stats.title"), icon: "chart", run: () => go("/stats") },
      { label: t("import.title"), icon: "lent", run: () => go("/import") },
    ]);
  }

  queryChanged(query) {
    void query;
    return false;
  }
}

export default define("sl-library", LibraryScreen);
export const title = () => t("nav.library");
