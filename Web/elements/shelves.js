// Dialogs to choose and create a shelf.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { shelves } from "../lib/state.js";
import { formSheet, menu } from "./sheet.js";
import { field, select } from "./ui.js";

/**
 * Asks for a shelf; the choices include "no shelf" and a new one.
 *
 * @param {string} title
 * @param {string | null} current the id of the current shelf
 * @param {(shelf: {id: string, name: string} | null) => void} put
 */
export function chooseShelf(title, current, put) {
  const mark = (isCurrent, otherwise) => isCurrent ? "check" : otherwise;
  return menu(title, [
    { label: t("scan.noShelf"), icon: mark(!current, "minus"), run: () => put(null) },
    ...shelves.get().map((s) => ({ label: s.name, icon: mark(s.id === current, "place"), run: () => put(s) })),
    {
      label: t("shelf.new"),
      icon: "plus",
      run: async () => {
        const shelf = await newShelf();
        if (shelf) put(shelf);
      },
    },
  ]);
}

/** A select of the shelves. @param {string} none the choice without a shelf @param {string} current @param {(id: string) => void} put */
export const shelfSelect = (none, current, put) =>
  select([["", none], ...shelves.get().map((s) => /** @type {[string, string]} */ ([s.id, s.name]))], current, put);

/** Asks for a name and creates a shelf. */
export function newShelf() {
  const name = h("input.input", {
    name: "name",
    required: true,
    maxlength: 200,
    autocomplete: "off",
    autofocus: true,
    placeholder: t("shelf.example"),
  });
  const save = async () => {
    const shelf = await api.createShelf(name.value.trim());
    shelves.update((list) => [...list, { count: 0, ...shelf }]);
    return shelf;
  };
  return formSheet(t("shelf.new"), [field(t("shelf.name"), name)], save, { submit: t("shelf.create") });
}
