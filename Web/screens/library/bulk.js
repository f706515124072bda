// Bulk actions on the selected books.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { FORMATS, MOST_CHOSEN, save as saveFile } from "../../lib/export.js";
import { books, patchBook, refreshLibrary } from "../../lib/library.js";
import { go } from "../../lib/router.js";
import { noSource } from "../../elements/no-match.js";
import { chooseShelf } from "../../elements/shelves.js";
import { confirm, formSheet, menu, sheet } from "../../elements/sheet.js";
import { field, wordsFor } from "../../elements/ui.js";
import { act, undoBar } from "../../elements/undo.js";

/**
 * The books by id; `done` is called when a change begins, `search` with a search for details that has begun.
 *
 * @typedef {{chosen: Map<string, any>, done: () => void, search: (state: any) => Promise<void>}} Several
 */

/** @param {Several} several */
export function toShelf(several) {
  const n = several.chosen.size;
  chooseShelf(t("library.toShelf"), null, (shelf) => {
    const id = shelf?.id ?? null, name = shelf?.name ?? null;
    change(
      several,
      () => ({ shelfId: id, shelfName: name }),
      { shelf: id },
      t("library.moved", { n, shelf: name ?? t("scan.noShelf") }),
    );
  });
}

/** @param {Several} several */
export function setReading(several) {
  const n = several.chosen.size;
  menu(
    t("library.setReading"),
    ["toRead", "reading", "read"].map((readingStatus) => ({
      label: t(`reading.${readingStatus}`),
      icon: "eye",
      run: () => change(several, () => ({ readingStatus }), { readingStatus }, t("library.changed", { n })),
    })),
  );
}

/** @param {Several} several */
export async function addTag(several) {
  const tag = await askForTag();
  if (!tag) return;
  const tagged = (b) => ({ tags: [...new Set([...(b.tags ?? []), tag])] });
  change(several, tagged, { addTags: [tag] }, t("library.changed", { n: several.chosen.size }));
}

/** Starts a stocktake of the selected books. @param {Several} several */
export async function stocktake({ chosen, done }) {
  const { countable, stocktakeOf } = await import("../stocktake/start.js");
  const books = countable([...chosen.values()]);
  if (!books.length) return undoBar(t("stocktake.onlyWishes"));
  if (await stocktakeOf(books)) done();
}

/** Looks up the selected books that lack details. @param {Several} several */
export async function findDetails(several) {
  const { chosen, done, search } = several;
  try {
    const { sourcesOn, status } = await api.incompleteSearch();
    if (!sourcesOn) return askForSource(several);
    if (status === "running") return undoBar(t("library.detailsRunning"));
    const state = await api.findDetails([...chosen.keys()]);
    done();
    await search(state);
  } catch (error) {
    undoBar(wordsFor(error));
  }
}

function askForSource(several) {
  sheet(t("library.findDetails"), (close) =>
    noSource(() => {
      close();
      findDetails(several);
    }));
}

/** Exports the selected books in the format that the user chooses. @param {Several} several */
export async function save({ chosen, done }) {
  const ids = [...chosen.keys()];
  if (ids.length > MOST_CHOSEN) {
    const whole = await confirm(t("export.chosen"), t("export.tooMany", { n: MOST_CHOSEN }), t("export.title"));
    return whole && go("/import");
  }
  menu(
    t("export.chosen"),
    FORMATS.map(([format, label]) => ({
      label,
      icon: "download",
      run: () => {
        saveFile(format, ids);
        done();
      },
    })),
  );
}

/** @param {Several} several */
export async function remove(several) {
  const n = several.chosen.size;
  const sure = n <= 20 ||
    await confirm(t("library.deleteTitle", { n }), t("library.deleteText"), t("common.delete"), { danger: true });
  if (sure) change(several, null, { delete: true }, t("library.deleted", { n }));
}

/** Changes the selected books in this browser (`local` returns the new fields, or null to remove) and on the server. */
async function change({ chosen, done }, local, fields, words) {
  const ids = [...chosen.keys()];
  if (local) chosen.forEach((b) => patchBook(b.id, local(b)));
  else books.update((all) => (all ?? []).filter((b) => !ids.includes(String(b.id))));
  done();
  if (!await act(words, api.bulk(ids, fields))) refreshLibrary();
}

function askForTag() {
  const input = h("input.input", { name: "tag", required: true, maxlength: 60, autofocus: true, autocomplete: "off" });
  return formSheet(t("library.addTag"), [field(t("library.tag"), input)], () => input.value.trim());
}
