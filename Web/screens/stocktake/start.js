// Asks what a stocktake is of, and starts it.
import { tags } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { shelves } from "../../lib/state.js";
import { startStocktake } from "../../lib/stocktakes.js";
import { formSheet } from "../../elements/sheet.js";
import { field } from "../../elements/ui.js";

/** Starts a stocktake of shelves or tags; of everything without a choice. */
export async function newStocktake() {
  const chosen = { shelves: new Set(), tags: new Set() };
  const name = h("input.input", {
    name: "name",
    maxlength: 200,
    autocomplete: "off",
    placeholder: t("stocktake.example"),
  });
  const box = (kind, value, label) =>
    h(
      "label.check",
      null,
      h("input", {
        type: "checkbox",
        value,
        onchange: (e) => e.target.checked ? chosen[kind].add(value) : chosen[kind].delete(value),
      }),
      h("span", { dir: "auto" }, label),
    );
  const group = (heading, boxes) =>
    boxes.length > 0 && h("fieldset.stack", null, h("legend.label", null, heading), boxes);
  const names = await tags().catch(() => []);
  const save = () =>
    startStocktake({
      ...(name.value.trim() ? { name: name.value.trim() } : {}),
      ...(chosen.shelves.size ? { shelves: [...chosen.shelves] } : {}),
      ...(chosen.tags.size ? { tags: [...chosen.tags] } : {}),
    });
  const started = await formSheet(
    t("stocktake.new"),
    [
      field(t("shelf.name"), name),
      h("p.quiet", null, t("stocktake.scope")),
      group(t("shelves.title"), shelves.get().map((one) => box("shelves", one.id, one.path))),
      group(t("work.tags"), names.map((tag) => box("tags", tag, tag))),
    ],
    save,
    { submit: t("stocktake.start") },
  );
  if (started) go(`/stocktakes/${encodeURIComponent(started.id)}`);
}

/** Starts a stocktake of chosen books. @param {string[]} copies */
export async function stocktakeOf(copies) {
  const started = await startStocktake({ copies });
  go(`/stocktakes/${encodeURIComponent(started.id)}`);
}
