// The list of books: beside the photo on wide screens, in a sheet on the phone; its heading and its main actions.
import { h } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { percent, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { byTier, tierOfBook, TIERS } from "../../lib/tiers.js";
import { sheet } from "../../elements/sheet.js";
import { button, link, tier } from "../../elements/ui.js";
import { spine } from "../../elements/spine.js";
import { bookCard } from "./card.js";
import { titleWords, unsureTitle } from "./shown.js";

export function summary(shown) {
  return h(
    "div.panel-body",
    null,
    h("h1", { tabindex: -1 }, t("results.found", { n: shown.all.length })),
    h("p.quiet", null, state(shown)),
  );
}

function state(shown) {
  const groups = byTier(shown.open());
  const unsure = groups.review.length + groups.verify.length;
  const added = shown.all.filter((b) => b.mark === "added").length;
  if (!shown.all.length) return t("results.none");
  if (added && !shown.open().length) return t("results.allAdded");
  if (!unsure) return t("results.allReady", { n: groups.ready.length });
  return `${t("results.ready", { n: groups.ready.length })} ${t("results.unsure", { n: unsure })}`;
}

export function dock(shown, does) {
  const groups = byTier(shown.open());
  const unsure = groups.review.length + groups.verify.length;
  return h(
    "div.panel-dock",
    null,
    shown.all.length === 0 && link(t("results.again"), "#/scan", { kind: "main grow" }, "scan"),
    unsure > 0 &&
      button(t("results.review", { n: unsure }), { "data-key": "review", onclick: () => does.nextUnsure() }),
    groups.ready.length > 0 &&
      button(t("results.addReady", { n: groups.ready.length }), {
        kind: "main grow",
        "data-key": "add",
        onclick: () => does.add(groups.ready),
      }, "plus"),
    groups.ready.length === 0 && unsure > 0 &&
      button(t("results.addUnsure", { n: unsure }), {
        kind: "main grow",
        "data-key": "add",
        onclick: () => does.add(shown.open()),
      }, "plus"),
    shown.all.length > 0 && !shown.open().length &&
      link(t("results.toLibrary"), "#/library", { kind: "main grow" }, "library"),
  );
}

export function wideList(shown, does, note) {
  const groups = byTier(shown.open(shown.books));
  const added = shown.books.filter((b) => b.mark === "added");
  return h(
    "div.panel-list",
    null,
    h(
      "div.panel-head",
      null,
      h("h1", { tabindex: -1 }, t("results.found", { n: shown.all.length })),
      h("p.quiet", null, state(shown)),
    ),
    note,
    TIERS.filter((name) => groups[name].length).map((name) =>
      h(
        "section",
        null,
        h("div.section-head", null, h("h2", null, tier(name)), h("span.nums.quiet", null, groups[name].length)),
        h("ul", null, groups[name].map((book) => listRow(book, shown, does))),
      )
    ),
    added.length > 0 &&
      h(
        "section",
        null,
        h("div.section-head", null, h("h2", null, t("results.added")), h("span.nums.quiet", null, added.length)),
        h("ul", null, added.map((book) => listRow(book, shown, does))),
      ),
  );
}

function listRow(book, shown, does) {
  const here = book.id === shown.chosen;
  return h(
    "li",
    { class: `result-row${here ? " here" : ""}` },
    h(
      "button.result-main",
      {
        type: "button",
        "data-key": `row-${book.id}`,
        "aria-expanded": String(here),
        onclick: () => does.choose(here ? null : book.id),
      },
      h(
        "span.strip",
        null,
        spine({ source: shown.photo.url, quad: quadOf(book) }, { lie: true, long: 160, short: 30 }),
      ),
      h(
        "span.grow",
        null,
        h("span.title.clip", { class: unsureTitle(book) ? "uncertain" : "" }, titleWords(book)),
        h("span.quiet.clip", null, book.author || t("book.noAuthor")),
      ),
      h(
        "span.caption.nums",
        null,
        book.mark === "added"
          ? icon("check", { label: t("results.isAdded") })
          : [percent(book.confidence ?? 0), h("span.sr", null, ` ${t("book.sureWord")}`)],
      ),
    ),
    here && bookCard(book, shown.photo, does, true),
  );
}

export function listSheet(shown, does) {
  sheet(
    t("results.books"),
    (close) =>
      h(
        "ul.rows",
        null,
        shown.books.map((book) =>
          h(
            "li",
            null,
            h(
              "button.result-main",
              {
                type: "button",
                onclick: () => {
                  close();
                  does.choose(book.id);
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
                h("span.title.clip", null, titleWords(book)),
                h("span.quiet.clip", null, book.author || t("book.noAuthor")),
              ),
              h("span.caption.nums", null, percent(book.confidence ?? 0)),
            ),
          )
        ),
      ),
  );
}
