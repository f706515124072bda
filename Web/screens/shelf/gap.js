// What became of a book that a scan of its shelf misses. Each decision can be undone.
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { go } from "../../lib/router.js";
import { menu } from "../../elements/sheet.js";
import { chooseShelf } from "../../elements/shelves.js";
import { act } from "../../elements/undo.js";
import { askForLoan } from "../work/ask.js";
import { showPlace } from "./photos.js";

/**
 * Opens the menu of a missing book.
 *
 * @param {any} entry
 * @param {any} shelf
 * @param {() => void} changed runs after a decision and after its undo
 */
export function askAboutGap(entry, shelf, changed) {
  const { title } = entry;
  const decide = (words, work) => run(words, work, changed);
  menu(title, [
    {
      label: t("gap.isFound"),
      icon: "check",
      run: () => decide(t("gap.wasFound", { title }), () => api.markFound(shelf.id, [entry.id])),
    },
    entry.ownership !== "lent" && {
      label: t("gap.isLent"),
      icon: "lent",
      run: async () => {
        const { loan, ownership } = await askForLoan(entry) ?? {};
        if (loan) decide(t("work.isLent", { who: loan.to }), () => api.lend(entry.id, loan));
        else if (ownership) decide(t("common.saved"), () => api.bulk([entry.id], { ownership }));
      },
    },
    {
      label: t("gap.isMoved"),
      icon: "place",
      run: () =>
        chooseShelf(t("gap.isMoved"), shelf.id, (to) => {
          const words = to ? t("gap.wasMoved", { title, shelf: to.name }) : t("gap.wasTaken", { title });
          decide(words, () => api.bulk([entry.id], { shelf: to?.id ?? null }));
        }),
    },
    open(entry),
    {
      label: t("gap.remove"),
      icon: "trash",
      danger: true,
      run: () => decide(t("library.deleted", { n: 1 }), () => api.deleteBook(entry.id)),
    },
  ]);
}

/** The same for a book that the latest scan shows here, but that is recorded elsewhere. */
export function askAboutMoved(entry, shelf, changed) {
  menu(entry.title, [
    { label: t("gap.keepHere"), icon: "check", run: () => keepHere([entry], shelf, changed) },
    entry.shelfId && {
      label: t("gap.putBack"),
      icon: "undo",
      run: () =>
        run(
          t("gap.wasMoved", { title: entry.title, shelf: entry.shelfName }),
          () => api.decideAudit(shelf.id, entry.id, "putBack"),
          changed,
        ),
    },
    open(entry),
  ]);
}

/** The same for a book that is lent, but that the latest scan shows. */
export function askAboutLent(entry, shelf, changed) {
  const cameBack = () =>
    run(t("gap.wasFound", { title: entry.title }), () => api.decideAudit(shelf.id, entry.id, "cameBack"), changed);
  menu(entry.title, [{ label: t("gap.cameBack"), icon: "check", run: cameBack }, open(entry)]);
}

/**
 * The same for a book that is out of order.
 *
 * @param {any} entry
 * @param {string | undefined} after the title of the book after which it belongs; undefined at the left end
 * @param {any} found the photo that shows where; undefined if none does
 * @param {any} shelf
 * @param {() => void} changed
 */
export function askAboutStray(entry, after, found, shelf, changed) {
  const { title } = entry;
  const words = after ? t("gap.belongs", { title, after }) : t("gap.belongsFirst", { title });
  const decide = (words, action) => run(words, () => api.decideAudit(shelf.id, entry.id, action), changed);
  menu(title, [
    found && { label: t("gap.showPlace"), icon: "photo", run: () => showPlace(found, entry, words) },
    {
      label: after ? t("gap.putAfter", { title: after }) : t("gap.putFirst"),
      icon: "check",
      run: () => decide(t("gap.isInOrder", { title }), "putInOrder"),
    },
    { label: t("gap.ignoreOrder"), icon: "eye", run: () => decide(t("gap.orderIgnored", { title }), "ignoreOrder") },
    open(entry),
  ]);
}

const open = (entry) => ({
  label: t("gap.open"),
  icon: "library",
  run: () => go(`/library/${encodeURIComponent(entry.id)}`),
});

/** Records books on a shelf. @param {any[]} entries */
export const keepHere = (entries, shelf, changed) =>
  run(
    t("library.moved", { n: entries.length, shelf: shelf.name }),
    () => api.markFound(shelf.id, entries.map((e) => e.id)),
    changed,
  );

/** Sends a decision on books of a shelf. */
const run = (words, work, changed) =>
  act(words, work(), {
    changed: () => {
      refreshLibrary();
      changed();
    },
  });
