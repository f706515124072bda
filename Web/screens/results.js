// Results of a scan: the photo with an outline per book, the chosen book beside or below it, and actions.
import * as api from "../lib/api.js";
import { announce, debounce, h, replace, runShortcut, wide } from "../lib/dom.js";
import { placeAmong, quadOf } from "../lib/geometry.js";
import { ordinal, t } from "../lib/i18n.js";
import * as queue from "../lib/queue.js";
import { redraw } from "../lib/redraw.js";
import { back, go } from "../lib/router.js";
import { byTier, unsureOf } from "../lib/tiers.js";
import { menu } from "../elements/sheet.js";
import { define, errorNote, link, round, Screen } from "../elements/ui.js";
import { undoBar, undoNow, undoPlace } from "../elements/undo.js";
import { placeInWords } from "../elements/place.js";
import { stage } from "../elements/stage.js";
import { resultCard } from "./results/card.js";
import { decisions } from "./results/decide.js";
import { askingWords, dock, listSheet, summary, wideList } from "./results/list.js";
import { downloadResults } from "./results/export.js";
import { removeAdded, sayKept } from "./results/kept.js";
import { ResultsModel } from "./results/model.js";
import { followElsewhere } from "./results/poll.js";
import { photoPill, pill } from "./results/pill.js";
import { SpineRow } from "./results/row.js";
import { suggestion, suggestionNote } from "./results/suggest.js";

/** The most spines of a photo that have a badge: more hide each other. */
const MOST_BADGES = 12;

/** Only unsure books have an outline, and the least certain of them a badge. @param {any[]} books @param {any[]} unsure */
const marked = (books, unsure) =>
  books.map((book) => {
    const at = unsure.indexOf(book);
    return { ...book, isPlain: at < 0, hasBadge: at >= 0 && at < MOST_BADGES };
  });

class ResultsScreen extends Screen {
  /** @type {SpineRow} */ row = /** @type {any} */ (null);
  /** @type {ResultsModel} */ model = /** @type {any} */ (null);
  /** @type {any} */ actions;
  /** @type {any} */ #note = null;
  /** The words about questions to providers that are shown. */
  #asking = "";
  #undoPlace = undoPlace();

