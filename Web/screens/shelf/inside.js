// The place of a shelf: the shelves around it and inside it, moving it, its code and its note.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { around, inside } from "../../lib/places.js";
import { redraw } from "../../lib/redraw.js";
import { shelves } from "../../lib/state.js";
import { formSheet } from "../../elements/sheet.js";
import { chooseShelf } from "../../elements/shelves.js";
import { button, field, select } from "../../elements/ui.js";
import { act } from "../../elements/undo.js";
import { shelfRow } from "../shelves.js";

const path = (shelf) => `#/shelves/${encodeURIComponent(shelf.id)}`;

/** Links to the shelves around one, outermost first; nothing for a shelf that is in no other. @param {any[]} all @param {any} shelf */
export const breadcrumb = (all, shelf) =>
  around(all, shelf).map((
    one,
  ) => [h("a", { href: path(one), dir: "auto" }, one.name), h("span", { "aria-hidden": "true" }, " / ")]);

/** Lists the shelves directly inside one, and shows its note. @param {any} place @param {any[]} all @param {any} shelf */
export function drawInside(place, all, shelf) {
  const list = all.filter((one) => one.parent === shelf.id);
  place.hidden = !list.length && !shelf.note;
  redraw(
    place,
    shelf.note && h("p.quiet.shelf-note", { dir: "auto" }, shelf.note),
    list.length > 0 && h("div.section-head", null, h("h2", null, t("shelf.inside"))),
    list.length > 0 && h("ul.rows", null, list.map((one) => h("li", null, shelfRow(one, all)))),
  );
}

/** Asks where a shelf is to be. @param {any} shelf @param {() => any} changed */
export function moveShelf(shelf, changed) {
  const all = shelves.get(), own = inside(all, shelf.id);
  chooseShelf(t("shelf.move"), shelf.parent, (to) => {
    const words = to
      ? t("shelf.movedTo", { name: shelf.name, shelf: to.name })
      : t("shelf.movedOut", { name: shelf.name });
    act(words, api.changeShelf(shelf.id, { parent: to?.id ?? null }, shelf.etag), {
      changed: () => {
        refreshLibrary(); // books name their shelf with its path
        changed();
      },
    });
  }, { list: all.filter((one) => !own.has(one.id)), none: t("shelf.outermost") });
}

const RULES = ["author", "title", "series", "callNumber"];

/** Asks for the order, the code and the note of a shelf. @param {any} shelf */
export function askForDetails(shelf) {
  let sort = shelf.sort ?? "";
  const rules = [["", t("shelf.sort.none")], ...RULES.map((rule) => [rule, t(`shelf.sort.${rule}`)])];
  const choice = select(/** @type {[string, string][]} */ (rules), sort, (value) => (sort = value));
  const code = h("input.input", {
    value: shelf.code,
    required: true,
    maxlength: 20,
    autocomplete: "off",
    spellcheck: false,
  });
  const note = h("textarea.input", { rows: 3, maxlength: 5000 }, shelf.note ?? "");
  const save = () =>
    api.changeShelf(shelf.id, {
      sort: sort || null,
      code: code.value.trim(),
      note: note.value.trim() || null,
    }, shelf.etag);
  return formSheet(t("shelf.details"), [
    field(t("shelf.sort"), choice),
    field(t("shelf.code"), code, t("shelf.codeHint")),
    field(t("shelf.note"), note),
  ], save);
}

/**
 * A button that records the books of a row of spines on a shelf inside this one; nothing if there is none inside.
 *
 * @param {any} shelf
 * @param {any[]} row
 * @param {number} i the number of the row
 * @param {() => any} changed
 */
export function putRow(shelf, row, i, changed) {
  const own = inside(shelves.get(), shelf.id);
  if (own.size < 2 || !row) return null;
  const ids = row.filter((one) => one.state !== "elsewhere").map((one) => one.entry.id);
  const choose = () =>
    chooseShelf(t("shelf.rowTo"), null, (to) => {
      const id = to?.id ?? shelf.id, name = to?.name ?? shelf.path;
      act(t("library.moved", { n: ids.length, shelf: name }), api.bulk(ids, { shelf: id }), {
        changed: () => {
          refreshLibrary();
          changed();
        },
      });
    }, { list: shelves.get().filter((one) => own.has(one.id) && one.id !== shelf.id), none: shelf.path });
  return button(t("shelf.rowTo"), { kind: "link left", "data-key": `row ${i}`, onclick: choose }, "place");
}
