// What waits in the queue besides books to review: possible duplicates, missing books and failed rows of lists, as cards.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";
import { loadReview, refreshReview } from "../../lib/review.js";
import { go } from "../../lib/router.js";
import { recordWords, titleAndAuthor, titleOf } from "../../elements/book.js";
import { cover } from "../../elements/cover.js";
import { spineOf, spineStrip } from "../../elements/spine.js";
import { button, section } from "../../elements/ui.js";
import { act } from "../../elements/undo.js";
import { askAboutGap } from "../shelf/gap.js";

const KINDS = ["duplicateQuestion", "missing", "failedRow"];

/** The cards by kind. Cards of items that stay are kept, so that no tap is lost. */
export class Others {
  #cards = new Map();

  constructor() {
    this.element = h("div.queue-others");
  }

  /** @param {any[]} list */
  show(list) {
    const ids = new Set(list.map((item) => item.id));
    for (const id of this.#cards.keys()) if (!ids.has(id)) this.#cards.delete(id);
    for (const item of list) if (!this.#cards.has(item.id)) this.#cards.set(item.id, card(item));
    const cards = (items) => h("ul", null, items.map((item) => this.#cards.get(item.id)));
    redraw(
      this.element,
      KINDS.map((kind) => section(t(`review.kind.${kind}`), list.filter((item) => item.kind === kind), cards)),
    );
  }
}

const card = (item) => ({ duplicateQuestion: duplicate, missing, failedRow })[item.kind](item);

function duplicate(item) {
  const question = item.duplicates[0], { existing } = question, title = titleOf(item);
  const answer = (label, decision, words) => {
    const onclick = (e) => run(e, t(words, { title }), () => api.decideDuplicates([question.id], decision));
    return button(t(label), { kind: "small", onclick });
  };
  return frame(
    item,
    h("p.caption", null, t(question.kind === "similar" ? "review.similar" : "review.same")),
    h(
      "div.two-books",
      null,
      oneBook(item, t("review.thisBook"), titleAndAuthor(item)),
      oneBook(existing, t("review.inLibrary"), recordWords(existing)),
    ),
    h(
      "div.line.wrap",
      null,
      answer("review.sameBook", "existing", "review.wasSame"),
      answer("review.secondCopy", "addCopy", "review.wasCopy"),
      answer("review.otherBook", "different", "review.wasOther"),
    ),
  );
}

const oneBook = (book, caption, words) =>
  h("div.one-book", null, cover(book, { size: "s" }), h("div.grow", null, h("p.caption", null, caption), words));

function missing(item) {
  const { title, shelf } = item;
  const entry = { id: item.entryId, title, ownership: "owned" };
  return frame(
    item,
    spineStrip(spineOf(item)),
    recordWords(item),
    h("p.caption", null, t("review.notSeen", { shelf: shelf.name })),
    h(
      "div.line.wrap",
      null,
      button(t("gap.isFound"), {
        kind: "small",
        onclick: (e) => run(e, t("gap.wasFound", { title }), () => api.markFound(shelf.id, [entry.id])),
      }, "check"),
      button(t("review.elsewhere"), {
        kind: "small",
        "aria-label": t("gap.askName", { title }),
        onclick: () => askAboutGap(entry, shelf, loadReview),
      }),
    ),
  );
}

function failedRow(item) {
  return frame(
    item,
    h("p.title", { dir: "auto" }, item.title || t("review.rowWithoutText")),
    h("p.note", null, icon("info"), h("span", null, item.problem)),
    h(
      "div.line.wrap",
      null,
      button(t("review.addByHand"), {
        kind: "small",
        onclick: () => go(`/add?title=${encodeURIComponent(item.title ?? "")}`),
      }, "plus"),
      button(t("review.dismiss"), {
        kind: "small",
        onclick: (e) => run(e, t("review.dismissed"), () => api.dismissRows([item.id])),
      }, "close"),
    ),
  );
}

const frame = (item, ...content) => h("li.queue-card.other", { "data-item": item.id }, content);

/** Sends a decision; the card stays until the server has it. */
async function run(event, words, send) {
  const buttons = event.currentTarget.parentElement.querySelectorAll("button");
  for (const one of buttons) one.disabled = true;
  if (await act(words, send(), { changed: refreshReview })) return;
  for (const one of buttons) one.disabled = false;
  loadReview();
}
