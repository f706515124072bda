// The photos of this device: a card while they are sent and read, then a row that leads to the books.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { moment, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import * as queue from "../lib/queue.js";
import { redraw } from "../lib/redraw.js";
import { button, define, empty, link, round, Screen, wordsFor } from "../elements/ui.js";
import { undoBar } from "../elements/undo.js";

const LOOK = {
  preparing: ["cog", "preparing"],
  waiting: ["clock", "waiting"],
  uploading: ["sending", "uploading"],
  retrying: ["rotate", "uploading"],
  limited: ["clock", "uploading"],
  analysing: ["eye", "analysing"],
  done: ["check", "done"],
  disk: ["clock", "error"],
  error: ["alert", "error"],
  offline: ["offline", "offline"],
  canceled: ["close", "offline"],
};

/** Jobs that are asked about, far more than a device has in the day that the server keeps them. */
const MOST_COUNTED = 100;

class ScansScreen extends Screen {
  #urls = new Map();
  #cards = new Map();
  /** What the server knows of the jobs, by ID. @type {Map<string, any>} */ #jobs = new Map();

  build() {
    this.list = h("ul.scan-list");
    this.another = h(
      "a.round",
      { href: "#/scan", "aria-label": t("scans.new"), title: t("scans.new") },
      icon("scan"),
    );
    this.show(
      h(
        "div.page.narrow",
        null,
        h(
          "div.page-head",
          null,
          h("div", null, h("h1", { tabindex: -1 }, t("scans.title")), h("p", null, t("scans.subtitle"))),
          this.another,
        ),
        this.list,
      ),
    );
    const draw = () => this.#draw();
    queue.scans.watch(draw, this.signal);
    queue.photoStates.watch(draw, this.signal);
    this.#count();
    const tick = setInterval(draw, 1000);
    this.signal.addEventListener("abort", () => {
      clearInterval(tick);
      for (const url of this.#urls.values()) URL.revokeObjectURL(url);
    });
  }

  /** Fetches how many books the photos show. Without the server, the rows have no counts. */
  async #count() {
    const jobs = await api.latestScans(MOST_COUNTED).catch(() => []);
    this.#jobs = new Map(jobs.map((job) => [job.id, job]));
    this.#draw();
  }

