// State of the results screen: photos with their books, the current photo and book.
import * as api from "../../lib/api.js";
import { shelfOrder } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import * as queue from "../../lib/queue.js";
import { byTier, tierOfBook, unsureOf } from "../../lib/tiers.js";
import { sureness } from "../../elements/ui.js";

/** Sources that are asked online. */
const PROVIDERS = new Set(["openlibrary", "googlebooks", "isbndb"]);

/**
 * A book's `mark`: undefined before it is added, then "review" (in the library, unsure), "added", "asked" (a second copy?)
 * or "gone" (not a book).
 */
export class ResultsModel {
  /** @type {any[]} */ photos = [];
  index = 0;
  /** The id of the chosen book. @type {string | null} */ chosen = null;
  /** @type {any[]} */ suggestions = [];
  folded = 0;
  /** Undoes that the server added the books. @type {string | null} */ undoToken = null;
  /** Open questions about labels in the photos. @type {any[]} */ labelQuestions = [];
  #objectUrls = [];
  /** The job's state when it was last fetched. @type {any} */ #status = null;
  /** The updates that the books have. @type {Map<string, any>} */ #applied = new Map();

  /** @param {string} id of the scan in this browser, or of the server's job */
  constructor(id) {
    this.scan = queue.find(id);
    this.job = this.scan?.job ?? { id };
  }

  /** Fetches the results, and uses pictures stored in this browser where possible. */
  async load() {
    this.#applied = new Map(this.scan?.live?.updates);
    // The state first: answers that arrive in between are in the results.
    await this.fetchStatus();
    const results = await api.scanResults(this.job);
    const urls = await Promise.all(results.photos.map(async (_photo, i) => {
      const blob = this.scan ? await queue.photoBlob(this.scan.photos[i]) : undefined;
      if (!blob) return api.photoAddress(this.job, i + 1);
      const url = URL.createObjectURL(blob);
      this.#objectUrls.push(url);
      return url;
    }));
    this.photos = results.photos.map((photo, i) => ({ ...photo, url: urls[i], books: shelfOrder(photo.books ?? []) }));
    this.suggestions = [...results.suggestions, ...this.photos.flatMap((p) => p.quality?.suggestions ?? [])];
    this.folded = results.folded;
    this.undoToken = results.undoToken;
    this.labelQuestions = results.labelQuestions;
  }

  /** Releases the pictures. */
  close() {
    this.#objectUrls.forEach((url) => URL.revokeObjectURL(url));
  }

  get photo() {
    return this.photos[this.index];
  }
  get books() {
    return this.photo?.books.filter((b) => b.mark !== "gone") ?? [];
  }
  get all() {
    return this.photos.flatMap((p) => p.books).filter((b) => b.mark !== "gone");
  }
  /** The chosen book. */
  get book() {
    return this.books.find((b) => b.id === this.chosen);
  }
  /** Books without a decision. */
  open(list = this.all) {
    return list.filter((b) => !b.mark || b.mark === "review");
  }
  /** Books that a person should look at, least certain first. */
  get toCheck() {
    return unsureOf(byTier(this.open()));
  }
  /** Books that are not in the library. */
  get waiting() {
    return this.all.filter((b) => !b.mark);
  }
  /** How many books are in the library, surely and in review, and how many may be there already. */
  get kept() {
    const count = (mark) => this.all.filter((b) => b.mark === mark).length;
    return { n: count("added"), review: count("review"), asked: count("asked") };
  }
  find(id) {
    return this.all.find((b) => b.id === id);
  }
  /** Also a book that is gone. */
  known(id) {
    return this.photos.flatMap((p) => p.books).find((b) => b.id === id);
  }
  get place() {
    return this.scan?.shelfName ?? t("scan.noShelf");
  }
  /** "Hall shelf, 2 of 3". */
  get photoName() {
    return t("results.place", { place: this.place, n: this.index + 1, of: this.photos.length });
  }

  async fetchStatus() {
    this.#status = await api.scanStatus(this.job);
  }

