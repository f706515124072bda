// What the catalog has.
import { h } from "../../lib/dom.js";
import { bytes, day, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { languageName } from "../../lib/languages.js";

/** What is kept of the dumps, in words. @param {{languages?: string[], isbn?: boolean}} filter */
export const kept = (filter) =>
  [
    filter.languages?.length ? filter.languages.map((code) => languageName(code)).sort().join(", ") : t("catalog.all"),
    filter.isbn && t("catalog.withIsbn"),
  ].filter(Boolean).join(" · ");

/** A line of facts, as in the settings. */
export const fact = (name, value) => h("div.kv", null, h("span.k", null, name), h("span.v.nums", null, value));

/** @param {any} catalog */
export function contents(catalog) {
  if (catalog.problem) {
    return h("div.note.bad", { role: "alert" }, icon("info"), h("p", null, catalog.problem));
  }
  if (!catalog.exists) {
    return h("div.stack", null, h("h2", null, t("catalog.none")), h("p.quiet", null, t("catalog.noneText")));
  }
  const from = catalog.downloaded;
  return h(
    "section",
    null,
    h("h2", null, t("catalog.works", { n: catalog.works })),
    h(
      "div.rows",
      null,
      fact(t("catalog.onDisk"), bytes(catalog.bytes)),
      from && fact(t("catalog.source"), from.dumps ? t("catalog.dumps", { day: day(from.dumps) }) : "Open Library"),
      from && fact(t("catalog.languages"), kept(from)),
    ),
    !catalog.searchable && h("p.quiet", null, t("catalog.notSearchable")),
  );
}
