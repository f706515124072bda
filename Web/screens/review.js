// The review queue: lowest confidence first, decided by swipe or single keys.
import * as api from "../lib/api.js";
import { announce, h, isTyping, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import {
  correctItem,
  decide,
  decided,
  items,
  loadReview,
  matchItem,
  rejectItem,
  reviewProblem,
  tierOfItem,
  verifyItem,
} from "../lib/review.js";
import { go } from "../lib/router.js";
import { changedCount, online } from "../lib/state.js";
import { TIERS } from "../lib/tiers.js";
import { confirm, menu, sheet } from "../elements/sheet.js";
import { button, define, errorNote, link, round, Screen, tier, wordsFor } from "../elements/ui.js";
import { undoBar } from "../elements/undo.js";
import { queueCard } from "./review/card.js";
import { changedLine } from "./automatic/line.js";
import { findMatchFor } from "./review/item.js";
import { chooseRight } from "./review/right.js";

let activeId = null;
let order = "unsure";

class ReviewScreen extends Screen {
  #cards = new Map();
  #editing = null;
  /** @type {any[]} */ flat = [];

  build() {
    this.classList.add("review");
    this.sub = h("p");
    this.list = h("div.queue");
    this.all = h("div.ready-bar-place");
    this.show(
      h(
        "div.page.review-page",
        null,
        h(
          "div.page-head",
          null,
          h("div.grow", null, h("h1", { tabindex: -1 }, t("nav.review")), this.sub),
          round("sort", t("review.options"), { onclick: () => this.#menu() }),
        ),
        this.list,
      ),
      this.all,
    );
    items.watch(() => this.#draw(), this.signal);
    reviewProblem.watch(() => this.#draw(), this.signal);
    changedCount.watch(() => this.#draw(), this.signal);
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    loadReview();
  }

  #draw() {
    if (this.signal.aborted || !this.list) return;
    const list = items.get(), problem = reviewProblem.get();
    if (list === null) {
      replace(this.sub, "\u00a0");
      return replace(
        this.list,
        Array.from({ length: 4 }, () => h("div.queue-card.ghost-card", null, h("div.spine-strip"))),
      );
    }
    const shelves = new Set(list.map((i) => i.shelf?.name).filter(Boolean));
    replace(
      this.sub,
      list.length
        ? shelves.size === 1
          ? t("review.from", { n: list.length, shelf: [...shelves][0] })
          : t("review.count", { n: list.length })
        : "",
    );
    if (problem && !list.length) return replace(this.list, errorNote(problem, loadReview));
    if (!list.length) {
      this.#cards.clear();
      replace(this.all);
      const n = decided.get();
      return replace(
        this.list,
        changedLine(),
        h(
          "div.empty.all-done",
          null,
          h("div.done-mark", { "aria-hidden": "true" }, icon("ready_tier")),
          h("p", null, t("review.empty")),
          n > 0 && h("p.quiet", null, t("review.decided", { n })),
          link(t("results.toLibrary"), "#/library", { kind: "main" }, "library"),
        ),
      );
    }
    /** @type {Record<string, any[]>} */
    const groups = Object.fromEntries(TIERS.map((name) => [name, []]));
    for (const item of list) groups[tierOfItem(item)].push(item);
    if (order === "sure") { for (const g of Object.values(groups)) g.reverse(); }
    this.flat = TIERS.flatMap((name) => groups[name]);
    if (!this.flat.some((i) => i.id === activeId)) activeId = null;
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active?.closest("[data-item]")?.getAttribute("data-item");
    const ids = new Set(this.flat.map((i) => i.id));
    for (const [id, card] of this.#cards) if (!ids.has(id)) card.remove(), this.#cards.delete(id);
    const sections = TIERS.filter((name) => groups[name].length).map((name) =>
      h(
        "section",
        { "aria-labelledby": `tier-${name}` },
        h(
          "div.section-head",
          null,
          h("h2", { id: `tier-${name}` }, tier(name)),
          h("span.nums.quiet", null, groups[name].length),
        ),
        h("ul", null, groups[name].map((item) => this.#card(item, name))),
      )
    );
    replace(
      this.list,
      !online.get() && h("div.note", null, icon("offline"), h("p", null, t("review.offline"))),
      changedLine(),
      sections,
    );
    this.#drawAll(groups);
    if (!focused) return;
    if (!ids.has(focused)) this.#focus(activeId ?? this.flat[0]?.id);
    // Restores the focus to the same field, so that typing continues while the list moves.
    else if (active?.isConnected) active.focus({ preventScroll: true });
    else this.#focus(focused);
  }

  #drawAll(groups) {
    const name = groups.ready.length ? "ready" : groups.unchecked.length ? "unchecked" : null;
    if (!name) return replace(this.all);
    replace(
      this.all,
      h(
        "div.ready-bar",
        null,
        tier(name, { small: true }),
        h("span.caption", null, t("library.count", { n: groups[name].length })),
        button(name === "unchecked" ? t("review.right") : t("review.verifyAll", { n: groups[name].length }), {
          kind: "main",
          onclick: () => this.#verifyTier(name),
        }),
      ),
    );
  }

  #card(item, name) {
    const key = `${item.etag}|${item.title}|${item.author}|${name}|${this.#editing === item.id}`;
    const known = this.#cards.get(item.id);
    if (known?.dataset.key === key) {
      known.classList.toggle("here", activeId === item.id);
      return known;
    }
    const card = queueCard(item, name, this.#editing === item.id, this.#actions);
    card.dataset.key = key;
    card.classList.toggle("here", activeId === item.id);
    known?.replaceWith(card);
    this.#cards.set(item.id, card);
    return card;
  }

  #actions = {
    activate: (item) => (activeId = item.id),
    edit: (item) => this.#edit(item),
    verify: (item) => this.#verify(item),
    reject: (item) => this.#reject(item),
    stop: (item) => {
      this.#editing = null;
      this.#draw();
      this.#focus(item.id);
    },
    save: (item, change) => {
      this.#editing = null;
      this.#next(item);
      this.#run([item], (i) => correctItem(i, change), t("correct.saved", { title: change.title }));
    },
  };

  #edit(item) {
    activeId = item.id;
    this.#editing = item.id;
    this.#draw();
    // Synchronously: the next key must not trigger the card's shortcuts.
    this.#cards.get(item.id)?.querySelector("input")?.focus({ preventScroll: true });
    this.#cards.get(item.id)?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  #focus(id) {
    const card = this.#cards.get(id);
    if (!card) return;
    activeId = id;
    for (const c of this.#cards.values()) c.classList.toggle("here", c === card);
    const target = card.querySelector("a");
    if (document.activeElement !== target && !card.contains(document.activeElement)) {
      target?.focus({ preventScroll: true });
    }
    card.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  #step(by) {
    if (!this.flat?.length) return;
    const at = this.flat.findIndex((i) => i.id === activeId);
    this.#focus(this.flat[Math.max(0, Math.min(this.flat.length - 1, at < 0 ? 0 : at + by))].id);
  }

  /** The card that becomes active when this one is removed. */
  #next(item) {
    const at = this.flat.findIndex((i) => i.id === item.id);
    activeId = (this.flat[at + 1] ?? this.flat[at - 1])?.id ?? null;
  }

  #run(list, work, words) {
    const keep = document.activeElement?.closest?.("[data-item]") || document.activeElement === document.body;
    const { done, back } = decide(list, work);
    if (keep && activeId) this.#focus(activeId);
    undoBar(words, back);
    done.catch((error) => {
      undoBar(error.status === 409 ? t("error.conflict") : wordsFor(error));
      if (error.status === 409 || error.status === 404) loadReview();
    });
  }

  #verify(item) {
    this.#next(item);
    this.#run([item], verifyItem, t("review.verified", { title: item.title || t("book.unread") }));
  }

  #reject(item) {
    this.#next(item);
    this.#run([item], rejectItem, t("book.removed"));
  }

  async #match(item) {
    const found = await findMatchFor(item, [item.title, item.author]);
    if (!found) return this.#focus(item.id);
    this.#next(item);
    this.#run([item], (i) => matchItem(i, found), t("match.used", { title: found.title }));
  }

  async #verifyTier(name) {
    const list = await this.#chosenOf(name);
    if (!list.length) return;
    let token;
    const { done, back } = decide(list, async (item) => {
      // One request for all items, sent with the first.
      if (item !== list[0]) return {};
      token = (await api.verifyAll({ ids: list.map((i) => i.id) })).undoToken;
      return { undoToken: token };
    });
    undoBar(t("review.verifiedMany", { n: list.length }), back);
    done.catch((error) => undoBar(wordsFor(error)));
  }

  /** Returns the books of a tier that the user confirms. Those that were not checked are looked at one by one. */
  async #chosenOf(name) {
    const list = this.flat.filter((i) => tierOfItem(i) === name);
    if (name === "unchecked") return chooseRight(list);
    const yes = await confirm(
      t("review.allTitle", { n: list.length }),
      t("review.allText"),
      t("review.verifyAll", { n: list.length }),
    );
    return yes ? list : [];
  }

  #menu() {
    const counts = Object.fromEntries(
      TIERS.map((name) => [name, (this.flat ?? []).filter((i) => tierOfItem(i) === name).length]),
    );
    menu(t("review.options"), [
      {
        label: order === "unsure" ? t("review.sureFirst") : t("review.unsureFirst"),
        icon: "sort",
        run: () => {
          order = order === "unsure" ? "sure" : "unsure";
          this.#draw();
        },
      },
      ...TIERS.filter((name) => counts[name]).map((name) => ({
        label: t(`review.verifyTier.${name}`, { n: counts[name] }),
        icon: "check",
        run: () => this.#verifyTier(name),
      })),
      { label: t("automatic.title"), icon: "clock", run: () => go("/review/automatic") },
      { label: t("review.keys"), icon: "keyboard", run: () => this.#help() },
    ]);
  }

  #help() {
    const keys = { J: "next", K: "previous", V: "verify", E: "edit", M: "match", X: "reject", "↵": "open", U: "undo" };
    const line = ([key, what]) =>
      h("div.kv", null, h("dt", null, h("kbd", null, key)), h("dd", null, t(`review.key.${what}`)));
    sheet(t("review.keys"), () => h("dl.keys.rows", null, Object.entries(keys).map(line)));
  }

  #keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    const key = event.key.toLowerCase();
    const item = this.flat?.find((i) => i.id === activeId);
    const work = {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      arrowdown: () => this.#step(1),
      arrowup: () => this.#step(-1),
      v: () => item && this.#verify(item),
      e: () => item && this.#edit(item),
      m: () => item && this.#match(item),
      x: () => item && this.#reject(item),
      "?": () => this.#help(),
    }[key];
    if (!work) return;
    event.preventDefault();
    work();
    if (key === "v" || key === "x") announce(t("review.left", { n: items.get()?.length ?? 0 }));
  }
}

export default define("sl-review", ReviewScreen);
export const title = () => t("nav.review");
