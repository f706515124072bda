// One book of the queue as a large card, for phones: the whole spine, the full title, and the decisions at the thumb.
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { button, round, sureness, tier } from "../../elements/ui.js";
import { placeInWords } from "../../elements/place.js";
import { spine } from "../../elements/spine.js";
import { TIERS } from "../../lib/tiers.js";
import { undoPlace } from "../../elements/undo.js";
import { showSpine } from "../correct/spine.js";
import { candidates } from "./candidates.js";
import { itemTitle, spineOf, unsure } from "./item.js";
import { swipe } from "./swipe.js";

/** The card and its buttons stay; only the book in it changes, so that no tap is lost between two books. */
export class BigCard {
  /** @type {any} */ #item = null;

  /** @param {any} actions `edit`, `verify`, `reject`, `use`, `step` */
  constructor(actions) {
    this.actions = actions;
    const decide = (work) => () => this.#item && work(this.#item);
    this.content = h("div.big-content");
    this.card = h("article.queue-card.big.here", { tabindex: -1 }, this.content);
    swipe(this.card, { right: decide(actions.verify), left: decide(actions.reject) });
    this.element = h(
      "div.one",
      null,
      this.card,
      h(
        "div.thumb-dock",
        null,
        undoPlace(),
        button(t("book.notABook"), { "data-key": "not", onclick: decide(actions.reject) }, "close"),
        button(t("review.edit"), { "data-key": "edit", onclick: decide(actions.edit) }, "edit"),
        button(t("review.yes"), { kind: "main", "data-key": "yes", onclick: decide(actions.verify) }, "check"),
      ),
    );
  }

  /** @param {any} item @param {string} name of its tier @param {{n: number, of: number}} place */
  show(item, name, { n, of }) {
    const key = `${item.id}|${item.etag}|${item.title}|${item.author}|${name}|${n}|${of}`;
    if (this.card.dataset.key === key) return;
    this.card.dataset.key = key;
    this.card.dataset.item = item.id;
    for (const other of TIERS) this.card.classList.toggle(other, other === name);
    this.#item = item;
    const picture = spineOf(item), lines = (item.text ?? []).map((line) => line.text).filter(Boolean);
    replace(
      this.content,
      h(
        "div.line.between",
        null,
        h(
          "div.grow",
          null,
          tier(name, { small: true }),
          item.confidence !== null && h("p.caption", null, sureness(item)),
        ),
        round("back", t("review.previous"), { class: "bare", disabled: n === 1, onclick: () => this.actions.step(-1) }),
        h("span.nums.quiet", null, t("correct.of", { n, of })),
        round("next", t("review.skip"), { class: "bare", disabled: n === of, onclick: () => this.actions.step(1) }),
      ),
      picture ? wholeSpine(picture, item) : placeInWords(item, item.shelf?.name),
      h("h2.title-lg", { dir: "auto", class: unsure(item) ? "uncertain" : "" }, itemTitle(item)),
      h("p.card-author", { dir: "auto" }, item.author || t("book.noAuthor")),
      item.problem && h("p.note", null, icon("info"), h("span", null, item.problem)),
      lines.length > 0 &&
        h("div.read-lines", null, h("p.caption", null, t("book.weRead")), h("p.lines", null, lines.join(" · "))),
      candidates(item, this.actions.use),
    );
    this.card.scrollTop = 0;
  }
}

/** The spine, which opens large; without its picture, the cover and the shelf. */
function wholeSpine(picture, item) {
  const canvas = spine(picture, { lie: true, long: 640 });
  const frame = h(
    "button.whole-spine",
    { type: "button", "aria-label": t("correct.zoom"), onclick: () => showSpine(picture, 0) },
    canvas,
  );
  canvas.addEventListener("missing", () => frame.replaceWith(placeInWords(item, item.shelf?.name)));
  return frame;
}
