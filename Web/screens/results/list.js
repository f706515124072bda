// The list of books, beside the photo on wide screens and in a sheet on phones, with heading and main actions.
import { h } from "../../lib/dom.js";
import { listed, percent, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sourceName } from "../../lib/matches.js";
import { byTier, isDecided, tierOfBook, TIERS, unsureOf } from "../../lib/tiers.js";
import { titleAndAuthor } from "../../elements/book.js";
import { questionsLine } from "../../elements/duplicates.js";
import { sheet } from "../../elements/sheet.js";
import { spine, spineOn } from "../../elements/spine.js";
import { button, link, section, sureness, tier } from "../../elements/ui.js";
import { changedLine } from "../automatic/line.js";
import { resultCard } from "./card.js";

/** What was found, and what is to be done about it. */
const head = (model, actions) => [
  h("h1", { tabindex: -1 }, t("results.found", { n: model.all.length })),
  h("p.quiet", null, state(model)),
  // Of the library; once books of this scan are in it.
  model.all.some((b) => b.entryId) && changedLine(),
  questionsLine(model.kept.asked, () => actions.answerAll()),
];

export const summary = (model, actions) => h("div.panel-body", null, head(model, actions));

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
  const { waiting } = model, { ready } = byTier(waiting), unsure = unsureOf(byTier(model.open())).length;
  const books = ready.length ? ready : waiting;
  return h(
    "div.panel-dock",
    null,
    model.all.length === 0 && link(t("results.again"), "#/scan", { kind: "main grow" }, "scan"),
    unsure > 0 &&
      button(t("results.review", { n: unsure }), { "data-key": "review", onclick: () => actions.nextUnsure() }),
    books.length > 0 &&
      button(t(ready.length ? "results.addReady" : "results.addUnsure", { n: books.length }), {
        kind: "main grow",
        "data-key": "add",
        onclick: () => actions.add(books),
      }, "plus"),
    model.all.length > 0 && !waiting.length &&
      link(t("results.toLibrary"), "#/library", { kind: "main grow" }, "library"),
  );
}

export function wideList(model, actions, note) {
  const groups = byTier(model.open(model.books));
  const added = model.books.filter((b) => b.mark === "added" || b.mark === "asked");
  const rows = (books) => h("ul", null, books.map((book) => listRow(book, model, actions)));
  return h(
    "div.panel-list",
    { "data-scroll": "list" },
    h("div.panel-head", null, head(model, actions)),
    note,
    TIERS.map((name) => section(tier(name), groups[name], rows)),
    section(t("results.added"), added, rows),
  );
}

function listRow(book, model, actions) {
  const isChosen = book.id === model.chosen;
  return h(
    "li",
    { class: `result-row${isChosen ? " here" : ""}` },
    row(book, h("span.strip", null, spine(spineOn(model.photo, book), { lie: true, long: 160, short: 30 })), {
      "data-key": `row-${book.id}`,
      "aria-expanded": String(isChosen),
      onclick: () => actions.choose(isChosen ? null : book.id),
    }),
    isChosen && resultCard(book, model.photo, actions, true),
  );
}

export function listSheet(model, actions) {
  const mark = (name) => h("span", { class: `tier small ${name}` }, icon(`${name}_tier`, { label: t(`tier.${name}`) }));
  sheet(t("results.books"), (close) => {
    const choose = (book) => () => {
      close();
      actions.choose(book.id);
    };
    return h(
      "ul.rows",
      null,
      model.books.map((book) => h("li", null, row(book, mark(tierOfBook(book)), { onclick: choose(book) }))),
    );
  });
}

const row = (book, mark, props) =>
  h(
    "button.result-main",
    { type: "button", ...props },
    mark,
    titleAndAuthor(book),
    h(
      "span.caption.nums",
      null,
      book.mark === "added"
        ? icon("check", { label: t("results.isAdded") })
        : book.checked === false || isDecided(book)
        ? h("span.sr", null, sureness(book))
        : [percent(book.confidence ?? 0), h("span.sr", null, ` ${t("book.sureWord")}`)],
    ),
  );
