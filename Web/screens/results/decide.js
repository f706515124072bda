// Decisions on the books of a scan. Each is shown at once, sent to the server, and can be undone.
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { loadReviewCounts, refreshLibrary } from "../../lib/library.js";
import { askDuplicates } from "../../elements/duplicates.js";
import { findMatch } from "../../elements/match.js";
import { reportDetection } from "../../elements/report.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { spineOn } from "../../elements/spine.js";
import { errorNote } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { askForWords } from "./edit.js";

/**
 * Returns the decisions. `redraw` updates the screen, `choose` selects a book.
 *
 * @param {import("./model.js").ResultsModel} model
 * @param {{redraw: () => void, choose: (id: string | null) => void}} screen
 */
export function decisions(model, { redraw, choose }) {
  const chooseNext = () => choose(model.nextOpen()?.id ?? null);

  /**
   * Changes a book on the screen at once and on the server, and shows a message with Undo.
   *
   * @param {any} fields of the book on the screen
   * @param {any} sent to the server
   * @param {any} opposite undoes `sent` for a book that is not in the library
   * @param {() => void} [undone] runs after it was undone
   */
  function change(book, fields, words, sent, opposite, undone = () => {}) {
    const before = { ...book };
    const restore = () => {
      for (const key of Object.keys(book)) delete book[key];
      Object.assign(book, before);
      redraw();
    };
    Object.assign(book, fields);
    redraw();
    const saved = api.changeScanBook(model.job, book.id, sent).then(({ undoToken }) => {
      if (book.entryId) refreshLibrary();
      return undoToken;
    });
    saved.catch((error) => {
      restore();
      sheet(t("results.notSaved"), () => errorNote(error));
    });
    undoBar(words, async () => {
      const token = await saved;
      await (token ? api.undo([token]) : api.changeScanBook(model.job, book.id, opposite));
      restore();
      undone();
      if (book.entryId) refreshLibrary();
    });
  }

  const wordsOf = (book) => ({
    title: book.title ?? "",
    authors: api.authorsFrom(book.author),
    isbn: book.isbn ?? null,
  });
  /** The words before an edit; a book without a title cannot get that back. */
  const wordsBefore = (book) => book.title ? wordsOf(book) : { authors: api.authorsFrom(book.author) };

  /** Confirms a book that is in the library and in review. */
  async function agree(book) {
    const wasChosen = model.chosen === book.id;
    Object.assign(book, { mark: "added", agreed: true });
    redraw();
    try {
      const token = await api.agree(book.detectionId);
      undoBar(t("review.verified", { title: book.title || t("book.unread") }), async () => {
        await api.undo([token]);
        Object.assign(book, { mark: "review", agreed: false });
        redraw();
      });
    } catch (error) {
      Object.assign(book, { mark: "review", agreed: false });
      redraw();
      return void sheet(t("results.notSaved"), () => errorNote(error));
    }
    loadReviewCounts();
    if (wasChosen) chooseNext();
  }

  async function add(books, ask = books.length > 1) {
    const n = books.length;
    if (!n) return;
    if (n === 1 && books[0].mark === "review") return agree(books[0]);
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
    setMark(books, receipt.duplicates, "asked");
    redraw();
    undoBar(addedWords(books, receipt), async () => {
      await api.undo(receipt.undo);
      books.forEach((b) => delete b.mark);
      refreshLibrary();
      redraw();
    });
    if (n === 1 && wasChosen === books[0].id) chooseNext();
    await answer(receipt.duplicates);
  }

  /**
   * Asks whether books are second copies.
   *
   * @param {Array<{bookId: string, question: any}>} questions
   */
  async function answer(questions) {
    const bookOf = new Map(questions.map(({ bookId, question }) => [question.id, model.find(bookId)]));
    const spineOf = (question) => {
      const book = bookOf.get(question.id);
      return book && spineOn(model.photos[(book.photo ?? 1) - 1], book);
    };
    const tokens = await askDuplicates(questions.map((q) => q.question), spineOf);
    if (!tokens) return;
    setMark(model.all, questions, "added");
    undoBar(t("duplicate.answered", { n: questions.length }), async () => {
      await api.undo(tokens);
      setMark(model.all, questions, "asked");
      refreshLibrary();
      redraw();
    });
    refreshLibrary();
    redraw();
  }

  /** Answers the questions about books that the server added without asking. */
  async function answerAll() {
    const open = new Map(model.all.filter((b) => b.mark === "asked").map((b) => [b.detectionId, b.id]));
    const questions = (await api.duplicates()).filter((q) => open.has(q.detectionId));
    await answer(questions.map((question) => ({ bookId: open.get(question.detectionId), question })));
  }

  async function edit(book) {
    const words = await askForWords(book, model.photo);
    if (!words) return;
    const isKept = Boolean(book.entryId);
    const fields = { ...words, reviewStatus: "userEdited", edited: true, ...(isKept ? { mark: "added" } : {}) };
    change(
      book,
      fields,
      t(isKept ? "correct.saved" : "results.corrected", { title: words.title }),
      wordsOf(words),
      wordsBefore(book),
    );
  }

  async function match(book) {
    const found = await findMatch({
      query: [book.title, book.author].filter(Boolean).join(" ") || (book.text ?? []).map((l) => l.text).join(" "),
      now: book,
      spine: spineOn(model.photo, book),
    });
    if (found) use(book, found);
  }

  const use = (book, record) =>
    change(
      book,
      {
        title: record.title,
        author: record.author ?? book.author,
        isbn: record.isbn ?? book.isbn,
        coverUrl: record.coverUrl,
        publisher: record.publisher,
        year: record.year,
        reviewStatus: "userEdited",
        match: record,
        ...(book.entryId ? { mark: "added" } : {}),
      },
      t("match.used", { title: record.title }),
      sentFor(record, book),
      wordsBefore(book),
    );

  /** A candidate of the reader has no id: its words are sent like an edit. */
  const sentFor = (record, book) =>
    record.id
      ? { record }
      : wordsOf({ title: record.title, author: record.author ?? book.author, isbn: record.isbn ?? book.isbn });

  function notABook(book) {
    chooseNext();
    // The decision is saved without the report, too.
    const report = (what) => api.report(placeOf(book), what).catch(() => {});
    change(
      book,
      { mark: "gone" },
      t("book.removed"),
      { rejected: true },
      { rejected: false },
      () => report({ correct: true }),
    );
    report({ problem: "notABook" });
  }

  const placeOf = (book) => ({ jobId: model.job.id, bookId: book.id });

  const report = (book) => reportDetection(placeOf(book), spineOn(model.photo, book));

  async function clear() {
    if (!(await confirm(t("results.clearTitle"), t("results.clearText"), t("results.clearYes"), { danger: true }))) {
      return;
    }
    const open = model.waiting;
    const set = async (rejected) => {
      open.forEach((b) => (b.mark = rejected ? "gone" : undefined));
      redraw();
      for (const book of open) await api.changeScanBook(model.job, book.id, { rejected });
    };
    model.chosen = null;
    const saved = set(true);
    saved.catch((error) => {
      open.forEach((b) => (b.mark = undefined));
      redraw();
      sheet(t("results.notSaved"), () => errorNote(error));
    });
    undoBar(t("results.cleared"), async () => {
      await saved;
      await set(false);
    });
  }

  return { add, answerAll, edit, match, use, notABook, report, clear };
}

function setMark(books, questions, mark) {
  for (const { bookId } of questions) {
    const book = books.find((b) => b.id === bookId);
    if (book) book.mark = mark;
  }
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
