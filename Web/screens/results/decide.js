// Decisions on the books of a scan. Each is shown at once, sent to the server, and can be undone.
import * as api from "../../lib/api.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { findMatch } from "../../elements/match.js";
import { confirm, menu, sheet } from "../../elements/sheet.js";
import { errorNote } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { askDuplicates } from "./duplicates.js";
import { askForWords } from "./edit.js";

/**
 * Returns the decisions. `redraw` updates the screen, `choose` selects a book.
 *
 * @param {import("./model.js").ResultsModel} model
 * @param {{redraw: () => void, choose: (id: string | null) => void}} screen
 */
export function decisions(model, { redraw, choose }) {
  const chooseNext = () => choose(model.nextOpen()?.id ?? null);

  /** Sets fields of a book, and shows a message with Undo. */
  function change(book, fields, words) {
    const before = { ...book };
    Object.assign(book, fields);
    redraw();
    undoBar(words, () => {
      for (const key of Object.keys(book)) delete book[key];
      Object.assign(book, before);
      redraw();
    });
  }

  async function add(books, ask = books.length > 1) {
    const n = books.length;
    if (!n) return;
    if (ask && !(await confirm(t("results.addTitle", { n }), t("results.addText"), t("results.addYes", { n })))) return;
    const wasChosen = model.chosen;
    books.forEach((b) => Object.assign(b, { mark: "added", agreed: n === 1 }));
    redraw();
    let receipt;
    try {
      receipt = await api.importBooks(model.job, books, { shelfId: model.scan?.shelfId });
    } catch (error) {
      books.forEach((b) => delete b.mark);
      redraw();
      return void sheet(t("results.notAdded"), () => errorNote(error));
    }
    refreshLibrary();
    // A book whose second copy is asked about was not added yet.
    for (const { bookId } of receipt.duplicates) delete books.find((b) => b.id === bookId)?.mark;
    redraw();
    undoBar(addedWords(books, receipt), async () => {
      await api.undo(receipt.undo);
      books.forEach((b) => delete b.mark);
      refreshLibrary();
      redraw();
    });
    if (n === 1 && wasChosen === books[0].id) chooseNext();
    if (await askDuplicates(receipt.duplicates, model)) {
      for (const { bookId } of receipt.duplicates) {
        Object.assign(books.find((b) => b.id === bookId) ?? {}, { mark: "added" });
      }
      refreshLibrary();
      redraw();
    }
  }

  async function edit(book) {
    const words = await askForWords(book, model.photo);
    if (words) change(book, { ...words, reviewStatus: "userEdited", edited: true }, t("results.corrected"));
  }

  async function match(book) {
    const found = await findMatch({
      query: [book.title, book.author].filter(Boolean).join(" ") || (book.text ?? []).map((l) => l.text).join(" "),
      now: book,
      spine: { source: model.photo.url, quad: quadOf(book) },
    });
    if (found) use(book, found);
  }

  const use = (book, record) =>
    change(book, {
      title: record.title,
      author: record.author ?? book.author,
      isbn: record.isbn ?? book.isbn,
      coverUrl: record.coverUrl,
      publisher: record.publisher,
      year: record.year,
      reviewStatus: "userEdited",
      match: record,
    }, t("match.used", { title: record.title }));

  function notABook(book) {
    book.mark = "gone";
    const was = model.chosen;
    chooseNext();
    report(book, "notABook").catch(() => {});
    undoBar(t("book.removed"), () => {
      delete book.mark;
      choose(was);
    });
  }

  const report = (book, note) => api.feedback({ jobId: model.job.id, bookId: book.id, note });

  const reportMenu = (book) =>
    menu(
      t("results.report"),
      ["wrongTitle", "twoBooks", "notABook", "cutOff"].map((kind) => ({
        label: t(`report.${kind}`),
        run: () =>
          report(book, kind).then(
            () => undoBar(t("report.thanks")),
            (error) => sheet(t("results.report"), () => errorNote(error)),
          ),
      })),
    );

  async function clear() {
    if (!(await confirm(t("results.clearTitle"), t("results.clearText"), t("results.clearYes"), { danger: true }))) {
      return;
    }
    const open = model.open();
    open.forEach((b) => (b.mark = "gone"));
    model.chosen = null;
    redraw();
    undoBar(t("results.cleared"), () => {
      open.forEach((b) => delete b.mark);
      redraw();
    });
  }

  return { add, edit, match, use, notABook, reportMenu, clear };
}

/** Counts only what the server added; skipped books and possible second copies were there already. */
function addedWords(books, { imported, skipped, duplicates }) {
  const there = skipped.length + duplicates.length;
  if (there) {
    return [
      imported.length > 0 && t("results.addedMany", { n: imported.length }),
      t("results.wereThere", { n: there }),
    ].filter(Boolean).join(" ");
  }
  return books.length === 1
    ? t("results.addedOne", { title: books[0].title || t("book.unread") })
    : t("results.addedMany", { n: imported.length });
}
