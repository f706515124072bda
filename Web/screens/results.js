// Results of a scan: the photo with an outline per book, the chosen book beside or below it, and what to do with them.
import * as api from "../lib/api.js";
import { announce, h, isTyping, replace, wide } from "../lib/dom.js";
import { quadOf, shelfOrder, spineSize } from "../lib/geometry.js";
import { percent, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { refreshLibrary } from "../lib/library.js";
import * as queue from "../lib/queue.js";
import { back, go } from "../lib/router.js";
import { byTier, tierOfBook, TIERS } from "../lib/tiers.js";
import {
  button,
  confirm,
  define,
  field,
  link,
  menu,
  round,
  Screen,
  sheet,
  tier,
  trouble,
  undoBar,
} from "../elements/ui.js";
import { cover } from "../elements/cover.js";
import { findMatch } from "../elements/match.js";
import { spine } from "../elements/spine.js";
import { stage } from "../elements/stage.js";

class ResultsScreen extends Screen {
  #photos = [];
  #index = 0;
  #chosen = null;
  #scan;
  #job;
  #rows = new Map();
  #objectUrls = [];

  async build() {
    this.classList.add("results");
    this.#scan = queue.find(this.params.id);
    this.#job = this.#scan?.job ?? { id: this.params.id };
    this.stage = stage({ class: "results-stage", role: "group", "aria-label": t("results.photo") });
    this.top = h("div.results-top");
    this.row = h("div.spine-row", { role: "slider", tabindex: 0, "aria-label": t("results.row"), "aria-valuemin": 0 });
    this.panel = h("section.results-panel", { "aria-label": t("results.books") });
    this.show(
      h("div.results-photo.dark", null, this.top, this.stage, h("div.wide-row", null)),
      this.panel,
    );
    this.on(this.stage, "pick", (e) => this.#choose(e.detail.id));
    this.on(this.row, "keydown", (e) => this.#rowKeys(e));
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    const media = matchMedia("(min-width: 700px)");
    media.addEventListener("change", () => this.#draw(), { signal: this.signal });
    await this.#load();
    if (this.signal.aborted) return;
    // Covers and details come as the providers answer.
    if (this.#scan) queue.scans.watch(() => this.#enrich(), this.signal);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    setTimeout(() => this.#objectUrls.forEach((url) => URL.revokeObjectURL(url)), 1000);
  }

  async #load() {
    let results;
    try {
      results = await api.scanResults(this.#job);
    } catch (error) {
      if (this.signal.aborted) return;
      return replace(
        this.panel,
        h("div.panel-body", null, h("h1", { tabindex: -1 }, t("results.title")), trouble(error, () => this.#load())),
      );
    }
    if (this.signal.aborted) return;
    const urls = await Promise.all(results.photos.map(async (_photo, i) => {
      const blob = this.#scan ? await queue.photoBlob(this.#scan.photos[i]) : undefined;
      if (!blob) return api.photoAddress(this.#job, i + 1);
      const url = URL.createObjectURL(blob);
      this.#objectUrls.push(url);
      return url;
    }));
    this.#photos = results.photos.map((photo, i) => ({ ...photo, url: urls[i], books: shelfOrder(photo.books ?? []) }));
    this.#draw();
    this.#suggest(results.suggestions);
    if (results.folded) announce(t("results.duplicates", { n: results.folded }));
  }

  get photo() {
    return this.#photos[this.#index];
  }
  get books() {
    return this.photo?.books.filter((b) => b.mark !== "gone") ?? [];
  }
  get all() {
    return this.#photos.flatMap((p) => p.books).filter((b) => b.mark !== "gone");
  }
  #open(list = this.all) {
    return list.filter((b) => !b.mark);
  }

  #enrich() {
    let changed = false;
    for (const book of this.all) {
      const news = this.#scan.live?.enrichments?.get?.(book.id);
      if (!news?.metadata || book.enrichment === news.enrichment) continue;
      const { coverUrl, publisher, year, isbn } = api.scanBook({ ...book, metadata: news.metadata });
      Object.assign(book, { coverUrl, publisher, year, isbn, enrichment: news.enrichment });
      changed = true;
    }
    if (changed) this.#drawPanel();
  }

  #draw() {
    if (!this.photo) return;
    const n = this.#photos.length;
    const groups = byTier(this.#open(this.books));
    const place = this.#scan?.shelfName ?? t("scan.noShelf");
    replace(
      this.top,
      round("back", t("common.back"), { class: "photo-glass", onclick: () => back("/scan") }),
      h(
        "button.pill.photo-glass",
        {
          type: "button",
          class: n > 1 ? "compact" : "",
          "aria-label": t("results.tiers", {
            review: groups.review.length,
            verify: groups.verify.length,
            ready: groups.ready.length,
          }),
          onclick: () => this.#nextUnsure(),
        },
        wide()
          ? h("span.clip", null, n > 1 ? t("results.place", { place, n: this.#index + 1, of: n }) : place)
          : TIERS.map((name) =>
            h(
              "span",
              { class: `pt ${name}` },
              icon(`${name}_tier`),
              h("b.nums", null, groups[name].length),
              h("span", null, t(`results.short.${name}`)),
            )
          ),
      ),
      h("span.grow.spacer"),
      n > 1 && round("photo", t("results.otherPhoto"), { class: "photo-glass", onclick: () => this.#other() }),
      wide() && link(t("results.again"), "#/scan", { kind: "small photo-glass" }, "scan"),
      round("more", t("common.more"), { class: "photo-glass", onclick: () => this.#more() }),
    );
    this.stage.mode = wide() ? "fit" : "cover";
    this.stage.insets = wide() ? { top: 0, right: 0, bottom: 0, left: 0 } : { top: 0, right: 0, bottom: 28, left: 0 };
    this.stage.show(this.photo.url, this.photo.width, this.photo.height);
    this.#drawRow();
    this.#drawPanel();
  }

  #drawRow() {
    const { width, height, url } = this.photo;
    const room = wide() ? 128 : 62;
    const tallest = Math.max(1, ...this.books.map((b) => spineSize(quadOf(b), width, height).long));
    this.#rows.clear();
    replace(
      this.row,
      this.books.map((book) => {
        const { long, short } = spineSize(quadOf(book), width, height);
        const high = Math.max(room * 0.6, room * long / tallest);
        const item = h(
          "span",
          { "aria-hidden": "true", onclick: () => this.#choose(book.id) },
          spine({ source: url, quad: quadOf(book) }, { long: high, short: high * short / long }),
        );
        this.#rows.set(book.id, item);
        return item;
      }),
    );
    const place = wide() ? this.querySelector(".wide-row") : null;
    if (place) place.replaceChildren(this.row);
  }

  #drawPanel() {
    const groups = byTier(this.#open(this.books));
    this.stage.setBooks(this.books.filter((b) => b.mark !== "added" || b.id === this.#chosen));
    const book = this.books.find((b) => b.id === this.#chosen);
    for (const [id, item] of this.#rows) {
      item.classList.toggle("here", id === this.#chosen);
      item.classList.toggle("taken", this.books.find((b) => b.id === id)?.mark === "added");
      item.hidden = !this.books.some((b) => b.id === id);
    }
    const index = this.books.indexOf(book);
    this.row.setAttribute("aria-valuemax", String(this.books.length));
    this.row.setAttribute("aria-valuenow", String(index + 1));
    this.row.setAttribute("aria-valuetext", book ? this.#name(book, index) : t("results.noneChosen"));
    const hadFocus = this.panel.contains(document.activeElement) && document.activeElement !== this.row;
    const keep = hadFocus ? document.activeElement?.getAttribute("data-key") : null;
    const scroll = this.panel.querySelector(".panel-list")?.scrollTop ?? 0;
    if (wide()) replace(this.panel, this.#wideList(groups), this.#dock());
    else if (book) replace(this.panel, h("div.grab", { "aria-hidden": "true" }), this.#bookCard(book), this.row);
    else {replace(
        this.panel,
        h("div.grab", { "aria-hidden": "true" }),
        this.#summary(),
        this.row,
        this.#dock(),
      );}
    const list = this.panel.querySelector(".panel-list");
    if (list) list.scrollTop = scroll;
    if (keep) {
      /** @type {any} */ (this.panel.querySelector(`[data-key="${CSS.escape(keep)}"]`))?.focus({ preventScroll: true });
    }
  }

  #name(book, index) {
    return t("results.bookName", {
      n: index + 1,
      of: this.books.length,
      title: book.title || t("book.unread"),
      author: book.author || t("book.noAuthor"),
      tier: t(`tier.${tierOfBook(book)}`),
      sure: percent(book.confidence ?? 0),
    });
  }

  #summary() {
    return h(
      "div.panel-body",
      null,
      h("h1", { tabindex: -1 }, t("results.found", { n: this.all.length })),
      h("p.quiet", null, this.#state()),
    );
  }

  #state() {
    const groups = byTier(this.#open());
    const unsure = groups.review.length + groups.verify.length;
    const added = this.all.filter((b) => b.mark === "added").length;
    if (!this.all.length) return t("results.none");
    if (added && !this.#open().length) return t("results.allAdded");
    if (!unsure) return t("results.allReady", { n: groups.ready.length });
    return `${t("results.ready", { n: groups.ready.length })} ${t("results.unsure", { n: unsure })}`;
  }

  #dock() {
    const groups = byTier(this.#open());
    const unsure = groups.review.length + groups.verify.length;
    return h(
      "div.panel-dock",
      null,
      this.all.length === 0 && link(t("results.again"), "#/scan", { kind: "main grow" }, "scan"),
      unsure > 0 &&
        button(t("results.review", { n: unsure }), { "data-key": "review", onclick: () => this.#nextUnsure() }),
      groups.ready.length > 0 &&
        button(t("results.addReady", { n: groups.ready.length }), {
          kind: "main grow",
          "data-key": "add",
          onclick: () => this.#addAll(groups.ready),
        }, "plus"),
      groups.ready.length === 0 && unsure > 0 &&
        button(t("results.addUnsure", { n: unsure }), {
          kind: "main grow",
          "data-key": "add",
          onclick: () => this.#addAll(this.#open()),
        }, "plus"),
      this.all.length > 0 && !this.#open().length &&
        link(t("results.toLibrary"), "#/library", { kind: "main grow" }, "library"),
    );
  }

  #wideList(groups) {
    const added = this.books.filter((b) => b.mark === "added");
    return h(
      "div.panel-list",
      null,
      h(
        "div.panel-head",
        null,
        h("h1", { tabindex: -1 }, t("results.found", { n: this.all.length })),
        h("p.quiet", null, this.#state()),
      ),
      this.#hintBox,
      TIERS.filter((name) => groups[name].length).map((name) =>
        h(
          "section",
          null,
          h("div.section-head", null, h("h2", null, tier(name)), h("span.nums.quiet", null, groups[name].length)),
          h("ul", null, groups[name].map((book) => this.#listRow(book))),
        )
      ),
      added.length > 0 &&
        h(
          "section",
          null,
          h("div.section-head", null, h("h2", null, t("results.added")), h("span.nums.quiet", null, added.length)),
          h("ul", null, added.map((book) => this.#listRow(book))),
        ),
    );
  }

  #listRow(book) {
    const here = book.id === this.#chosen;
    return h(
      "li",
      { class: `result-row${here ? " here" : ""}` },
      h(
        "button.result-main",
        {
          type: "button",
          "data-key": `row-${book.id}`,
          "aria-expanded": String(here),
          onclick: () => this.#choose(here ? null : book.id),
        },
        h(
          "span.strip",
          null,
          spine({ source: this.photo.url, quad: quadOf(book) }, { lie: true, long: 160, short: 30 }),
        ),
        h(
          "span.grow",
          null,
          h("span.title.clip", { class: this.#unsureTitle(book) ? "uncertain" : "" }, this.#titleWords(book)),
          h("span.quiet.clip", null, book.author || t("book.noAuthor")),
        ),
        h(
          "span.caption.nums",
          null,
          book.mark === "added"
            ? icon("check", { label: t("results.isAdded") })
            : [percent(book.confidence ?? 0), h("span.sr", null, ` ${t("book.sureWord")}`)],
        ),
      ),
      here && this.#bookCard(book, true),
    );
  }

  #unsureTitle(book) {
    return tierOfBook(book) === "review" && !book.author;
  }
  #titleWords(book) {
    if (!book.title) return t("book.unread");
    return this.#unsureTitle(book) ? t("book.quoted", { title: book.title }) : book.title;
  }

  #bookCard(book, inList = false) {
    const name = tierOfBook(book);
    const lines = (book.text ?? []).map((l) => l.text).filter(Boolean);
    const added = book.mark === "added";
    const actions = h(
      "div.card-links",
      null,
      button(t("book.correct"), { kind: "link", "data-key": "correct", onclick: () => this.#edit(book) }, "edit"),
      button(t("book.findMatch"), { kind: "link", "data-key": "match", onclick: () => this.#match(book) }, "search"),
      button(t("book.notABook"), { kind: "link", "data-key": "not", onclick: () => this.#notABook(book) }, "close"),
    );
    const main = added
      ? h("p.line.added-word", null, icon("check"), t("results.isAdded"))
      : button(name === "ready" ? t("results.addOne") : t("book.yes"), {
        kind: "main grow",
        "data-key": "yes",
        onclick: () => this.#addAll([book], false),
      }, name === "ready" ? "plus" : "check");
    const alternatives = (book.matches ?? []).filter((m) => m.title !== book.title || m.author !== book.author).slice(
      0,
      2,
    );
    return h(
      "div.book-card",
      { class: inList ? "in-list" : "" },
      h(
        "div.card-scroll",
        null,
        !inList &&
          h(
            "div.line.between",
            null,
            tier(name),
            h("span.quiet", null, t("book.sure", { p: percent(book.confidence ?? 0) })),
          ),
        h(
          "div.book-card-main",
          null,
          inList
            ? h("div.card-spine", null, spine({ source: this.photo.url, quad: quadOf(book) }, { long: 150, short: 60 }))
            : cover(book, { size: "m" }),
          h(
            "div.grow",
            null,
            inList ? h("p.caption", null, t("book.sure", { p: percent(book.confidence ?? 0) })) : h(
              "h1.title-lg",
              { tabindex: -1, class: this.#unsureTitle(book) ? "uncertain" : "" },
              this.#titleWords(book),
            ),
            !inList && h("p.card-author", null, book.author || t("book.noAuthor")),
            book.publisher || book.year
              ? h("p.quiet", null, [book.publisher, book.year].filter(Boolean).join(", "))
              : null,
            book.isbn && h("p.quiet.nums", null, t("book.isbn", { isbn: book.isbn })),
            lines.length > 0 &&
              h("div.read-lines", null, h("p.caption", null, t("book.weRead")), h("p.lines", null, lines.join(" · "))),
          ),
        ),
        alternatives.length > 0 && name !== "ready" &&
          h(
            "div.alternatives",
            null,
            h("h2", null, t("book.couldBe")),
            alternatives.map((m, i) =>
              h(
                "button.alternative",
                {
                  type: "button",
                  "data-key": `alt-${i}`,
                  onclick: () => this.#use(book, m),
                },
                cover(m, { size: "xs" }),
                h(
                  "span.grow",
                  null,
                  h("span.title", null, m.title),
                  h(
                    "span.caption",
                    null,
                    [
                      m.author,
                      m.source && t(`source.${m.source}`) !== `source.${m.source}` ? t(`source.${m.source}`) : m.source,
                    ].filter(Boolean).join(" · "),
                  ),
                ),
                h("span.use", null, t("book.use")),
              )
            ),
          ),
      ),
      !added && actions,
      h(
        "div.card-main",
        null,
        !inList &&
          round("back", t("results.previous"), { class: "big", "data-key": "prev", onclick: () => this.#step(-1) }),
        main,
        !inList && round("next", t("results.next"), { class: "big", "data-key": "next", onclick: () => this.#step(1) }),
      ),
    );
  }

  #choose(id, { pan = true } = {}) {
    this.#chosen = id;
    this.#drawPanel();
    if (!wide()) requestAnimationFrame(() => this.stage.layout());
    this.stage.choose(id, { pan });
    const book = this.books.find((b) => b.id === id);
    if (!book) return;
    announce(this.#name(book, this.books.indexOf(book)));
    this.#rows.get(id)?.scrollIntoView({ inline: "center", block: "nearest", behavior: "smooth" });
    this.panel.querySelector(".result-row.here")?.scrollIntoView({ block: "nearest" });
  }

  #step(by) {
    const list = this.books;
    if (!list.length) return;
    const at = list.findIndex((b) => b.id === this.#chosen);
    this.#choose(list[(at + by + list.length) % list.length].id);
  }

  #nextUnsure() {
    for (let i = 0; i < this.#photos.length; i++) {
      const photo = this.#photos[(this.#index + i) % this.#photos.length];
      const groups = byTier(this.#open(photo.books.filter((b) => b.mark !== "gone")));
      const next = [...groups.review, ...groups.verify].find((b) => b.id !== this.#chosen) ?? groups.review[0] ??
        groups.verify[0];
      if (!next) continue;
      if (photo !== this.photo) {
        this.#index = this.#photos.indexOf(photo);
        this.#draw();
      }
      return this.#choose(next.id);
    }
  }

  #other() {
    this.#index = (this.#index + 1) % this.#photos.length;
    this.#chosen = null;
    this.stage.choose(null);
    this.#draw();
    announce(
      t("results.place", {
        place: this.#scan?.shelfName ?? t("scan.noShelf"),
        n: this.#index + 1,
        of: this.#photos.length,
      }),
    );
  }

  #rowKeys(event) {
    const list = this.books, at = list.findIndex((b) => b.id === this.#chosen);
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: list.length - 1,
      PageUp: at + 5,
      PageDown: at - 5,
    }[event.key];
    if (to === undefined || !list.length) return;
    event.preventDefault();
    this.#choose(list[Math.max(0, Math.min(list.length - 1, to))].id);
    this.row.focus({ preventScroll: true });
  }

  #keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    if (event.target === this.row && event.key.startsWith("Arrow")) return;
    const book = this.books.find((b) => b.id === this.#chosen);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const work = {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      ArrowLeft: () => this.#step(-1),
      v: () => book && !book.mark && this.#addAll([book], false),
      e: () => book && this.#edit(book),
      m: () => book && this.#match(book),
      Escape: () => book && this.#choose(null),
      "+": () => this.stage.zoom(1.4),
      "-": () => this.stage.zoom(1 / 1.4),
      0: () => this.stage.reset(),
    }[key];
    if (!work) return;
    event.preventDefault();
    work();
  }

  // ---- what a person decides

  async #addAll(books, ask = books.length > 1) {
    if (!books.length) return;
    if (
      ask &&
      !(await confirm(
        t("results.addTitle", { n: books.length }),
        t("results.addText"),
        t("results.addYes", { n: books.length }),
      ))
    ) return;
    const wasChosen = this.#chosen;
    books.forEach((b) => Object.assign(b, { mark: "added", agreed: books.length === 1 }));
    this.#drawPanel();
    let receipt;
    try {
      receipt = await api.importBooks(this.#job, books, { shelfId: this.#scan?.shelfId });
    } catch (error) {
      books.forEach((b) => delete b.mark);
      this.#drawPanel();
      return void sheet(t("results.notAdded"), () => trouble(error));
    }
    refreshLibrary();
    const there = receipt.skipped.length;
    undoBar(
      there
        ? `${t("results.addedMany", { n: books.length - there })} ${t("results.wereThere", { n: there })}`
        : books.length === 1
        ? t("results.addedOne", { title: books[0].title || t("book.unread") })
        : t("results.addedMany", { n: books.length }),
      async () => {
        await api.undo(receipt.undo);
        books.forEach((b) => delete b.mark);
        refreshLibrary();
        this.#drawPanel();
      },
    );
    if (books.length === 1 && wasChosen === books[0].id) this.#nextOpen();
    await this.#askDuplicates(receipt.duplicates);
  }

  #nextOpen() {
    const list = this.books, at = list.findIndex((b) => b.id === this.#chosen);
    const rest = [...list.slice(at + 1), ...list.slice(0, at)].find((b) => !b.mark);
    this.#choose(rest?.id ?? null);
  }

  /** Books that may be in the library already: asked once, all together. */
  async #askDuplicates(questions) {
    if (!questions.length) return;
    const book = (q) => this.all.find((b) => b.id === q.bookId);
    const second = await sheet(t("duplicate.title", { n: questions.length }), (close) => {
      const wanted = new Set();
      return h(
        "div",
        null,
        h("p.quiet", null, t("duplicate.text", { n: questions.length })),
        h(
          "ul.rows",
          null,
          questions.map((q) =>
            h(
              "li",
              null,
              h(
                "label.kv",
                null,
                cover(q.question?.existing ?? book(q) ?? {}, { size: "xs" }),
                h(
                  "span.grow",
                  null,
                  h("span.title", null, q.question?.title ?? book(q)?.title ?? ""),
                  h("span.caption", { style: { display: "block" } }, t(`duplicate.${q.certainty}`)),
                ),
                h("span.caption", null, t("duplicate.second")),
                h("input", {
                  type: "checkbox",
                  onchange: (e) => e.target.checked ? wanted.add(q.bookId) : wanted.delete(q.bookId),
                }),
              ),
            )
          ),
        ),
        h("div.actions", null, button(t("common.done"), { kind: "main", onclick: () => close([...wanted]) })),
      );
    });
    // Closing the sheet is an answer as well: no second copies, and it is not asked again.
    const ids = (wanted) =>
      questions.filter((q) => Boolean(second?.includes(q.bookId)) === wanted).map((q) => q.question.id);
    try {
      await api.decideDuplicates(ids(true), "addCopy");
      await api.decideDuplicates(ids(false), "existing");
      refreshLibrary();
    } catch (error) {
      sheet(t("results.notAdded"), () => trouble(error));
    }
  }

  #notABook(book) {
    book.mark = "gone";
    const at = this.#chosen;
    this.#nextOpen();
    this.#drawRow();
    this.#drawPanel();
    api.feedback({ jobId: this.#job.id, bookId: book.id, note: "notABook" }).catch(() => {});
    undoBar(t("book.removed"), () => {
      delete book.mark;
      this.#drawRow();
      this.#choose(at);
    });
  }

  #edit(book) {
    const titleInput = h("input.input.serif", {
      name: "title",
      value: book.title ?? "",
      autocomplete: "off",
      autofocus: true,
    });
    const authorInput = h("input.input", { name: "author", value: book.author ?? "", autocomplete: "off" });
    const isbnInput = h("input.input", {
      name: "isbn",
      value: book.isbn ?? "",
      inputmode: "numeric",
      placeholder: t("common.optional"),
      autocomplete: "off",
    });
    sheet(t("correct.title"), (close) =>
      h(
        "form.stack",
        {
          style: { "--gap": "16px" },
          onsubmit: (e) => {
            e.preventDefault();
            close(true);
          },
        },
        h(
          "div.spine-strip",
          null,
          spine({ source: this.photo.url, quad: quadOf(book) }, { lie: true, long: 480, short: 60 }),
        ),
        field(t("book.title"), titleInput),
        field(t("book.author"), authorInput),
        field(t("book.isbnWord"), isbnInput),
        (book.text ?? []).length > 0 &&
          h(
            "div.read-lines",
            null,
            h("p.caption", null, t("book.weRead")),
            h("p.lines", null, book.text.map((l) => l.text).join(" · ")),
          ),
        h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
      )).then((yes) => {
        if (!yes) return;
        const before = {
          title: book.title,
          author: book.author,
          isbn: book.isbn,
          reviewStatus: book.reviewStatus,
          edited: book.edited,
        };
        Object.assign(book, {
          title: titleInput.value.trim(),
          author: authorInput.value.trim(),
          isbn: isbnInput.value.trim() || null,
          reviewStatus: "userEdited",
          edited: true,
        });
        this.#drawPanel();
        undoBar(t("results.corrected"), () => {
          Object.assign(book, before);
          this.#drawPanel();
        });
      });
  }

  async #match(book) {
    const found = await findMatch({
      query: [book.title, book.author].filter(Boolean).join(" ") || (book.text ?? []).map((l) => l.text).join(" "),
      now: book,
      spine: { source: this.photo.url, quad: quadOf(book) },
    });
    if (found) this.#use(book, found);
  }

  #use(book, record) {
    const before = { ...book };
    Object.assign(book, {
      title: record.title,
      author: record.author ?? book.author,
      isbn: record.isbn ?? book.isbn,
      coverUrl: record.coverUrl,
      publisher: record.publisher,
      year: record.year,
      reviewStatus: "userEdited",
      match: record,
    });
    this.#drawPanel();
    undoBar(t("match.used", { title: record.title }), () => {
      for (const key of Object.keys(book)) delete book[key];
      Object.assign(book, before);
      this.#drawPanel();
    });
  }

  #more() {
    const book = this.books.find((b) => b.id === this.#chosen);
    menu(t("common.more"), [
      { label: t("results.again"), icon: "scan", run: () => go("/scan") },
      !wide() && { label: t("results.showList"), icon: "list", run: () => this.#listSheet() },
      book && { label: t("results.report"), icon: "info", run: () => this.#report(book) },
      this.#photos.length > 1 && { label: t("results.otherPhoto"), icon: "photo", run: () => this.#other() },
      this.#open().length > 0 &&
      { label: t("results.addEverything"), icon: "plus", run: () => this.#addAll(this.#open()) },
      { label: t("results.clear"), icon: "trash", danger: true, run: () => this.#clear() },
    ]);
  }

  #listSheet() {
    sheet(
      t("results.books"),
      (close) =>
        h(
          "ul.rows",
          null,
          this.books.map((book) =>
            h(
              "li",
              null,
              h(
                "button.result-main",
                {
                  type: "button",
                  onclick: () => {
                    close();
                    this.#choose(book.id);
                  },
                },
                h(
                  "span",
                  { class: `tier small ${tierOfBook(book)}` },
                  icon(`${tierOfBook(book)}_tier`, { label: t(`tier.${tierOfBook(book)}`) }),
                ),
                h(
                  "span.grow",
                  null,
                  h("span.title.clip", null, this.#titleWords(book)),
                  h("span.quiet.clip", null, book.author || t("book.noAuthor")),
                ),
                h("span.caption.nums", null, percent(book.confidence ?? 0)),
              ),
            )
          ),
        ),
    );
  }

  #report(book) {
    const kinds = ["wrongTitle", "twoBooks", "notABook", "cutOff"];
    menu(
      t("results.report"),
      kinds.map((kind) => ({
        label: t(`report.${kind}`),
        run: async () => {
          try {
            await api.feedback({ jobId: this.#job.id, bookId: book.id, note: kind });
            undoBar(t("report.thanks"));
          } catch (error) {
            sheet(t("results.report"), () => trouble(error));
          }
        },
      })),
    );
  }

  async #clear() {
    if (!(await confirm(t("results.clearTitle"), t("results.clearText"), t("results.clearYes"), { danger: true }))) {
      return;
    }
    const open = this.#open();
    open.forEach((b) => (b.mark = "gone"));
    this.#chosen = null;
    this.#drawRow();
    this.#drawPanel();
    undoBar(t("results.cleared"), () => {
      open.forEach((b) => delete b.mark);
      this.#drawRow();
      this.#drawPanel();
    });
  }

  /** @type {any} */ #hintBox = null;

  /** What would make the next photo better; said once for a scan. */
  #suggest(suggestions) {
    const all = [...suggestions, ...this.#photos.flatMap((p) => p.quality?.suggestions ?? [])];
    if (!all.length) return;
    const key = `shelflist.told-${this.#job.id}`;
    try {
      if (sessionStorage.getItem(key)) return;
      sessionStorage.setItem(key, "1");
    } catch {
      // Then it may be said twice.
    }
    const words = [
      ...new Set(all.map((s) => {
        const code = typeof s === "string" ? s : s.code;
        const own = t(`suggest.${code}`);
        return own === `suggest.${code}` ? (s.message ?? String(s)) : own;
      })),
    ];
    this.#hintBox = h(
      "div.note",
      { role: "status" },
      icon("info"),
      h("p.grow", null, words.join(" ")),
      round("close", t("common.close"), {
        class: "bare",
        onclick: () => {
          this.#hintBox.remove();
          this.#hintBox = null;
        },
      }),
    );
    if (wide()) this.#drawPanel();
    else undoBar(words.join(" "));
  }
}

export default define("sl-results", ResultsScreen);
export const title = () => t("results.title");
