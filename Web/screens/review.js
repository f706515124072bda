// The review queue: one book on the whole screen of a phone, a list beside the photo of the shelf on wide screens.
import * as api from "../lib/api.js";
import { announce, h, runShortcut, wide } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { redraw } from "../lib/redraw.js";
import { decided, isBook, items, laterCount, loadReview, others, reviewProblem } from "../lib/review.js";
import { back, go } from "../lib/router.js";
import { changedCount, online } from "../lib/state.js";
import { reportDetection } from "../elements/report.js";
import { confirm } from "../elements/sheet.js";
import { spineOf } from "../elements/spine.js";
import { bar, button, define, errorNote, ghostCards, link, round, Screen, waitingLine } from "../elements/ui.js";
import { placeUndo } from "../elements/undo.js";
import { changedLine } from "./automatic/line.js";
import { ShelfBeside } from "./review/beside.js";
import { BigCard } from "./review/big.js";
import { chooseFragments } from "./review/choose.js";
import {
  applyMatch,
  confirmTyped,
  correct,
  decideOn,
  findMatchFor,
  reject,
  useCandidate,
  verify,
} from "./review/decide.js";
import { drawFilters, noFilter, photosOf } from "./review/filter.js";
import { keepTyped } from "./review/form.js";
import { IncompleteLine } from "./review/incomplete.js";
import { QueueList, tierBar, together } from "./review/list.js";
import { openMenu, showKeys } from "./review/menu.js";
import { Others } from "./review/others.js";
import { moveOn, passed, position, shownBooks, turnOrder } from "./review/position.js";
import { askRight } from "./review/right.js";

class ReviewScreen extends Screen {
  /** @type {Others} */ rest = /** @type {any} */ (null);
  #queue = shownBooks();
  /** @type {QueueList} */ list = /** @type {any} */ (null);
  /** @type {BigCard} */ big = /** @type {any} */ (null);
  /** @type {ShelfBeside} */ beside = /** @type {any} */ (null);

