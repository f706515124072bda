// Asks what a stocktake is of, and starts it.
import { tags } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { shelves } from "../../lib/state.js";
import { startStocktake } from "../../lib/stocktakes.js";
import { formSheet } from "../../elements/sheet.js";
import { field } from "../../elements/ui.js";

const nameInput = () =>
  h("input.input", { name: "name", maxlength: 200, autocomplete: "off", placeholder: t("stocktake.example") });

/** Starts a stocktake of shelves or tags; of everything without a choice. */
export async function newStocktake() {
  const chosen = { shelves: new Set(), tags: new Set() };
  const name = nameInput();
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
  const fields = [
    h("p.quiet", null, t("stocktake.scope")),
    group(t("shelves.title"), shelves.get().map((one) => box("shelves", one.id, one.path))),
    group(t("work.tags"), names.map((tag) => box("tags", tag, tag))),
  ];
  await start(t("stocktake.new"), name, fields, () => ({
    ...(chosen.shelves.size ? { shelves: [...chosen.shelves] } : {}),
    ...(chosen.tags.size ? { tags: [...chosen.tags] } : {}),
  }));
}

/** Books that can be part of a stocktake: wishes cannot. @param {any[]} books */
export const countable = (books) => books.filter((book) => book.ownership !== "wishlist");

/**
 * Starts a stocktake of some books.
 *
 * @param {any[]} books without wishes
 * @returns {Promise<boolean>} whether it was started
 */
export function stocktakeOf(books) {
  const title = t("stocktake.startOf", { n: books.length });
  const copies = books.map((book) => String(book.id));
  return start(title, nameInput(), [h("p.quiet", null, t("stocktake.fixed"))], () => ({ copies }));
}

/** Asks for the name, starts the stocktake, and opens it. */
async function start(title, name, fields, scope) {
  const save = () => startStocktake({ ...(name.value.trim() ? { name: name.value.trim() } : {}), ...scope() });
  const submit = t("stocktake.start");
  const started = await formSheet(title, [field(t("shelf.name"), name), ...fields], save, { submit });
  if (started) go(`/stocktakes/${encodeURIComponent(started.id)}`);
  return Boolean(started);
}