  async build() {
    this.classList.add("results");
    this.model = new ResultsModel(this.params.id);
    this.actions = {
      ...decisions(this.model, {
        redraw: () => this.#redraw(),
        choose: (id) => this.#choose(id),
        added: () => this.#readLabels(),
        cleared: (isGone) => isGone ? go("/scan") : this.#show(),
      }),
      choose: (id) => this.#choose(id),
      step: (by) => this.#step(by),
      check: () => this.#check(),
    };
    this.stage = stage({ class: "results-stage", role: "group", "aria-label": t("results.photo") });
    this.top = h("div.results-top");
    this.instead = h("div.results-instead");
    this.wideRow = h("div.wide-row");
    this.row = new SpineRow(this.model, (id) => this.#choose(id));
    this.panel = h("section.results-panel", { "aria-label": t("results.books") });
    this.show(
      h("div.results-photo.dark", null, this.top, this.stage, this.instead, this.wideRow),
      this.panel,
    );
    this.#drawTop();
    redraw(this.panel, this.#undoPlace);
    this.on(this.stage, "missing", () => this.#withoutPhoto());
    this.on(this.stage, "pick", (e) => this.#choose(e.detail.id));
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    this.on(matchMedia("(min-width: 700px)"), "change", () => this.#draw());
    await this.#load();
    if (this.signal.aborted) return;
    // Covers and details arrive as the providers answer.
    if (this.model.scan) queue.scans.watch(() => this.#follow(), this.signal);
    const draw = () => this.#drawPanel();
    if (!this.model.scan && await followElsewhere(this.model, draw, this.signal)) await this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    const { model } = this;
    setTimeout(() => model?.close(), 1000);
  }

  /** Removes the books that the server added from the library again; null if it added none. */
  get #removal() {
    const { undoToken } = this.model;
    return undoToken && (() => removeAdded(undoToken, () => this.signal.aborted || this.#load()));
  }

  async #load() {
    try {
      await this.model.load();
    } catch (error) {
      if (this.signal.aborted) return;
      return redraw(this.panel, this.#undoPlace, this.#problem(error));
    }
    if (this.signal.aborted) return;
    this.#draw();
    this.#suggest();
    const remove = this.#removal;
    if (remove) sayKept(this.model, remove);
    this.#askAboutLabels(false);
    if (this.model.folded) announce(t("results.duplicates", { n: this.model.folded }));
  }

  /** The server keeps results for a limited time; then it answers 404 or 410. */
  #problem(error) {
    const isGone = error?.status === 404 || error?.status === 410;
    return h(
      "div.panel-body",
      null,
      h("h1", { tabindex: -1 }, t(isGone ? "results.expired" : "results.title")),
      isGone ? h("p.quiet", null, t("results.expiredText")) : errorNote(error, () => this.#load()),
      h(
        "div.panel-dock",
        null,
        link(t("results.toReview"), "#/review", {}, "review"),
        link(t("results.toLibrary"), "#/library", { kind: "main grow" }, "library"),
      ),
    );
  }

  #follow() {
    const { model } = this, wasAsking = this.#asking;
    if (!model.photo) return; // the results could not be loaded
    const isEnriched = model.enrich();
    const isUpdated = model.update();
    this.#asking = askingWords(model);
    if (isUpdated) this.#redraw();
    else if (isEnriched || wasAsking !== this.#asking) this.#drawPanel();
    if (isUpdated || wasAsking && !model.asking) this.#settle();
  }

  /** The server updates the library right after it sends the books. After a failure the next event tries again. */
  #settle = debounce(1000, async () => {
    const hasChanged = await this.model.settle().catch(() => false);
    if (hasChanged && !this.signal.aborted) this.#redraw();
  });

  #suggest() {
    const words = suggestion(this.model);
    if (!words) return;
    if (!wide()) return undoBar(words);
    this.#note = suggestionNote(words, () => {
      this.#note = null;
      this.#drawPanel();
    });
    this.#drawPanel();
  }

  // ---- drawing

  #draw() {
    const { model } = this;
    if (!model.photo) return;
    this.#drawTop();
    this.stage.mode = wide() ? "fit" : "cover";
    this.stage.area = model.books.length ? model.books.flatMap((book) => quadOf(book)) : null;
    this.stage.insets = wide() ? { top: 0, right: 0, bottom: 0, left: 0 } : { top: 0, right: 0, bottom: 28, left: 0 };
    this.stage.show(model.photo.url, model.photo.width, model.photo.height);
    this.#drawRow();
    this.#drawPanel();
  }

  /** Redraws after a change of the books. */
  #redraw() {
    this.#drawTop();
    this.#drawRow();
    this.#drawPanel();
  }

  #drawTop() {
    const { model } = this, n = model.photos.length;
    redraw(
      this.top,
      round("back", t("common.back"), { class: "photo-glass", onclick: () => back("/scan") }),
      n > 0 && pill(model, () => this.#nextUnsure()),
      photoPill(model, () => this.#other()),
      h("span.grow.spacer"),
      wide() && link(t("results.again"), "#/scan", { kind: "small photo-glass" }, "scan"),
      n > 0 && round("more", t("common.more"), { class: "photo-glass", onclick: () => this.#more() }),
    );
  }

  #drawRow() {
    this.row.draw();
    if (wide()) redraw(this.wideRow, this.row.element);
  }

  /** The photo is not stored any more: shows the cover of the chosen book, and its place in words. */
  #withoutPhoto() {
    this.classList.add("no-photo");
    this.#drawInstead();
  }

  #drawInstead() {
    if (!this.classList.contains("no-photo")) return;
    const { book, books, place } = this.model, at = book && placeAmong(books, book);
    const words = at ? [place, t(`place.${at.from}`, { nth: ordinal(at.n) })].join(", ") : "";
    replace(this.instead, book ? placeInWords(book, words) : h("p", null, t("photo.gone")));
  }

