// Labels for shelves, as a page that the browser prints.
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

/** Asks for the sheet, and opens the page with the labels of a shelf and those inside it. @param {any} shelf */
export function printLabels(shelf) {
  let sheet = SHEETS[0];
  const own = inside(shelves.get(), shelf.id);
  const first = h("input.input", { type: "number", min: 1, max: sheet[1], value: "1", required: true });
  const choices = SHEETS.map(([name, , size]) => /** @type {[string, string]} */ ([name, `${name} (${size} mm)`]));
  const choice = select(choices, sheet[0], (value) => {
    sheet = SHEETS.find(([name]) => name === value) ?? sheet;
    first.max = String(sheet[1]);
  });
  const open = () => {
    const address = new URL(BASE, location.href).href;
    globalThis.open(api.labelPage([...own], sheet[0], Number(first.value), address), "_blank", "noopener");
    return true;
  };
  return formSheet(
    t("labels.print"),
    [
      h("p.quiet", null, t("labels.about", { n: own.size })),
      field(t("labels.sheet"), choice),
      field(t("labels.first"), first, t("labels.firstHint")),
    ],
    open,
    { submit: t("labels.open") },
  );
}
