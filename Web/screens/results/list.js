// The list of books, beside the photo on wide screens and in a sheet on phones, with heading and main actions.
import { h } from "../../lib/dom.js";
import { listed, percent, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { byTier, isDecided, tierOfBook, TIERS, unsureOf } from "../../lib/tiers.js";
import { questionsLine } from "../../elements/duplicates.js";
import { sheet } from "../../elements/sheet.js";
import { button, link, sureness, tier } from "../../elements/ui.js";
import { sourceName } from "../../elements/match.js";
import { spine, spineOn } from "../../elements/spine.js";
import { changedLine } from "../automatic/line.js";
import { bookCard } from "./card.js";
import { titleWords, unsureTitle } from "./model.js";

export function summary(model, actions) {
  return h(
    "div.panel-body",
    null,
    h("h1", { tabindex: -1 }, t("results.found", { n: model.all.length })),
    h("p.quiet", null, state(model)),
    changed(model),
    questionsLine(model.kept.asked, () => actions.answerAll()),
  );
}

/** The line about books of the library that were changed, once books of this scan are in it. */
const changed = (model) => model.all.some((b) => b.entryId) ? changedLine() : null;

function state(model) {
  const { n, sources } = model.identified;
  return [
    counts(model),
    model.asking && t("results.asking"),
    n > 0 && t("results.identified", { n, source: listed(sources.map(sourceName)) }),
  ].filter(Boolean).join(" ");
}

function counts(model) {
  const groups = byTier(model.open());
  const unsure = groups.needsReview.length + groups.verify.length, notChecked = groups.notChecked.length;
  const added = model.all.filter((b) => b.mark === "added").length;
  if (!model.all.length) return t("results.none");
  if (!model.waiting.length && model.kept.review) {
    return `${t("results.allAdded")} ${t("results.unsure", { n: model.kept.review })}`;
  }
  if (added && !model.open().length) return model.kept.asked ? null : t("results.allAdded");
  if (!unsure && !notChecked) return t("results.allReady", { n: groups.ready.length });
  return [
    (groups.ready.length || !notChecked) && t("results.ready", { n: groups.ready.length }),
    unsure && t("results.unsure", { n: unsure }),
    notChecked && t("results.notChecked", { n: notChecked }),
  ].filter(Boolean).join(" ");
}

export function dock(model, actions) {
  const groups = byTier(model.waiting);
  const unsure = unsureOf(byTier(model.open())).length;
  return h(
    "div.panel-dock",
    null,
    model.all.length === 0 && link(t("results.again"), "#/scan", { kind: "main grow" }, "scan"),
    unsure > 0 &&
      button(t("results.review", { n: unsure }), { "data-key": "review", onclick: () => actions.nextUnsure() }),
    groups.ready.length > 0 &&
      button(t("results.addReady", { n: groups.ready.length }), {
        kind: "main grow",
        "data-key": "add",
        onclick: () => actions.add(groups.ready),
      }, "plus"),
    groups.ready.length === 0 && model.waiting.length > 0 &&
      button(t("results.addUnsure", { n: model.waiting.length }), {
        kind: "main grow",
        "data-key": "add",
        onclick: () => actions.add(model.waiting),
      }, "plus"),
    model.all.length > 0 && !model.waiting.length &&
      link(t("results.toLibrary"), "#/library", { kind: "main grow" }, "library"),
  );
}

export function wideList(model, actions, note) {
  const groups = byTier(model.open(model.books));
  const added = model.books.filter((b) => b.mark === "added" || b.mark === "asked");
  return h(
    "div.panel-list",
    null,
    h(
      "div.panel-head",
      null,
      h("h1", { tabindex: -1 }, t("results.found", { n: model.all.length })),
      h("p.quiet", null, state(model)),
      changed(model),
      questionsLine(model.kept.asked, () => actions.answerAll()),
    ),
    note,
    TIERS.filter((name) => groups[name].length).map((name) =>
      h(
        "section",
        null,
        h("div.section-head", null, h("h2", null, tier(name)), h("span.nums.quiet", null, groups[name].length)),
        h("ul", null, groups[name].map((book) => listRow(book, model, actions))),
      )
    ),
    added.length > 0 &&
      h(
        "section",
        null,
        h("div.section-head", null, h("h2", null, t("results.added")), h("span.nums.quiet", null, added.length)),
        h("ul", null, added.map((book) => listRow(book, model, actions))),
      ),
  );
}

function listRow(book, model, actions) {
  const isChosen = book.id === model.chosen;
  return h(
    "li",
    { class: `result-row${isChosen ? " here" : ""}` },
    h(
      "button.result-main",
      {
        type: "button",
        "data-key": `row-${book.id}`,
        "aria-expanded": String(isChosen),
        onclick: () => actions.choose(isChosen ? null : book.id),
      },
      h(
        "span.strip",
        null,
        spine(spineOn(model.photo, book), { lie: true, long: 160, short: 30 }),
      ),
      h(
        "span.grow",
        null,
        h("span.title", { dir: "auto", class: unsureTitle(book) ? "uncertain" : "" }, titleWords(book)),
        h("span.quiet", { dir: "auto" }, book.author || t("book.noAuthor")),
      ),
      h(
        "span.caption.nums",
        null,
        book.mark === "added"
          ? icon("check", { label: t("results.isAdded") })
          : book.checked === false || isDecided(book)
          ? h("span.sr", null, sureness(book))
          : [percent(book.confidence ?? 0), h("span.sr", null, ` ${t("book.sureWord")}`)],
      ),
    ),
    isChosen && bookCard(book, model.photo, actions, true),
  );
}

export function listSheet(model, actions) {
  sheet(
    t("results.books"),
    (close) =>
      h(
        "ul.rows",
        null,
        model.books.map((book) =>
          h(
            "li",
            null,
            h(
              "button.result-main",
              {
                type: "button",
                onclick: () => {
                  close();
                  actions.choose(book.id);
                },
              },
              h(
                "span",
                { class: `tier small ${tierOfBook(book)}` },
                icon(`${tierOfBook(book)}_tier`, { label: t(`tier.${tierOfBook(book)}`) }),
              ),
              h(
                "span.grow",
                null,
                h("span.title", { dir: "auto" }, titleWords(book)),
                h("span.quiet", { dir: "auto" }, book.author || t("book.noAuthor")),
              ),
              h(
                "span.caption.nums",
                null,
                book.checked === false || isDecided(book) ? "" : percent(book.confidence ?? 0),
              ),
            ),
          )
        ),
      ),
  );
}
