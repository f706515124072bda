// The chosen book: what is known, what it may be, and the decisions about it.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { tierOfBook } from "../../lib/tiers.js";
import { bookCard, sureBesideTier } from "../../elements/book.js";
import { cover } from "../../elements/cover.js";
import { spineOrCover } from "../../elements/place.js";
import { spineOn } from "../../elements/spine.js";
import { button, round, tier } from "../../elements/ui.js";

/** @param {any} book @param {any} photo @param {any} actions @param {boolean} [inList] below its row, on wide screens */
export function resultCard(book, photo, actions, inList = false) {
  const name = tierOfBook(book), added = book.mark === "added", asked = book.mark === "asked";
  const spine = () => spineOrCover(spineOn(photo, book), book, { long: 150, short: 60 });
  const use = name !== "ready" && !asked && ((match) => actions.use(book, match));
  return h(
    "div.book-card",
    { class: inList ? "in-list" : "" },
    h(
      "div.card-scroll",
      { "data-scroll": book.id },
      !inList && h(
        "div.line.between",
        null,
        added ? tier("ready", { word: t("results.isAddedShort") }) : tier(name),
        h("span.quiet", null, sureBesideTier(book)),
      ),
      inList
        ? bookCard(book, h("div.card-spine", null, spine()), { use, most: 2 })
        : bookCard(book, cover(book, { size: "m" }), { heading: "h1", use, most: 2 }),
    ),
    // A book that the library had before this scan is corrected there.
    !asked && (!added || book.entryId) && links(book, actions),
    h(
      "div.card-main",
      null,
      !inList &&
        round("back", t("book.previous"), { class: "big", "data-key": "prev", onclick: () => actions.step(-1) }),
      added
        ? h("p.line.added-word", null, icon("check"), t("results.isAdded"))
        : mainButton(book, name, asked, actions),
      !inList && round("next", t("book.next"), { class: "big", "data-key": "next", onclick: () => actions.step(1) }),
    ),
  );
}

function links(book, actions) {
  const link = (key, label, run, iconName) =>
    button(label, { kind: "link", "data-key": key, onclick: () => run(book) }, iconName);
  return h(
    "div.card-links",
    null,
    link("edit", t("book.edit"), actions.edit, "edit"),
    link("match", t("book.findMatch"), actions.match, "search"),
    link("not", t("book.notABook"), actions.notABook, "close"),
  );
}

function mainButton(book, name, asked, actions) {
  const main = (label, iconName, run) =>
    button(label, { kind: "main grow", "data-key": "yes", onclick: run }, iconName);
  if (asked) return main(t("results.second"), "box", () => actions.answerAll());
  const add = () => actions.add([book], false);
  return name === "ready" ? main(t("results.addOne"), "plus", add) : main(t("book.yes"), "check", add);
}