  build() {
    this.classList.add("review");
    const actions = this.#actions;
    this.list = new QueueList(actions);
    this.list.editing = position.editedId;
    this.side = h("div.queue-side");
    this.big = new BigCard(actions, this.side);
    this.beside = new ShelfBeside();
    this.top = h("div.queue-top");
    this.sub = h("p");
    this.heading = h("h1", { tabindex: -1 });
    this.sort = round("sort", t("review.options"), { onclick: () => this.#menu() });
    this.head = h("div.queue-head");
    this.chips = h("div.chips", { role: "group", "aria-label": t("library.filters") });
    this.body = h("div.queue");
    this.rest = new Others();
    this.scraps = h("div.scraps-place");
    this.all = h("div.ready-bar-place");
    this.show(
      h(
        "div.page.review-page",
        null,
        this.top,
        h(
          "div.page-head",
          null,
          h("div.grow", null, this.heading, this.sub),
          this.sort,
        ),
        this.head,
        this.chips,
        this.body,
        this.rest.element,
        this.scraps,
        new IncompleteLine(this.signal).element,
      ),
      this.beside.element,
      this.all,
    );
    const draw = () => this.#draw();
    for (const value of [items, others, laterCount, reviewProblem, changedCount, online]) {
      value.watch(draw, this.signal);
    }
    this.on(matchMedia("(min-width: 700px)"), "change", draw);
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    loadReview().then(() => this.#openPhotos());
  }

  /** What was typed is there again after Back. */
  disconnectedCallback() {
    super.disconnectedCallback();
    position.editedId = keepTyped(this);
  }

  /** Shows only the photos on which the books of the address are: results lead here. */
  #openPhotos() {
    const ids = this.query.getAll("book");
    if (!ids.length || this.signal.aborted) return;
    position.filter = { ...noFilter(), photo: photosOf(items.get() ?? [], ids) };
    this.#draw();
  }

  /** The other questions of a phone are at an address of their own, so that Back leads to the books. */
  queryChanged(query) {
    this.query = query;
    this.#draw();
    return true;
  }

  // ---- drawing

  #draw() {
    if (this.signal.aborted || !this.all) return;
    this.#fill();
    placeUndo(); // its place may have come or gone
  }

  #fill() {
    const list = items.get(), problem = reviewProblem.get(), all = [...list ?? [], ...others.get()];
    const through = passed(), books = through.filter(isBook);
    this.#queue = shownBooks();
    const { flat, groups, fragments } = this.#queue;
    // On phones, one book fills the screen; the rest follows the last, or has its own address.
    const isOne = !wide() && flat.length > 0 && !this.query.has("rest"), showsRest = !isOne;
    this.dataset.left = String(list?.length ?? "");
    this.classList.toggle("empty-queue", !books.length);
    this.classList.toggle("single", isOne);
    this.sort.hidden = isOne;
    document.getElementById("app")?.toggleAttribute("data-focus", isOne);
    this.heading.textContent = t(this.query.has("rest") ? "review.rest" : "nav.review");
    redraw(this.sub, this.#countWords(list));
    redraw(
      this.head,
      !online.get() && h("div.note", null, icon("offline"), h("p", null, t("review.offline"))),
      showsRest && changedLine(),
    );
    drawFilters(this.chips, all, position.filter, () => this.#draw());
    this.rest.show(showsRest ? through.filter((item) => !isBook(item)) : []);
    this.#drawTogether(showsRest);
    this.#drawTop(isOne);
    redraw(this.side, isOne && this.#besides(fragments.length + others.get().length + changedCount.get()));
    if (list === null) return redraw(this.body, ghostCards(4));
    if (problem && !all.length) return redraw(this.body, errorNote(problem, loadReview));
    if (!all.length) return redraw(this.body, this.#done());
    if (!wide() && showsRest) return redraw(this.body);
    if (!books.length) return redraw(this.body);
    if (!flat.some((i) => i.id === position.activeId)) position.activeId = null;
    if (wide()) this.#drawList(groups);
    else this.#drawBig(flat);
  }

  #countWords(list) {
    const more = others.get().length, later = laterCount.get();
    if (more || later) {
      return [
        list?.length && t("review.count", { n: list.length + later }),
        later && t("review.later", { n: list.length }),
        more && t("review.others", { n: more }),
      ].filter(Boolean).join(" · ");
    }
    if (!list?.length) return "\u00a0";
    const shelves = new Set(list.map((i) => i.shelf?.name).filter(Boolean));
    return shelves.size === 1
      ? t("review.from", { n: list.length, shelf: [...shelves][0] })
      : t("review.count", { n: list.length });
  }

  #done() {
    const n = decided.get();
    return h(
      "div.empty.all-done",
      null,
      h("div.done-mark", { "aria-hidden": "true" }, icon("ready_tier")),
      h("p", null, t("review.empty")),
      n > 0 && h("p.quiet", null, t("review.decided", { n })),
      link(t("results.toLibrary"), "#/library", { kind: "main" }, "library"),
    );
  }

  /** The line above the book of a phone: "3 of 18 · Hall shelf". */
  #drawTop(isOne) {
    const { flat } = this.#queue, n = decided.get();
    if (!isOne) {
      const isBack = !wide() && this.query.has("rest");
      return redraw(
        this.top,
        isBack && round("back", t("common.back"), { class: "bare", onclick: () => back("/review") }),
      );
    }
    const item = this.#active ?? flat[0];
    const at = t("correct.of", { n: flat.indexOf(item) + 1, of: flat.length });
    redraw(
      this.top,
      round("close", t("common.close"), { class: "bare", onclick: () => go("/library") }),
      h("p.clip.nums", null, [at, item.shelf?.name].filter(Boolean).join(" · ")),
      round("more", t("review.options"), { class: "bare", "data-key": "menu", onclick: () => this.#menu() }),
      bar(t("review.progress"), n / (n + flat.length)),
    );
  }

  /** Below the book of a phone: what can be decided together, and the way to all other questions. */
  #besides(n) {
    const name = this.#tierTogether;
    return [
      name && button(together(name, this.#queue.groups[name].length), {
        kind: "link",
        "data-key": "together",
        onclick: () => this.#verifyTier(name),
      }),
      n > 0 && link(t("review.others", { n }), "#/review?rest", { kind: "link", "data-key": "rest" }),
    ];
  }

  #drawBig(flat) {
    const item = flat.find((i) => i.id === position.activeId) ?? flat[0];
    if (!item) return redraw(this.body); // only fragments are left
    position.activeId = item.id;
    redraw(this.body, this.big.element);
    this.#drawTop(true);
    this.big.show(item, { n: flat.indexOf(item) + 1, of: flat.length });
  }

  #drawList(groups) {
    const focused = document.activeElement?.closest("[data-item]")?.getAttribute("data-item");
    redraw(this.body, this.list.element);
    this.list.show(groups, position.activeId);
    const active = this.#active ?? this.#queue.flat[0];
    this.beside.show(active);
    if (!focused || this.list.card(focused)?.contains(document.activeElement)) return;
    this.#focus(this.list.card(focused) ? focused : active?.id);
  }

