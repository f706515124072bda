// The chosen book: text, confidence, suggestions and actions.
import { h } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { offered, otherOpinion } from "../../lib/matches.js";
import { icon } from "../../lib/icons.js";
import { tierOfBook } from "../../lib/tiers.js";
import { button, round, sureness, tier } from "../../elements/ui.js";
import { cover } from "../../elements/cover.js";
import { sourceName } from "../../elements/match.js";
import { spineOrCover } from "../../elements/place.js";
import { titleWords, unsureTitle } from "./model.js";

export function bookCard(book, photo, actions, inList = false) {
  const name = tierOfBook(book);
  const lines = (book.text ?? []).map((l) => l.text).filter(Boolean);
  const opinion = otherOpinion(book);
  const added = book.mark === "added", asked = book.mark === "asked";
  const buttons = h(
    "div.card-links",
    null,
    button(t("book.correct"), { kind: "link", "data-key": "correct", onclick: () => actions.edit(book) }, "edit"),
    button(t("book.findMatch"), { kind: "link", "data-key": "match", onclick: () => actions.match(book) }, "search"),
    button(t("book.notABook"), { kind: "link", "data-key": "not", onclick: () => actions.notABook(book) }, "close"),
  );
  const main = added
    ? h("p.line.added-word", null, icon("check"), t("results.isAdded"))
    : asked
    ? button(t("results.second"), { kind: "main grow", "data-key": "yes", onclick: () => actions.answerAll() }, "box")
    : button(name === "ready" ? t("results.addOne") : t("book.yes"), {
      kind: "main grow",
      "data-key": "yes",
      onclick: () => actions.add([book], false),
    }, name === "ready" ? "plus" : "check");
  return h(
    "div.book-card",
    { class: inList ? "in-list" : "" },
    h(
      "div.card-scroll",
      null,
      !inList &&
        h(
          "div.line.between",
          null,
          added ? tier("ready", { word: t("results.isAddedShort") }) : tier(name),
          name !== "notChecked" && h("span.quiet", { "data-sure": "" }, sureness(book)),
        ),
      h(
        "div.book-card-main",
        null,
        inList
          ? h(
            "div.card-spine",
            null,
            spineOrCover({ source: photo.url, quad: quadOf(book) }, book, { long: 150, short: 60 }),
          )
          : cover(book, { size: "m" }),
        h(
          "div.grow",
          null,
          inList ? h("p.caption", null, sureness(book)) : h(
            "h1.title-lg",
            { tabindex: -1, class: unsureTitle(book) ? "uncertain" : "" },
            titleWords(book),
          ),
          !inList && h("p.card-author", null, book.author || t("book.noAuthor")),
          book.publisher || book.year
            ? h("p.quiet", null, [book.publisher, book.year].filter(Boolean).join(", "))
            : null,
          book.isbn && h("p.quiet.nums", null, t("book.isbn", { isbn: book.isbn })),
          lines.length > 0 &&
            h("div.read-lines", null, h("p.caption", null, t("book.weRead")), h("p.lines", null, lines.join(" · "))),
          opinion &&
            h(
              "div.read-lines",
              { "data-opinion": opinion.source },
              h("p.caption", null, t("book.modelRead", { name: sourceName(opinion.source) })),
              h("p.lines", null, [opinion.title, opinion.author].filter(Boolean).join(" · ")),
            ),
        ),
      ),
      name !== "ready" && !asked && alternatives(book, actions),
    ),
    // A book that the library had before this scan is corrected there.
    !asked && (!added || book.entryId) && buttons,
    h(
      "div.card-main",
      null,
      !inList &&
        round("back", t("results.previous"), { class: "big", "data-key": "prev", onclick: () => actions.step(-1) }),
      main,
      !inList && round("next", t("results.next"), { class: "big", "data-key": "next", onclick: () => actions.step(1) }),
    ),
  );
}

/** Other matches of the reader. */
function alternatives(book, actions) {
  const list = offered(book, 2);
  if (!list.length) return null;
  return h(
    "div.alternatives",
    null,
    h("h2", null, t("book.couldBe")),
    list.map((m, i) =>
      h(
        "button.alternative",
        {
          type: "button",
          "data-key": `alt-${i}`,
          onclick: () => actions.use(book, m),
        },
        cover(m, { size: "xs" }),
        h(
          "span.grow",
          null,
          h("span.title", null, m.title),
          h(
            "span.caption",
            null,
            [m.author, sourceName(m.source)].filter(Boolean).join(" · "),
          ),
        ),
        h("span.use", null, t("book.use")),
      )
    ),
  );
}
