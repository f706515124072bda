// The list of books, beside the photo on wide screens and in a sheet on phones, with heading and main actions.
import { h } from "../../lib/dom.js";
import { listed, percent, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sourceName } from "../../lib/matches.js";
import { byTier, isDecided, tierOfBook, TIERS } from "../../lib/tiers.js";
import { titleAndAuthor } from "../../elements/book.js";
import { questionsLine } from "../../elements/duplicates.js";
import { sheet } from "../../elements/sheet.js";
import { spine, spineOn } from "../../elements/spine.js";
import { button, link, section, sureness, tier } from "../../elements/ui.js";
import { resultCard } from "./card.js";

/** What was found, and what is to be done about it. */
const head = (model, actions) => [
  h("h1", { tabindex: -1 }, t("results.found", { n: model.all.length })),
  h("p.quiet", null, state(model)),
  questionsLine(model.kept.asked, () => actions.answerAll()),
];

export const summary = (model, actions) => h("div.panel-body", null, head(model, actions));

function state(model) {
  return [counts(model), askingWords(model), identifiedWords(model)].filter(Boolean).join(" ");
}

/** How far the questions to providers are; empty while none is asked. */
export function askingWords(model) {
  if (!model.asking) return "";
  const { lookups, identified: { n } } = model;
  return lookups
    ? t("results.lookedUp", { n: lookups.current, of: lookups.total })
    : t("results.asking", { n, of: n + model.toCheck.length });
}

function identifiedWords(model) {
  const { n, sources } = model.identified;
  return n > 0 && (!model.asking || model.lookups) &&
    t("results.identified", { n, source: listed(sources.map(sourceName)) });
}

/** "18 added. 50 to check." */
function counts(model) {
  const { kept, waiting } = model, toCheck = model.toCheck.length, ready = byTier(waiting).ready.length;
  if (!model.all.length) return t("results.none");
  if (!toCheck && !ready) return kept.asked ? null : t("results.allAdded");
  return [
    kept.n > 0 && t("results.countAdded", { n: kept.n }),
    ready > 0 && t("results.ready", { n: ready }),
    toCheck > 0 && t("results.toCheck", { n: toCheck }),
  ].filter(Boolean).join(" ");
}

/** One next step as the main button: add what is ready, then check the rest, then open the library. */
export function dock(model, actions) {
  const { waiting } = model, { ready } = byTier(waiting), n = model.toCheck.length;
  const add = (books, words, kind) =>
    button(t(words, { n: books.length }), { kind, "data-key": "add", onclick: () => actions.add(books) }, "plus");
  const check = (kind) =>
    button(t("results.check", { n }), { kind, "data-key": "review", onclick: () => actions.check() });
  const library = (kind) => link(t(kind ? "results.toLibrary" : "nav.library"), "#/library", { kind }, "library");
  const main = "main grow";
  const buttons = !model.all.length
    ? [link(t("results.again"), "#/scan", { kind: main }, "scan")]
    : ready.length
    ? [n > 0 && check(""), add(ready, "results.addReady", main)]
    : n > 0
    ? [waiting.length ? add(waiting, "results.addUnsure", "") : library(""), check(main)]
    : [library(main)];
  return h("div.panel-dock", null, buttons);
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
    row(book, h("span.strip", null, spine(spineOn(model.photo, book), { lie: true, long: 300 })), {
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
