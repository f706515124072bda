// Progress of a scan: the photo with spines lighting up as they are read, and a row of the books read so far.
import { announce, h, reducedMotion, replace } from "../lib/dom.js";
import { quadOf, shelfOrder, spineSize } from "../lib/geometry.js";
import { t } from "../lib/i18n.js";
import * as queue from "../lib/queue.js";
import { redraw } from "../lib/redraw.js";
import { back, go } from "../lib/router.js";
import { confirm } from "../elements/sheet.js";
import { button, define, link, round, Screen, wordsFor } from "../elements/ui.js";
import { undoPlace } from "../elements/undo.js";
import { spine } from "../elements/spine.js";
import { stage } from "../elements/stage.js";
import { askAbout } from "./scan/tray.js";

const LIGHTING = 1000, LONGEST_EACH = 60; // ms

class ProgressScreen extends Screen {
  #scan;
  #urls = [];
  #shown = 0;
  #photo = 0;
  #left = false;
  #revealed = 0;
  #found = -1;
  #pace = 0;
  /** Spines of the row by book: drawn once, moved as the row fills. */
  #standing = new Map();

  async build() {
    this.classList.add("progress", "dark");
    this.#scan = queue.find(this.params.id);
    if (!this.#scan) return go("/scans", { replace: true });
    this.head = h("h1", { tabindex: -1 });
    this.stage = stage({ class: "progress-stage" });
    this.stage.lights = true;
    this.stage.outlines = false;
    this.count = h("p.count-line", { role: "status" });
    this.bar = h("div.bar", {
      role: "progressbar",
      "aria-label": t("progress.bar"),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    }, h("i"));
    this.just = h("div.just");
    this.row = h("div.standing");
    this.actions = h("div.progress-actions");
    this.show(
      h(
        "div.scan-top",
        null,
        round("down", t("progress.leave"), { onclick: () => back("/library") }),
        this.head,
        button(t("common.cancel"), { kind: "link", onclick: () => this.#cancel() }),
      ),
      this.stage,
      h("div.progress-body", null, this.count, this.bar, this.just, this.row, undoPlace()),
      this.actions,
    );
    await this.#showPhoto(0);
    queue.scans.watch(() => this.#update(), this.signal);
    queue.photoStates.watch(() => this.#update(), this.signal);
    const tick = setInterval(() => this.#update(), 1000);
    this.signal.addEventListener("abort", () => clearInterval(tick));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    setTimeout(() => this.#urls.forEach((url) => url && URL.revokeObjectURL(url)), 1000);
  }

  async #showPhoto(index) {
    this.#photo = index;
    this.#revealed = 0;
    this.#standing.clear();
    this.row.replaceChildren();
    if (!this.#urls[index]) {
      const blob = await queue.photoBlob(this.#scan.photos[index]);
      if (blob) this.#urls[index] = URL.createObjectURL(blob);
    }
    if (this.#urls[index]) await this.stage.show(this.#urls[index]);
    this.#shown = -1;
  }

  async #cancel() {
    const sure = await confirm(t("progress.cancelTitle"), t("progress.cancelText"), t("progress.cancelYes"));
    if (!sure) return;
    await queue.cancel(this.#scan);
    go("/scan", { replace: true });
  }

  #update() {
    if (this.signal.aborted || this.#left) return;
    const scan = queue.find(this.params.id) ?? this.#scan;
    this.#scan = scan;
    const live = scan.live, n = scan.photos.length;
    const read = live.books.filter((b) => (b.photo ?? 1) - 1 === this.#photo || n === 1);
    // Spines light up one by one, all within about a second, however fast they arrive.
    const behind = read.length - this.#revealed;
    if (behind > 0) {
      const each = Math.min(LONGEST_EACH, LIGHTING / read.length);
      this.#revealed += reducedMotion() ? behind : 1;
      clearTimeout(this.#pace);
      this.#pace = setTimeout(() => this.#update(), each);
    } else {
      const photo = Math.min(n, Math.max(1, live.photo)) - 1;
      if (photo !== this.#photo) return void this.#showPhoto(photo).then(() => this.#update());
      if (scan.state === "done") {
        this.#left = true;
        announce(t("progress.done", { n: live.books.length }));
        this.#pace = setTimeout(
          () => !this.signal.aborted && go(`/results/${scan.id}`, { replace: true }),
          reducedMotion() ? 0 : 160,
        );
        return;
      }
    }
    const state = queue.photoStates.get().get(scan.photos[this.#photo]) ?? { state: "waiting" };
    replace(this.head, n > 1 ? t("progress.title", { n: this.#photo + 1, of: n }) : t("progress.titleOne"));
    this.#drawCount(scan, state);
    this.#drawActions(scan);
    const books = read.slice(0, this.#revealed);
    if (books.length !== this.#shown || live.spines.length !== this.#found) this.#drawBooks(books, live, this.#photo);
  }

  #drawCount(scan, state) {
    const live = scan.live;
    const total = live.totals[this.#photo + 1];
    let share, words;
    if (scan.state === "failed") {
      words = h("span.words", { role: "alert" }, wordsFor(scan.problem), " ", h("small", null, t("progress.kept")));
    } else if (state.state === "disk" && live.connection !== "lost") {
      words = h("span.words", null, t("pstate.disk"));
      share = live.progress;
    } else if (total !== undefined && live.connection !== "lost" && !this.#revealed && scan.state === "reading") {
      // Spines found so far; a few may turn out to be one.
      words = h("span.words", null, t("progress.found", { n: total }));
      share = live.progress;
    } else if (total !== undefined && live.connection !== "lost") {
      share = total ? this.#revealed / total : 1;
      words = [h("b", null, this.#revealed), h("span", null, t("progress.ofSpines", { n: total }))];
    } else {
      const sentences = {
        uploading: t("progress.uploading"),
        retrying: t("progress.retrying"),
        limited: t("progress.limited", { n: secondsTo(state.retryAt) }),
        offline: t("progress.offline"),
        waiting: t("progress.waiting"),
      };
      words = h(
        "span.words",
        null,
        sentences[state.state] ?? readingWords(live),
      );
      share = state.state === "uploading" ? (state.share ?? 0) * 0.1 : live.progress;
    }
    const key = `${scan.state}|${state.state}|${this.#revealed}|${total}|${live.stage}|${live.connection}|${
      secondsTo(state.retryAt)
    }`;
    if (this.count.dataset.key !== key) {
      this.count.dataset.key = key;
      replace(this.count, words);
    }
    this.bar.hidden = scan.state === "failed";
    this.bar.firstElementChild.style.setProperty("transform", `scaleX(${Math.max(0, Math.min(1, share ?? 0))})`);
    this.bar.setAttribute("aria-valuenow", Math.round((share ?? 0) * 100));
  }

  #drawActions(scan) {
    const key = scan.state;
    if (this.actions.dataset.key === key) return;
    this.actions.dataset.key = key;
    redraw(
      this.actions,
      scan.state === "failed"
        ? [
          button(t("progress.retake"), { "data-key": "photo", onclick: () => go("/scan") }),
          button(t("common.tryAgain"), { kind: "main", onclick: () => this.#again(scan) }),
        ]
        : [
          button(t("progress.look"), { kind: "glassy", "data-key": "photo", onclick: () => this.#look() }, "search"),
          link(t("progress.background"), "#/library", { kind: "glassy" }),
        ],
    );
  }

  /** The photo in full, with a way to take it again. */
  async #look() {
    const url = this.#urls[this.#photo];
    if (!url) return;
    if ((await askAbout({ url }, this.#photo, { isSingle: true })) !== "retake") return;
    await queue.cancel(this.#scan);
    go("/scan", { replace: true });
  }

  async #again(scan) {
    const fresh = await queue.retry(scan);
    if (fresh.id !== this.params.id) go(`/scans/${fresh.id}`, { replace: true });
  }

  #drawBooks(books, live, photo) {
    const before = Math.max(0, this.#shown);
    this.#shown = books.length;
    this.#found = live.spines.length;
    const spines = live.spines.filter((s) => s.photo - 1 === photo).map((s, i) => ({
      id: `s${i}`,
      quad: s.quad,
      state: "found",
    }));
    this.stage.setBooks([
      ...spines,
      ...books.map((b, i) => ({
        ...b,
        state: `read${i === books.length - 1 ? " latest" : ""}${i >= before ? " fresh" : ""}`,
      })),
    ]);
    const last = books[books.length - 1];
    replace(
      this.just,
      last &&
        [
          h("p.caption", null, t("progress.justRead")),
          h("p.title", { class: last.title ? "" : "uncertain" }, last.title || t("book.unread")),
          h("p.quiet", null, last.author ?? ""),
        ],
    );
    const url = this.#urls[photo], size = this.stage.photo;
    const room = Math.max(80, Math.min(190, this.row.clientHeight || 150));
    const ordered = shelfOrder(books);
    const tallest = Math.max(1, ...ordered.map((b) => spineSize(quadOf(b), size.width, size.height).long));
    const waiting = Math.max(0, (live.totals[photo + 1] ?? 0) - books.length);
    const standing = ordered.map((book) => {
      const known = this.#standing.get(book.id);
      if (known) return known;
      const { long, short } = spineSize(quadOf(book), size.width, size.height);
      const high = Math.max(room * 0.6, room * long / tallest);
      const fresh = books.indexOf(book) >= before && !reducedMotion();
      const element = h("span.stand", {
        class: fresh ? "slides" : "",
        // Moved later, it would slide again.
        onanimationend: (e) => e.animationName === "slide" && e.currentTarget.classList.remove("slides"),
        style: { "animation-delay": `${Math.min(12, books.indexOf(book) - before) * 40}ms` },
      }, url ? spine({ source: url, quad: quadOf(book) }, { long: high, short: high * short / long }) : null);
      this.#standing.set(book.id, element);
      return element;
    });
    const outlines = Array.from(
      { length: Math.min(40, waiting) },
      (_, i) => h("span.stand.empty-spine", { class: `e${i % 5}` }),
    );
    redraw(this.row, standing, outlines);
  }
}

/** What the server does before it has found spines, or that it cannot be reached. */
const readingWords = ({ connection, stage }) =>
  connection === "lost"
    ? t("progress.lost")
    : stage === "enriching"
    ? t("progress.enriching")
    : t(connection === "back" ? "progress.resumed" : "progress.analysing");

const secondsTo = (time) => Math.max(0, Math.ceil(((time ?? 0) - Date.now()) / 1000));

export default define("sl-progress", ProgressScreen);
export const title = () => t("progress.titleOne");
