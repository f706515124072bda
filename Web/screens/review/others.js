// What waits in the queue besides books to review: possible duplicates, missing books and failed rows of lists, as cards.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { refreshLibrary } from "../../lib/library.js";
import { loadReview } from "../../lib/review.js";
import { go } from "../../lib/router.js";
import { cover } from "../../elements/cover.js";
import { spine } from "../../elements/spine.js";
import { button, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { askAboutGap } from "../shelf/gap.js";
import { spineOf } from "./item.js";

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
    const sections = KINDS.map((kind) => ({ kind, some: list.filter((item) => item.kind === kind) }));
    replace(
      this.element,
      sections.filter(({ some }) => some.length).map(({ kind, some }) =>
        h(
          "section",
          { "aria-labelledby": `kind-${kind}` },
          h(
            "div.section-head",
            null,
            h("h2", { id: `kind-${kind}` }, t(`review.kind.${kind}`)),
            h("span.nums.quiet", null, some.length),
          ),
          h("ul", null, some.map((item) => this.#cards.get(item.id))),
        )
      ),
    );
  }
}

const card = (item) => ({ duplicateQuestion: duplicate, missing, failedRow })[item.kind](item);

function duplicate(item) {
  const question = item.duplicates[0], { existing } = question, title = item.title || t("book.unread");
  const decide = (decision, words) => ({
    onclick: (e) => run(e, words, async () => ({ undoToken: await api.decideDuplicates([question.id], decision) })),
  });
  return frame(
    item,
    h("p.caption", null, t(question.kind === "similar" ? "review.similar" : "review.same")),
    h(
      "div.two-books",
      null,
      book(item, title, item.author, t("review.thisBook")),
      book(
        { ...existing, title: existing.title },
        existing.title,
        existing.authors.join(", "),
        t("review.inLibrary"),
      ),
    ),
    h(
      "div.line.wrap",
      null,
      button(t("review.sameBook"), { kind: "small", ...decide("existing", t("review.wasSame", { title })) }),
      button(t("review.secondCopy"), { kind: "small", ...decide("addCopy", t("review.wasCopy", { title })) }),
      button(t("review.otherBook"), { kind: "small", ...decide("different", t("review.wasOther", { title })) }),
    ),
  );
}

const book = (pictured, title, author, words) =>
  h(
    "div.one-book",
    null,
    cover({ ...pictured, title, author }, { size: "s" }),
    h(
      "div.grow",
      null,
      h("p.caption", null, words),
      h("p.title", { dir: "auto" }, title),
      h("p.quiet", { dir: "auto" }, author || t("book.noAuthor")),
    ),
  );

function missing(item) {
  const { title, shelf } = item, picture = spineOf(item);
  const entry = { id: item.entryId, title, ownership: "owned" };
  return frame(
    item,
    picture && h("div.spine-strip", null, spine(picture, { lie: true, long: 640, short: 80 })),
    h("p.title", { dir: "auto" }, title),
    h("p.quiet", { dir: "auto" }, item.author || t("book.noAuthor")),
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
async function run(event, words, work) {
  const buttons = event.currentTarget.parentElement.querySelectorAll("button");
  for (const one of buttons) one.disabled = true;
  const after = async () => {
    refreshLibrary();
    await loadReview();
  };
  try {
    const { undoToken } = await work();
    undoBar(words, undoToken && (() => api.undo([undoToken]).then(after)));
    await after();
  } catch (error) {
    undoBar(wordsFor(error));
    for (const one of buttons) one.disabled = false;
    if (error.status === 404 || error.status === 409) loadReview();
  }
}
