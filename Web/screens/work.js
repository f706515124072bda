// One book: its place, the user's data, editions and history.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { placeAmong } from "../lib/geometry.js";
import { day, ordinal, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { books, patchBook } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { back, go } from "../lib/router.js";
import { overdue } from "../lib/search.js";
import { online } from "../lib/state.js";
import { tierOfBook } from "../lib/tiers.js";
import { authorOf } from "../elements/book.js";
import { cover } from "../elements/cover.js";
import { findMatch } from "../elements/match.js";
import { placeInWords } from "../elements/place.js";
import { reportDetection } from "../elements/report.js";
import { menu, sheet } from "../elements/sheet.js";
import { showOnShelf, spineOnShelf } from "../elements/shelf-view.js";
import { chooseShelf } from "../elements/shelves.js";
import { spineOf } from "../elements/spine.js";
import { button, define, errorNote, round, Screen, segmented, tier } from "../elements/ui.js";
import { act, placeUndo, undoPlace } from "../elements/undo.js";
import { editionsSection, showHistory } from "./work/about.js";
import { askForLoan, askForStars, askForTags } from "./work/ask.js";
import { copySection } from "./work/copy.js";
import { changeCover } from "./work/cover.js";
import { editBook } from "./work/edit.js";

/** Noon of a day, which is on that day everywhere. */
const noon = (date) => `${date}-01-01`.slice(0, 10) + "T12:00:00";

/** To whom a book is lent, and until when. */
function borrowed(e) {
  const { to: who, due } = e.loan;
  if (!due) return t("work.lentTo", { who });
  return t(overdue(e) ? "work.overdueSince" : "work.lentUntil", { who, date: day(noon(due)) });
}

const seriesLink = ({ series, seriesNumber }) =>
  h(
    "a.link",
    { href: `#/series?name=${encodeURIComponent(series)}`, dir: "auto" },
    seriesNumber ? t("series.of", { series, n: seriesNumber }) : series,
  );

class WorkScreen extends Screen {
  /** Whether it is shown beside the library, on wide screens. */
  inside = false;
  #entry;
  #work;

  async build() {
    this.classList.add("work");
    this.body = h("div.work-page");
    this.show(this.body);
    const known = books.get()?.find((b) => String(b.id) === this.params.id);
    if (known) {
      this.#entry = known;
      this.#draw();
    }
    await this.#load();
    // Changed on another device: the library is fetched again, and this book with it.
    books.watch((list) => {
      const now = list?.find((b) => String(b.id) === this.params.id);
      const isNews = now?.etag && this.#entry?.etag && now.etag !== this.#entry.etag;
      if (isNews && !document.querySelector("dialog[open]")) this.#load();
    }, this.signal);
  }

  async #load() {
    if (this.signal.aborted) return;
    try {
      this.#entry = await api.book(this.params.id);
      if (this.signal.aborted) return;
      this.#draw();
      const photo = this.#entry.position?.photoId;
      [this.#work, this.#photoOf] = await Promise.all([
        api.work(this.#entry.workId).catch(() => null),
        photo ? api.photo(photo).catch(() => null) : null,
      ]);
    } catch (error) {
      if (this.signal.aborted || this.#entry) return;
      return replace(
        this.body,
        h(
          "div.page",
          null,
          this.#bar(),
          h("h1", { tabindex: -1 }, t("nav.library")),
          errorNote(error, () => this.#load()),
        ),
      );
    }
    if (!this.signal.aborted) this.#draw();
  }

  #bar() {
    return h(
      "div.work-bar",
      null,
      this.inside
        ? round("close", t("common.close"), { onclick: () => go("/library") })
        : round("back", t("common.back"), { onclick: () => back("/library") }),
      this.#entry && round("more", t("common.more"), { onclick: () => this.#more() }),
    );
  }

  #draw() {
    const e = this.#entry, place = e.position, words = place && this.#placeWords();
    const isShown = place && this.#hasPhoto;
    const edition = this.#work?.editions?.find((x) => x.id === e.editionId);
    const facts = [[edition?.publisher, e.year ?? edition?.year].filter(Boolean).join(", "), e.isbn].filter(Boolean);
    redraw(
      this.body,
      h(
        "div.work-photo",
        { class: isShown ? "dark" : "none" },
        isShown && this.#photo(place),
        this.#bar(),
        isShown && words && h("span.work-place.photo-glass", null, icon("place"), words),
      ),
      h(
        "div.work-sheet",
        null,
        h(
          "div.work-head",
          null,
          cover(e, { size: "l", eager: true }),
          h(
            "div.grow",
            null,
            h(
              "h1.title-lg",
              { tabindex: -1, dir: "auto", class: e.title.length > 80 ? "long" : "" },
              e.title,
              e.subtitle && h("span.subtitle", null, e.subtitle),
            ),
            h("p.card-author", { dir: "auto" }, authorOf(e)),
            facts.map((f) => h("p.quiet.nums", null, f)),
            e.series && h("p", null, seriesLink(e)),
            !isShown && words && h("p.line.work-words", null, icon("place"), h("span", { dir: "auto" }, words)),
            e.reviewStatus === "needsReview" &&
              h("p.work-tier", null, this.#tierLink(e)),
          ),
        ),
        segmented(
          t("work.status"),
          ["toRead", "reading", "read"].map((s) => [s, t(`reading.${s}`)]),
          e.readingStatus,
          (s) => this.#change({ readingStatus: s }),
          { class: "strong" },
        ),
        h(
          "div.rows",
          null,
          this.#row(t("work.shelf"), e.shelfName ?? t("scan.noShelf"), () => this.#shelf()),
          this.#row(
            t("work.rating"),
            e.rating ? `${"★".repeat(Math.floor(e.rating))}${e.rating % 1 ? "½" : ""}` : t("common.none"),
            () => this.#rate(),
            e.rating ? t("work.stars", { n: e.rating }) : undefined,
          ),
          e.callNumber &&
            h("div.kv", null, h("span.k", null, t("import.field.callNumber")), h("span.v", null, e.callNumber)),
          this.#row(t("work.tags"), e.tags?.join(", ") || t("common.none"), () => this.#tags()),
          e.loan
            ? this.#row(t("work.lent"), borrowed(e), () => this.#loan())
            : this.#row(t("work.owned"), t(`ownership.${e.ownership}`), () => this.#loan()),
          e.pastLoans?.length > 0 &&
            h(
              "div.kv",
              null,
              h("span.k", null, t("work.lentBefore")),
              h(
                "span.v",
                null,
                e.pastLoans.map((p) => h("div", null, t("work.pastLoan", { who: p.to, date: day(noon(p.returned)) }))),
              ),
            ),
          h(
            "div.kv",
            null,
            h("span.k", null, t("work.added")),
            h("span.v", null, day(e.addedAt), place ? ` ${t("work.fromPhoto")}` : ""),
          ),
        ),
        h(
          "section.section",
          null,
          h("div.section-head", null, h("h2", null, t("work.notes"))),
          e.notes ? h("p.notes", null, e.notes) : h("p.quiet", null, t("work.noNotes")),
        ),
        copySection(e, this.#work, (change) => this.#change(change)),
        editionsSection(this.#work, e, (editionId) => this.#change({ editionId })),
        h(
          "div.dock",
          null,
          this.#undoPlace,
          !e.loan && e.ownership === "owned" &&
            button(t("work.lend"), { "data-key": "lend", onclick: () => this.#loan(), disabled: !online.get() }),
          button(t("work.edit"), { "data-key": "edit", onclick: () => this.#edit() }, "edit"),
          isShown
            ? button(t("work.show"), { kind: "main", "data-key": "show", onclick: () => this.#show() }, "photo")
            : button(t("work.changeCover"), {
              kind: "main",
              "data-key": "cover",
              onclick: () => this.#cover(),
            }, "photo"),
        ),
      ),
    );
    placeUndo();
    if (document.activeElement === document.body && !this.inside) {
      this.body.querySelector("h1")?.focus({ preventScroll: true });
    }
  }

  /** The tier, which leads to the review of this book. */
  #tierLink(e) {
    const mark = tier(tierOfBook(e), { small: true });
    const detection = e.position?.detectionId;
    return detection ? h("a.tier-link", { href: `#/review/${encodeURIComponent(detection)}` }, mark) : mark;
  }

  /** "Hall shelf, 4th from the top". */
  #placeWords() {
    const place = this.#photoOf && this.#photoOf.detections?.length > 1
      ? placeAmong(this.#photoOf.detections, this.#entry.position)
      : null;
    const words = place && t(`place.${place.from}`, { nth: ordinal(place.n) });
    return [this.#entry.shelfName, words].filter(Boolean).join(", ");
  }
  /** @type {any} */ #photoOf = null;
  #undoPlace = undoPlace();

  /** Whether a photo or picture of the shelf is stored. */
  get #hasPhoto() {
    return this.#entry.position.photoUrl !== null && this.#missing !== this.#entry.position.photoId;
  }
  /** The photo that could not be shown. */ #missing = "";

  #photo(place) {
    const view = spineOnShelf(place.photoId, place, { class: "work-stage", "aria-hidden": "true" }, "cover");
    view.addEventListener("pick", () => this.#show());
    view.addEventListener("missing", () => {
      this.#missing = place.photoId;
      this.#draw();
    });
    return view;
  }

  #row(name, value, run, spoken) {
    return h(
      "button.kv",
      { type: "button", "data-key": name, onclick: run, disabled: !online.get() },
      h("span.k", null, name),
      h(
        "span.v.line",
        null,
        h("span", { "aria-label": spoken, role: spoken ? "img" : undefined }, value),
        icon("next"),
      ),
    );
  }

  /** Shows an entry here and in the library. */
  #take(entry) {
    this.#entry = entry;
    patchBook(entry.id, entry);
    if (!this.signal.aborted) this.#draw();
  }

  /**
   * Sends a change of this book, with Undo.
   *
   * @param {string} words
   * @param {any} request as for `act`; may answer with the changed entry
   */
  async #act(words, request) {
    const before = this.#entry;
    const restore = () => {
      this.#take(before);
      return this.#load();
    };
    const answer = await act(words, request, { restore });
    if (answer?.workId) this.#take(answer);
    else if (answer) await this.#load();
  }

  #change(change, local = {}) {
    const { id, etag } = this.#entry;
    this.#act(t("common.saved"), api.changeBook(id, change, etag));
    this.#take({ ...this.#entry, ...change, ...local });
  }

  #shelf() {
    const put = (s) => this.#change({ shelf: s?.id ?? null }, { shelfId: s?.id ?? null, shelfName: s?.name ?? null });
    chooseShelf(t("work.shelf"), this.#entry.shelfId, put);
  }

  #rate() {
    askForStars(this.#entry, (rating) => this.#change({ rating }));
  }

  async #tags() {
    const tags = await askForTags(this.#entry);
    if (tags) this.#change({ tags });
  }

  async #loan() {
    const e = this.#entry;
    if (e.loan || e.ownership === "lent") {
      const back = () => this.#act(t("work.isBack"), api.takeBack(e.id));
      return menu(t("work.lent"), [{ label: t("work.cameBack"), icon: "check", run: back }]);
    }
    const { loan, ownership } = await askForLoan(e) ?? {};
    if (ownership) this.#change({ ownership });
    else if (loan) this.#act(t("work.isLent", { who: loan.to }), api.lend(e.id, loan));
  }

  async #edit() {
    const undoTokens = await editBook(this.#entry);
    if (undoTokens) this.#act(t("common.saved"), { undoTokens });
  }

  /** Shows the stored photo with this spine highlighted, or the place in words. */
  #show() {
    const entry = this.#entry, place = entry.position, words = this.#placeWords();
    if (this.#hasPhoto) showOnShelf(t("work.show"), place.photoId, place, entry, words);
    else sheet(t("work.show"), () => placeInWords(entry, words, Boolean(place?.photoId)));
  }

  async #cover() {
    const after = await changeCover(this.#entry);
    if (!after) return;
    await this.#act(t(after.coverUrl ? "work.coverChanged" : "work.coverRemoved"), after);
    this.#load();
  }

  async #alternative() {
    const { workId, title, authors = [], shelfName } = this.#entry;
    const now = { ...this.#entry, author: authors.join(", ") };
    const found = await findMatch(now, { query: [title, authors[0]], shelf: shelfName });
    if (!found) return;
    this.#act(t("match.used", { title: found.title }), api.matchWork(workId, found, this.#work?.etag));
  }

  #more() {
    menu(t("common.more"), [
      { label: t("work.changeCover"), icon: "photo", run: () => this.#cover() },
      { label: t("work.alternative"), icon: "search", run: () => this.#alternative() },
      { label: t("work.history"), icon: "clock", run: () => showHistory(this.#entry.workId) },
      this.#entry.position && { label: t("work.show"), icon: "photo", run: () => this.#show() },
      this.#entry.position && {
        label: t("results.report"),
        icon: "info",
        run: () => reportDetection({ detectionId: this.#entry.position.detectionId }, spineOf(this.#entry)),
      },
      { label: t("common.delete"), icon: "trash", danger: true, run: () => this.#delete() },
    ]);
  }

  async #delete() {
    const { id } = this.#entry;
    if (!await act(t("library.deleted", { n: 1 }), api.deleteBook(id))) return;
    books.update((list) => (list ?? []).filter((b) => b.id !== id));
    go("/library", { replace: true });
  }
}

export default define("sl-work", WorkScreen);
export const title = () => t("work.title");
