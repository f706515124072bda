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

/** CSS px: the length at which a spine is drawn, and the height at which its text can be read. */
const WIDE = 640, READABLE = 96;

/** The card and its buttons stay; only the book in it changes, so that no tap is lost between two books. */
export class BigCard {
  /** @type {any} */ #item = null;

  /** @param {any} actions `edit`, `verify`, `reject`, `use`, `step` @param {any} beside what is below the card */
  constructor(actions, beside) {
    this.actions = actions;
    const decide = (work) => () => this.#item && work(this.#item);
    this.content = h("div.big-content");
    this.card = h("article", { tabindex: -1 }, this.content);
    swipe(this.card, { right: decide(actions.verify), left: decide(actions.reject) });
    this.element = h(
      "div.one",
      null,
      this.card,
      beside,
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
        h("div.grow.line", null, tier(name, { small: true }), h("span.caption", null, sureBesideTier(item))),
        round("back", t("book.previous"), { class: "bare", disabled: n === 1, onclick: () => actions.step(-1) }),
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
  const canvas = spine(picture, { lie: true, long: WIDE });
  const frame = h(
    "button.whole-spine",
    { type: "button", "aria-label": t("correct.zoom"), onclick: () => showSpine(picture, 0) },
    canvas,
  );
  const place = h("div.spine-place", null, frame);
  canvas.addEventListener("missing", () => place.replaceWith(instead()));
  canvas.addEventListener("drawn", () => magnify(place, picture, canvas));
  return place;
}

/** Shows a thin spine again as high as it can be read. It is moved with a finger, which swipes no card. */
function magnify(place, picture, canvas) {
  const high = canvas.height / canvas.width * place.clientWidth;
  if (high >= READABLE || place.children.length > 1) return;
  place.append(h(
    "div.magnified",
    { tabindex: 0, role: "group", "aria-label": t("correct.spine"), onpointerdown: (e) => e.stopPropagation() },
    spine(picture, { lie: true, long: Math.round(READABLE * canvas.width / canvas.height) }),
  ));
}