  #draw() {
    if (this.signal.aborted) return;
    const list = queue.scans.get();
    this.another.hidden = !list.length; // the empty list has its own text
    if (!list.length) {
      this.#cards.clear();
      return redraw(
        this.list,
        h(
          "li",
          null,
          empty(t("scans.empty"), link(t("scans.new"), "#/scan", { kind: "main" }, "scan"), {
            text: t("scans.emptyText"),
          }),
        ),
      );
    }
    const ids = new Set(list.map((scan) => scan.id));
    for (const id of this.#cards.keys()) if (!ids.has(id)) this.#cards.delete(id);
    for (const scan of list) {
      const isRow = scan.state === "done";
      if (this.#cards.get(scan.id)?.isRow !== isRow) {
        if (isRow && !this.#jobs.has(scan.job?.id ?? "") && this.#cards.has(scan.id)) this.#count();
        this.#cards.set(scan.id, isRow ? this.#row(scan) : this.#card(scan));
      }
      if (isRow) this.#countIn(this.#cards.get(scan.id), scan);
      else this.#fill(this.#cards.get(scan.id), scan);
    }
    redraw(this.list, list.map((scan) => this.#cards.get(scan.id).element));
  }

  /** Photos that were read: a picture, the shelf, the time, and what they show. */
  #row(scan) {
    const image = h("img", { alt: "" }), words = h("span.caption");
    this.#thumb(scan.photos[0]).then((url) => url && (image.src = url));
    const element = h(
      "li.scan-row",
      null,
      h(
        "a.grow.line",
        { href: `#/results/${scan.id}`, "data-key": "open" },
        h("span.pthumb", null, image),
        h(
          "span.grow.stacked",
          null,
          h("span.strong", null, scan.shelfName ?? t("scan.noShelf")),
          h("span.caption", null, moment(scan.created)),
          words,
        ),
        icon("next"),
      ),
      round("trash", t("scans.forget"), { class: "bare", onclick: () => this.#forget(scan) }),
    );
    return { element, words, isRow: true };
  }

  /** "2 photos · 68 books · 50 to check" */
  #countIn({ words }, scan) {
    const job = this.#jobs.get(scan.job?.id ?? ""), n = scan.photos.length;
    words.textContent = [
      n > 1 && t("apps.photos", { n }),
      job && t("review.count", { n: job.books }),
      job?.needsReview > 0 && t("results.toCheckShort", { n: job.needsReview }),
    ].filter(Boolean).join(" · ");
  }

  #card(scan) {
    const photos = h("ol.scan-photos");
    const states = scan.photos.map((id, i) => {
      const image = h("img", { alt: "" });
      const state = h("span.pstate");
      photos.append(
        h(
          "li",
          null,
          h("div.pthumb", null, image),
          h("div", null, h("span", null, t("scans.photo", { n: i + 1 })), state),
        ),
      );
      this.#thumb(id).then((url) => url && (image.src = url));
      return state;
    });
    const actions = h("div.line.wrap");
    const words = h("p.quiet");
    const element = h(
      "li.card",
      null,
      h(
        "div.section-head",
        null,
        h("h2", null, scan.shelfName ?? t("scan.noShelf")),
        h("span.caption", null, moment(scan.created)),
      ),
      photos,
      words,
      actions,
    );
    return { element, states, actions, words, key: "", isRow: false };
  }

  async #thumb(id) {
    if (!this.#urls.has(id)) {
      const blob = await queue.photoBlob(id);
      if (blob) this.#urls.set(id, URL.createObjectURL(blob));
    }
    return this.#urls.get(id);
  }

  #fill(card, scan) {
    scan.photos.forEach((id, i) => {
      const p = queue.photoStates.get().get(id) ?? { state: "waiting" };
      const [name, look] = LOOK[p.state] ?? LOOK.waiting;
      const left = Math.max(0, Math.ceil(((p.retryAt ?? 0) - Date.now()) / 1000));
      const text = t(`pstate.${p.state}`, { n: p.state === "uploading" ? Math.round((p.share ?? 0) * 100) : left });
      const reason = p.state === "error" && p.problem?.detail && wordsFor(p.problem);
      const key = `${p.state}|${text}|${reason ?? ""}`;
      if (card.states[i].dataset.key === key) return;
      card.states[i].dataset.key = key;
      card.states[i].className = `pstate ${look}`;
      replace(card.states[i], icon(name), h("span", null, text, reason && ` ${reason}`));
    });
    const failed = scan.photos.some((id) => ["error", "disk"].includes(queue.photoStates.get().get(id)?.state));
    const books = scan.live?.books.length ?? 0;
    const key = `${scan.state}|${failed}|${books}|${scan.live?.total}`;
    if (card.key === key) return;
    card.key = key;
    replace(
      card.words,
      scan.state === "reading" && scan.live.total
        ? t("scans.progress", { n: scan.live.current || books, of: scan.live.total })
        : scan.state === "failed"
        ? t("scans.kept")
        : "",
    );
    redraw(
      card.actions,
      (scan.state === "reading" || scan.state === "uploading") &&
        link(t("scans.watch"), `#/scans/${scan.id}`, { kind: "small", "data-key": "open" }),
      (scan.state === "failed" || failed) &&
        button(t("common.tryAgain"), { kind: "small main", onclick: () => queue.retry(scan) }, "rotate"),
      scan.state !== "failed" &&
        button(t("common.cancel"), { kind: "small link", onclick: () => this.#cancel(scan) }),
      (scan.state === "failed" || scan.state === "canceled") &&
        round("trash", t("scans.forget"), { class: "bare", onclick: () => this.#forget(scan) }),
    );
  }

  async #cancel(scan) {
    await queue.cancel(scan, { forget: false });
    undoBar(t("scans.canceled"), () => queue.retry({ ...scan, state: "failed" }));
  }

  async #forget(scan) {
    await queue.forgetScan(scan);
  }
}

export default define("sl-scans", ScansScreen);
export const title = () => t("scans.title");