  /** Whether providers are still being asked about the books. */
  get asking() {
    // Another browser's scan: this one does not receive its events.
    if (!this.scan) return Boolean(this.#status?.asking);
    const { live, over } = this.scan ?? {};
    // Results are shown while the job still looks up details; it is completed, and asks further, after that.
    return Boolean(live?.asking || live?.stage === "enriching" && !over);
  }

  /** How many unsure spines were looked up, while there are more. @returns {{current: number, total: number} | null} */
  get lookups() {
    const counts = this.scan?.live?.lookups ?? this.#status?.lookups;
    return this.asking && counts && counts.current < counts.total ? counts : null;
  }

  /** The number of books that providers identified since the result was shown, and their names. */
  get identified() {
    const updates = new Map([...this.#applied].filter(([, book]) => PROVIDERS.has(book?.source)));
    const found = this.all.filter((b) => updates.has(b.id));
    return { n: found.length, sources: [...new Set(found.map((b) => updates.get(b.id).source))] };
  }

  /** Takes over what providers answered about books that the user has not decided on. Returns whether there was any. */
  update() {
    let changed = false;
    for (const [id, book] of this.scan?.live?.updates ?? []) {
      if (this.#applied.get(id) === book) continue;
      this.#applied.set(id, book);
      changed = this.#replace(id, book) || changed;
    }
    return changed;
  }

  /** Replaces a book; `news` is null for one that is gone. */
  #replace(id, news) {
    const known = this.known(id);
    // The server changes added books too, unless a person has confirmed or changed them.
    if (known?.mark === "gone" || known?.agreed || known?.reviewStatus === "userEdited") return false;
    const photo = this.photos[(news?.photo ?? known?.photo ?? 1) - 1];
    if (!photo || !known && !news) return false;
    if (known && news) Object.assign(known, news, { mark: known.mark });
    else if (news) photo.books = shelfOrder([...photo.books, news]);
    else for (const p of this.photos) p.books = p.books.filter((b) => b !== known);
    if (!news && this.chosen === id) this.chosen = null;
    return true;
  }

  /** Takes over what became of the books that the user has not decided on. Returns whether anything changed. */
  async settle() {
    const { photos } = await api.scanResults(this.job);
    const states = new Map(photos.flatMap((photo) => photo.books ?? []).map((book) => [book.id, book]));
    let changed = false;
    for (const book of this.open()) {
      const now = states.get(book.id);
      if (!now?.mark || now.mark === book.mark || book.agreed || book.reviewStatus === "userEdited") continue;
      Object.assign(book, { mark: now.mark, entryId: now.entryId, detectionId: now.detectionId });
      changed = true;
    }
    return changed;
  }

  /** Adds new details from the providers. Returns whether there were any. */
  enrich() {
    let changed = false;
    for (const book of this.all) {
      const news = this.scan?.live?.enrichments?.get?.(book.id);
      if (!news?.metadata || book.enrichment === news.enrichment) continue;
      const { coverUrl, publisher, year, isbn } = api.scanBook({ ...book, metadata: news.metadata });
      Object.assign(book, { coverUrl, publisher, year, isbn, enrichment: news.enrichment });
      changed = true;
    }
    return changed;
  }

  /** Returns the description of a book for screen readers. */
  name(book) {
    return t(book.checked === false ? "results.bookNameUnchecked" : "results.bookName", {
      n: this.books.indexOf(book) + 1,
      of: this.books.length,
      title: book.title || t("book.unread"),
      author: book.author || t("book.noAuthor"),
      tier: t(`tier.${tierOfBook(book)}`),
      sure: sureness(book),
    });
  }

  /** Returns the neighbour of the chosen book; wraps around. */
  neighbour(by) {
    const list = this.books, at = list.findIndex((b) => b.id === this.chosen);
    return list[(at + by + list.length) % list.length];
  }

  /** Returns the next book without a decision. */
  nextOpen() {
    const list = this.books, at = list.findIndex((b) => b.id === this.chosen);
    return this.open([...list.slice(at + 1), ...list.slice(0, at)])[0];
  }

  /** Returns the next unsure book, with its photo's index. @returns {{index: number, book: any} | undefined} */
  nextUnsure() {
    for (let i = 0; i < this.photos.length; i++) {
      const index = (this.index + i) % this.photos.length;
      const unsure = unsureOf(byTier(this.open(this.photos[index].books)));
      const book = unsure.find((b) => b.id !== this.chosen) ?? unsure[0];
      if (book) return { index, book };
    }
    return undefined;
  }
}
