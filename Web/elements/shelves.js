// Dialogs to choose and create a shelf.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { missing } from "../lib/places.js";
import { shelves } from "../lib/state.js";
import { formSheet, menu } from "./sheet.js";
import { field, select } from "./ui.js";

/**
 * Asks for a shelf; the choices include "no shelf" and a new one.
 *
 * @param {string} title
 * @param {string | null} current the id of the current shelf
 * @param {(shelf: {id: string, name: string} | null) => void} put gets the path as the name
 * @param {{list?: any[], none?: string}} [options] `list`: the shelves to choose from; `none`: the choice without one
 */
export function chooseShelf(title, current, put, { list = shelves.get(), none = t("scan.noShelf") } = {}) {
  const mark = (isCurrent, otherwise) => isCurrent ? "check" : otherwise;
  const named = (s) => ({ ...s, name: s.path });
  return menu(title, [
    { label: none, icon: mark(!current, "minus"), run: () => put(null) },
    ...list.map((s) => ({
      label: s.path,
      also: s.code,
      icon: mark(s.id === current, "place"),
      run: () => put(named(s)),
    })),
    {
      label: t("shelf.new"),
      icon: "plus",
      run: async () => {
        const shelf = await newShelf();
        if (shelf) put(named(shelf));
      },
    },
  ]);
}

/** A select of the shelves. @param {string} none the choice without a shelf @param {string} current @param {(id: string) => void} put */
export const shelfSelect = (none, current, put) =>
  select([["", none], ...shelves.get().map((s) => /** @type {[string, string]} */ ([s.id, s.path]))], current, put);

/**
 * Asks for a name and creates a shelf. A path creates those around it that do not exist, which the form says before.
 *
 * @param {any} [parent] the shelf in which it is
 * @param {string} [code] of its printed label
 */
export function newShelf(parent = null, code = "") {
  const several = h("p.caption", { role: "status" });
  const name = h("input.input", {
    name: "name",
    required: true,
    maxlength: 900,
    autocomplete: "off",
    autofocus: true,
    placeholder: t("shelf.example"),
    oninput: () => {
      const fresh = missing(shelves.get(), parent, name.value);
      replace(several, fresh.length > 1 && t("shelf.createsAll", { n: fresh.length, names: fresh.join(", ") }));
    },
  });
  const save = async () => {
    const path = name.value.trim();
    const shelf = await (code ? api.createLabelled(path, code) : api.createShelf(path, parent?.id));
    shelves.set(await api.shelfList());
    return shelf;
  };
  const title = parent ? t("shelf.newIn", { name: parent.name }) : t("shelf.new");
  return formSheet(title, [field(t("shelf.name"), name), several], save, { submit: t("shelf.create") });
}
