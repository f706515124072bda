// Labels for shelves, copies and spines, as a page that the browser prints.
import { BASE } from "../../lib/base.js";
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { inside } from "../../lib/places.js";
import { shelves } from "../../lib/state.js";
import { formSheet } from "../../elements/sheet.js";
import { field, select } from "../../elements/ui.js";

/** The sheets, with the number of labels and the size of one in mm. @type {Array<[string, number, string]>} */
const SHEETS = [["L7160", 21, "63.5 × 38.1"], ["L7651", 65, "38.1 × 21.2"], ["L4731", 189, "25.4 × 10"]];

/** The choice of labels on plain paper. */
const OWN = "own";

/**
 * Asks for the kind and the sheet, and opens the page with the labels of a shelf and those inside it, or of the copies on
 * them.
 *
 * @param {any} shelf
 */
export function printLabels(shelf) {
  let kind = "place", sheet = SHEETS[0][0];
  const own = inside(shelves.get(), shelf.id);
  const about = h("p.quiet", null, t("labels.about", { n: own.size }));
  // Call numbers are shown once a shelf is sorted by them.
  const names = ["place", "copy", shelves.get().some((one) => one.sort === "callNumber") && "spine"].filter(Boolean);
  const kinds = names.map((name) => /** @type {[string, string]} */ ([name, t(`labels.${name}`)]));
  const what = select(kinds, kind, (value) => {
    kind = value;
    about.textContent = t(kind === "place" ? "labels.about" : `labels.${kind}About`, { n: own.size });
  });
  const first = h("input.input", { type: "number", min: 1, max: SHEETS[0][1], value: "1", required: true });
  const side = (value, min, max) => h("input.input", { type: "number", min, max, step: 0.1, value, required: true });
  const width = side(50, 15, 190), height = side(30, 8, 270);
  const size = h("div.line", { hidden: true }, field(t("labels.width"), width), field(t("labels.height"), height));
  const choices = SHEETS.map(([name, , size]) => /** @type {[string, string]} */ ([name, `${name} (${size} mm)`]));
  const choice = select([...choices, [OWN, t("labels.own")]], sheet, (value) => {
    sheet = value;
    size.hidden = sheet !== OWN;
    // The server knows how many labels of another size a page has.
    first.max = String(SHEETS.find(([name]) => name === sheet)?.[1] ?? 300);
  });
  const open = () => {
    globalThis.open(
      api.labelPage({
        kind,
        ...(kind === "place" ? { ids: [...own].join(",") } : { shelf: shelf.id }),
        ...(sheet === OWN ? { size: `${width.value}x${height.value}` } : { sheet }),
        first: first.value,
        address: new URL(BASE, location.href).href,
      }),
      "_blank",
      "noopener",
    );
    return true;
  };
  return formSheet(
    t("labels.print"),
    [
      field(t("labels.kind"), what),
      about,
      field(t("labels.sheet"), choice),
      size,
      field(t("labels.first"), first, t("labels.firstHint")),
    ],
    open,
    { submit: t("labels.open") },
  );
}