  #drawPanel() {
    this.#drawInstead();
    const { model, actions } = this, { books, book } = model;
    this.stage.setBooks(marked(books, unsureOf(byTier(model.open(books)))));
    this.row.update();
    const grab = h("div.grab", { "aria-hidden": "true" });
    if (wide()) redraw(this.panel, wideList(model, actions, this.#note), this.#undoPlace, dock(model, actions));
    else if (book) redraw(this.panel, grab, this.#undoPlace, resultCard(book, model.photo, actions), this.row.element);
    else redraw(this.panel, grab, this.#undoPlace, summary(model, actions), this.row.element, dock(model, actions));
  }

  // ---- navigation between books

  #choose(id, { pan = true } = {}) {
    const { model } = this;
    model.chosen = id;
    this.#drawPanel();
    if (!wide()) requestAnimationFrame(() => this.stage.layout());
    this.stage.choose(id, { pan });
    if (!model.book) return;
    announce(model.name(model.book));
    this.row.show(id);
    this.panel.querySelector(".result-row.here")?.scrollIntoView({ block: "nearest" });
  }

  #step(by) {
    const next = this.model.neighbour(by);
    if (next) this.#choose(next.id);
  }

  /** Shows these results, also after the screen was left. */
  #show() {
    const address = `/results/${this.params.id}`;
    if (location.hash === `#${address}`) dispatchEvent(new HashChangeEvent("hashchange"));
    else go(address);
  }

  /** Opens the queue with the books of these photos, or shows the next unsure book where none is in the queue. */
  #check() {
    const { model } = this;
    const first = model.photos.map(({ books }) => books.find((book) => book.mark === "review")?.detectionId);
    const ids = first.filter(Boolean).map((id) => `book=${encodeURIComponent(id)}`);
    if (model.waiting.length || !ids.length) this.#nextUnsure();
    else go(`/review?${ids.join("&")}`);
  }

  #nextUnsure() {
    const next = this.model.nextUnsure();
    if (!next) return;
    if (next.index !== this.model.index) {
      this.model.index = next.index;
      this.#draw();
    }
    this.#choose(next.book.id);
  }

  #other() {
    const { model } = this;
    model.index = (model.index + 1) % model.photos.length;
    model.chosen = null;
    this.stage.choose(null);
    this.#draw();
    announce(model.photoName);
  }

  #keys(event) {
    const { actions, model: { book } } = this, isOpen = book && this.model.open([book]).length > 0;
    runShortcut(event, {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      ArrowLeft: () => this.#step(-1),
      v: () => isOpen && actions.add([book], false),
      x: () => isOpen && actions.notABook(book),
      e: () => book && actions.edit(book),
      m: () => book && actions.match(book),
      Escape: () => book && this.#choose(null),
      "+": () => this.stage.zoom(1.4),
      "-": () => this.stage.zoom(1 / 1.4),
      0: () => this.stage.reset(),
    });
  }

  /** Books that were added now may be on the shelf of a label. */
  async #readLabels() {
    this.model.labelQuestions = await api.labelQuestions(this.model.job.id).catch(() => []);
    await this.#askAboutLabels(false);
  }

  /** Asks about the labels in the photos, by itself only once. @param {boolean} again */
  async #askAboutLabels(again) {
    const { model } = this;
    if (!model.labelQuestions.length) return;
    const { askAboutLabels } = await import("../elements/label-questions.js");
    if (!this.signal.aborted) model.labelQuestions = await askAboutLabels(model.labelQuestions, again);
  }

  async #compare() {
    const { compareShelf } = await import("./shelf/compare.js"), { scan } = this.model;
    compareShelf({ id: scan?.shelfId, name: scan?.shelfName }, () => {});
  }

  #more() {
    const { model, actions } = this, { book } = model;
    const open = model.waiting, remove = this.#removal;
    menu(t("common.more"), [
      { label: t("results.again"), icon: "scan", run: () => go("/scan") },
      !wide() && { label: t("results.showList"), icon: "list", run: () => listSheet(model, actions) },
      book && { label: t("results.report"), icon: "info", run: () => actions.report(book) },
      Boolean(model.scan?.shelfId) && { label: t("shelf.compare"), icon: "eye", run: () => this.#compare() },
      model.photos.length > 1 && { label: t("results.otherPhoto"), icon: "photo", run: () => this.#other() },
      open.length > 0 && { label: t("results.addEverything"), icon: "plus", run: () => actions.add(open) },
      Boolean(remove) &&
      { label: t("results.undoAdding"), icon: "undo", run: () => remove && undoNow(remove, model.undoToken) },
      model.labelQuestions.length > 0 &&
      { label: t("results.labels"), icon: "place", run: () => this.#askAboutLabels(true) },
      model.all.length > 0 && { label: t("results.csv"), icon: "list", run: () => downloadResults(model) },
      open.length > 0 && { label: t("results.clear"), icon: "trash", danger: true, run: () => actions.clear() },
    ]);
  }
}

export default define("sl-results", ResultsScreen);
export const title = () => t("results.title");
