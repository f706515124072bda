// Find a match: search records for a spine, preview the changes, then apply them.
import * as api from "../lib/api.js";
import { announce, debounce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { sourceName } from "../lib/matches.js";
import { redraw } from "../lib/redraw.js";
import { linesOf, recordWords } from "./book.js";
import { cover } from "./cover.js";
import { noMatches } from "./no-match.js";
import { sheet } from "./sheet.js";
import { spineStrip } from "./spine.js";
import { button, errorNote, round, segmented } from "./ui.js";

/**
 * Lets the user search and choose the record of a book.
 *
 * @param {any} book as it is now
 * @param {{query?: any[], spine?: any, shelf?: string | null}} [options] `query`: what is searched for at first; without
 *   it, title and author; `shelf`: where the book stays
 * @returns {Promise<any>} the record, or undefined
 */
export function findMatch(book, { query = [book.title, book.author], spine, shelf } = {}) {
  return sheet(t("match.title"), (close) => {
    let scope = "all";
    let chosen = null, control;
    /** @type {any[] & {outages?: string[], asked?: boolean}} */
    let results = [];
    const input = h("input.input", {
      type: "search",
      value: query.filter(Boolean).join(" ") || linesOf(book).join(" "),
      "aria-label": t("match.query"),
      autocomplete: "off",
      enterkeyhint: "search",
    });
    const clear = round("close", t("common.clear"), {
      class: "bare",
      onclick: () => {
        input.value = "";
        input.focus();
        search();
      },
    });
    const list = h("div.match-list", { role: "radiogroup", "aria-label": t("match.results") });
    const change = h("div.match-change", { "aria-live": "polite" });
    const search = async () => {
      control?.abort();
      control = new AbortController();
      const q = input.value.trim();
      chosen = null;
      replace(change);
      if (!q) return replace(list);
      const busy = setTimeout(
        () =>
          replace(
            list,
            Array.from(
              { length: 3 },
              () => h("div.match-row.ghost", null, h("div.cover.s"), h("div.grow", null, h("i"), h("i"))),
            ),
          ),
        400,
      );
      try {
        // The server's own catalog answers at once, independent of the providers.
        let isWhole = false;
        api.search(q, scope, { signal: control.signal, where: "local" }).then((found) => {
          if (isWhole || !found.length) return;
          clearTimeout(busy);
          results = found;
          draw();
        }, () => {}); // the whole search reports the error
        results = await api.search(q, scope, { signal: control.signal });
        isWhole = true;
        draw();
        announce(t("match.count", { n: results.length }));
      } catch (error) {
        if (error?.name !== "AbortError") replace(list, errorNote(error, search));
      } finally {
        clearTimeout(busy);
      }
    };
    const draw = () =>
      redraw(
        list,
        results.outages?.length ? h("p.quiet.center", { role: "status" }, results.outages.join(" ")) : null,
        results.length
          ? results.map((r, i) =>
            h(
              "label.match-row",
              null,
              cover(r, { size: "s" }),
              recordWords(r),
              h("input.sr", {
                type: "radio",
                name: "match",
                value: i,
                checked: chosen?.id === r.id && chosen?.source === r.source,
                onchange: () => {
                  chosen = r;
                  drawChange();
                },
              }),
              h("span.dot", { "aria-hidden": "true" }, icon("check")),
            )
          )
          : noMatches(results, search),
      );
    const drawChange = () => {
      const row = (label, old, fresh) =>
        !fresh || old === fresh ? null : h(
          "div.change-row",
          null,
          h("dt", null, label),
          h(
            "dd",
            null,
            old && h("del", null, old),
            old && h("br"),
            h("ins", { class: label === t("book.title") ? "title" : "" }, fresh),
            !old && h("span.quiet", null, ` ${t("match.wasEmpty")}`),
          ),
        );
      replace(
        change,
        h("h2", null, t("match.change")),
        h(
          "dl",
          null,
          row(t("book.title"), book.title ?? "", chosen.title),
          row(t("book.author"), book.author ?? "", chosen.author),
          row(t("book.isbnWord"), book.isbn ?? "", chosen.isbn),
          chosen.coverUrl &&
            h(
              "div.change-row",
              null,
              h("dt", null, t("book.cover")),
              h("dd", null, t("match.coverFrom", { source: sourceName(chosen.source) })),
            ),
          h(
            "div.change-row",
            null,
            h("dt", null, t("match.stays")),
            h("dd", null, shelf ? `${shelf}, ${t("match.staysShort")}` : t("match.staysAll")),
          ),
        ),
        button(t("match.use"), { kind: "main wide", onclick: () => close(chosen) }, "check"),
      );
      change.scrollIntoView({ block: "nearest" });
    };
    const later = debounce(250, search);
    input.addEventListener("input", later);
    input.addEventListener("keydown", (e) => {
      if (e.key === "Enter") {
        e.preventDefault();
        search();
      }
    });
    search();
    return h(
      "div.match",
      null,
      h(
        "div.match-scroll",
        null,
        spineStrip(spine),
        h("div.searchbox", null, icon("search"), input, clear),
        segmented(
          t("match.scope"),
          [["all", t("match.all")], ["title", t("book.title")], ["author", t("book.author")], [
            "isbn",
            t("book.isbnWord"),
          ]],
          scope,
          (s) => {
            scope = s;
            search();
          },
        ),
        list,
      ),
      change,
    );
  }, { class: "tall" });
}