  /** The tier that is confirmed together. */
  get #tierTogether() {
    const { ready, notChecked } = this.#queue.groups;
    return ready.length ? "ready" : notChecked.length ? "notChecked" : null;
  }

  /** What can be decided together: the books of a tier, on wide screens in a bar, and fragments. */
  #drawTogether(showsRest) {
    const { fragments, groups } = this.#queue, n = fragments.length, name = this.#tierTogether;
    redraw(this.all, wide() && name && tierBar(name, groups[name].length, () => this.#verifyTier(name)));
    redraw(
      this.scraps,
      showsRest && n > 0 && waitingLine(icon("box"), h("span.grow", null, t("review.scraps", { n })), {
        label: t("review.scrapsSee"),
        run: () => this.#discardFragments(),
        key: "fragments",
      }),
    );
  }

  // ---- the active item

  get #active() {
    return this.#queue.flat.find((i) => i.id === position.activeId);
  }

  #activate(id) {
    position.activeId = id;
    this.list.mark(id);
    if (wide()) this.beside.show(this.#active);
  }

  #focus(id) {
    const card = this.list.card(id);
    if (!card || !wide()) return this.#activate(id);
    this.#activate(id);
    if (!card.contains(document.activeElement)) card.querySelector("a")?.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  #step(by) {
    const { flat } = this.#queue;
    if (!flat.length) return;
    const at = flat.findIndex((i) => i.id === position.activeId);
    this.#focus(flat[Math.max(0, Math.min(flat.length - 1, at < 0 ? 0 : at + by))].id);
    if (!wide()) this.#draw();
  }

  #edit(item) {
    position.activeId = item.id;
    this.list.editing = item.id;
    this.#draw();
    // Synchronously: the next key must not trigger the card's shortcuts.
    this.list.card(item.id)?.querySelector("input")?.focus({ preventScroll: true });
    this.list.card(item.id)?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  // ---- decisions

  #actions = {
    activate: (item) => this.#activate(item.id),
    edit: (item) => wide() ? this.#edit(item) : go(`/review/${encodeURIComponent(item.id)}`),
    step: (by) => this.#step(by),
    verify: (item) => this.#decide(item, () => verify(item)),
    reject: (item) => this.#decide(item, () => reject(item)),
    use: (item, match) => this.#decide(item, () => useCandidate(item, match)),
    stop: (item) => {
      this.list.editing = null;
      this.#draw();
      this.#focus(item.id);
    },
    save: (item, change) => {
      this.list.editing = null;
      this.#decide(item, () => correct(item, change));
    },
  };

  #decide(item, decision) {
    const focused = document.activeElement;
    const keep = focused?.closest?.("[data-item]") || focused === document.body;
    moveOn(item);
    decision();
    if (keep && position.activeId && wide()) this.#focus(position.activeId);
  }

  async #match(item) {
    const found = await findMatchFor(item);
    if (found) this.#decide(item, () => applyMatch(item, found));
    else this.#focus(item.id);
  }

  async #verifyTier(name) {
    const list = this.#queue.groups[name], n = list.length;
    // Those that were not checked are looked at one by one.
    if (name === "notChecked") return confirmTyped(await askRight(list));
    const yes = await confirm(t("review.allTitle", { n }), t("review.allText"), t("review.verifyAll", { n }));
    if (yes) decideOn(list, () => api.verifyAll({ ids: list.map((i) => i.id) }), t("review.verifiedMany", { n }));
  }

  async #discardFragments() {
    const list = await chooseFragments(this.#queue.fragments), ids = list.map((i) => i.id);
    if (list.length) decideOn(list, () => api.rejectAll(ids), t("review.scrapsGone", { n: list.length }));
  }

  // ---- menu and keys

  #menu() {
    const turn = () => {
      turnOrder();
      this.#draw();
    };
    const filterBy = (photo) => () => {
      position.filter = { ...noFilter(), photo };
      this.#draw();
    };
    const item = this.#active, isFiltered = Object.values(position.filter).some(Boolean);
    openMenu({ order: position.order, groups: this.#queue.groups }, {
      turn,
      report: item && (() => reportDetection({ detectionId: item.id }, spineOf(item))),
      onlyPhoto: item?.photoId && !isFiltered && filterBy(item.photoId),
      all: isFiltered && filterBy(""),
      verifyTier: (name) => this.#verifyTier(name),
    });
  }

  #keys(event) {
    const item = this.#active, { verify, reject, edit } = this.#actions;
    const decide = (decision) => {
      if (item) decision(item);
      announce(t("review.left", { n: items.get()?.length ?? 0 }));
    };
    runShortcut(event, {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowDown: () => this.#step(1),
      ArrowUp: () => this.#step(-1),
      v: () => decide(verify),
      x: () => decide(reject),
      e: () => item && edit(item),
      m: () => item && this.#match(item),
      "?": showKeys,
    });
  }
}

export default define("sl-review", ReviewScreen);
export const title = () => t("nav.review");
