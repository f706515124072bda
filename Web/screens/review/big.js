// One book of the queue as a large card, for phones: the whole spine, the full title, and the decisions at the thumb.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { tierOfBook } from "../../lib/tiers.js";
import { bookCard, sureBesideTier } from "../../elements/book.js";
import { placeInWords } from "../../elements/place.js";
import { spine, spineOf } from "../../elements/spine.js";
import { button, round, tier } from "../../elements/ui.js";
import { undoPlace } from "../../elements/undo.js";
import { showSpine } from "../correct/spine.js";
import { swipe } from "./swipe.js";

/** The card and its buttons stay; only the book in it changes, so that no tap is lost between two books. */
export class BigCard {
  /** @type {any} */ #item = null;

  /** @param {any} actions `edit`, `verify`, `reject`, `use`, `step` */
  constructor(actions) {
    this.actions = actions;
    const decide = (work) => () => this.#item && work(this.#item);
    this.content = h("div.big-content");
    this.card = h("article", { tabindex: -1 }, this.content);
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
        button(t("book.edit"), { "data-key": "edit", onclick: decide(actions.edit) }, "edit"),
        button(t("review.yes"), { kind: "main", "data-key": "yes", onclick: decide(actions.verify) }, "check"),
      ),
    );
  }

  /** @param {any} item @param {{n: number, of: number}} place */
  show(item, { n, of }) {
    const name = tierOfBook(item), { actions } = this;
    const key = `${item.id}|${item.etag}|${item.title}|${item.author}|${name}|${n}|${of}`;
    if (this.card.dataset.key === key) return;
    this.#item = item;
    Object.assign(this.card.dataset, { key, item: item.id });
    this.card.className = `queue-card big here ${name}`;
    redraw(
      this.content,
      h(
        "div.line.between",
        null,
        h(
          "div.grow",
          null,
          tier(name, { small: true }),
          h("p.caption", null, sureBesideTier(item)),
        ),
        round("back", t("book.previous"), { class: "bare", disabled: n === 1, onclick: () => actions.step(-1) }),
        h("span.nums.quiet", null, t("correct.of", { n, of })),
        round("next", t("review.skip"), { class: "bare", disabled: n === of, onclick: () => actions.step(1) }),
      ),
      bookCard(item, wholeSpine(item), { heading: "h2", use: (match) => actions.use(item, match), most: 3 }),
    );
    this.card.scrollTop = 0;
  }
}

/** The spine, which opens large; without its picture, the cover and the shelf. */
function wholeSpine(item) {
  const picture = spineOf(item), instead = () => placeInWords(item, item.shelf?.name);
  if (!picture) return instead();
  const canvas = spine(picture, { lie: true, long: 640 });
  const frame = h(
    "button.whole-spine",
    { type: "button", "aria-label": t("correct.zoom"), onclick: () => showSpine(picture, 0) },
    canvas,
  );
  canvas.addEventListener("missing", () => frame.replaceWith(instead()));
  return frame;
}
