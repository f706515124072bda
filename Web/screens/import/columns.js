// The columns of a list: what each contains, and the field it is read as.
import { h } from "../../lib/dom.js";
import { t, translated } from "../../lib/i18n.js";
import { select } from "../../elements/ui.js";

const FIELDS = [
  "title",
  "subtitle",
  "author",
  "series",
  "isbn",
  "publisher",
  "year",
  "pages",
  "language",
  "shelf",
  "status",
  "rating",
  "tags",
  "notes",
  "dateAdded",
  "dateStarted",
  "dateRead",
  "volume",
  "copies",
  "lentTo",
  "callNumber",
  "barcode",
  "condition",
  "price",
  "currency",
  "value",
  "acquired",
  "acquiredFrom",
];

/**
 * @param {any} job the uploaded list
 * @param {Record<string, string | null>} mapping the field of each column; changed by the user's choices
 * @param {() => void} changed
 */
export function columnList(job, mapping, changed) {
  const known = [...new Set([...FIELDS, ...Object.values(mapping).filter(Boolean)])];
  const names = known.map((
    name,
  ) => /** @type {[string, string]} */ ([name, translated(`import.field.${name}`, String(name))]));
  return h(
    "ul.rows.import-columns",
    { "aria-label": t("import.columns") },
    job.columns.map((column, i) =>
      h(
        "li",
        null,
        h(
          "span.grow",
          null,
          h("b.clip", { dir: "auto" }, column),
          h("span.caption.clip", { dir: "auto" }, sample(job, i)),
        ),
        select([["", t("import.ignore")], ...names], mapping[column] ?? "", (v) => {
          mapping[column] = v || null;
          changed();
        }, { "aria-label": t("import.column", { column }) }),
      )
    ),
  );
}

/** The first values of a column. */
const sample = (job, column) => job.sample.map((row) => row[column]).filter(Boolean).slice(0, 3).join(" · ") || "–";
