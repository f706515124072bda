// Decisions on the books of a scan. Each is shown at once, sent to the server, and can be undone.
import * as api from "../../lib/api.js";
import { vibrate } from "../../lib/haptics.js";
import { t } from "../../lib/i18n.js";
import { loadReviewCounts, refreshLibrary } from "../../lib/library.js";
import { tierOfBook } from "../../lib/tiers.js";
import { textRead, titleOf } from "../../elements/book.js";
import { bookForm } from "../../elements/book-form.js";
import { askDuplicates, openQuestions } from "../../elements/duplicates.js";
import { findMatch } from "../../elements/match.js";
import { reportDetection } from "../../elements/report.js";
import { confirm, formSheet } from "../../elements/sheet.js";
import { spineOn, spineStrip } from "../../elements/spine.js";
import { act } from "../../elements/undo.js";

/**
 * Returns the decisions. `redraw` updates the screen, `choose` selects a book, `added` runs after books were added, `cleared`
 * after all were discarded, and with false after they came back.
 *
 * @param {import("./model.js").ResultsModel} model
 * @param {{redraw: () => void, choose: (id: string | null) => void, added: () => any, cleared: (isGone: boolean) => void}} screen
 */
export function decisions(model, { redraw, choose, added, cleared }) {
  const chooseNext = () => choose(model.nextOpen()?.id ?? null);

  /** Shows other fields of books. Returns what shows them as they were, once. */
  function show(books, fields) {
    // By ID: the results may be loaded again before that.
    const before = new Map(books.map((book) => [
      book.id,
      Object.fromEntries(Object.keys(fields).map((name) => [name, book[name]])),
    ]));
    books.forEach((book) => Object.assign(book, fields));
    redraw();
    return () => {
      for (const [id, fields] of before) Object.assign(model.known(id) ?? {}, fields);
      before.clear();
      redraw();
    };
  }

  /**
   * Changes a book on the screen and on the server.
   *
   * @param {any} fields of the book on the screen
   * @param {string} words
   * @param {any} sent to the server
   * @param {any} opposite undoes `sent` for a book that is not in the library
   * @param {() => void} [notDone] runs after a refusal and after Undo
   */
  function change(book, fields, words, sent, opposite, notDone = () => {}) {
    const restore = show([book], fields);
    act(words, api.changeScanBook(model.job, book.id, sent), {
      isShown: true,
      restore: () => (restore(), notDone()),
      changed: () => book.entryId && refreshLibrary(),
      opposite: () => api.changeScanBook(model.job, book.id, opposite),
    });
  }

  /** The words before an edit; a book without a title cannot get that back. */
  const wordsBefore = ({ title, author, isbn }) =>
    title ? { title, authors: api.authorsFrom(author), isbn: isbn ?? null } : { authors: api.authorsFrom(author) };

  /** Confirms a book that is in the library and in review. */
  function agree(book) {
    const wasChosen = model.chosen === book.id, restore = show([book], { mark: "added", agreed: true });
    act(t("review.verified", { title: titleOf(book) }), api.agree(book.detectionId), {
      isShown: true,
      restore,
      changed: loadReviewCounts,
    });
    if (wasChosen) chooseNext();
  }

  async function add(books, ask = books.length > 1) {
    const n = books.length;
    if (!n) return;
    if (!ask) vibrate("yes");
    if (n === 1 && books[0].mark === "review") return agree(books[0]);
    if (
      ask && !(await confirm(
        t("results.addTitle", { n }),
        t(
          books.some((b) => tierOfBook(b) !== "ready") ? "results.addText" : "results.addReadyText",
        ),
        t("results.addYes", { n }),
      ))
    ) return;
    const wasChosen = model.chosen;
    const restore = show(books, { mark: "added", agreed: n === 1, entryId: undefined, detectionId: undefined });
    const request = api.importBooks(model.job, books, { shelfId: model.scan?.shelfId });
    const receipt = await act((receipt) => addedWords(books, receipt), request, { restore });
    if (!receipt) return;
    // A book whose second copy is asked about was not added yet.
    setMark(model.all, receipt.duplicates, "asked");
    redraw();
    if (n === 1 && wasChosen === books[0].id) chooseNext();
    await answer(receipt.duplicates);
    await added();
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
    const mark = (mark) => {
      setMark(model.all, questions, mark);
      redraw();
    };
    const restore = () => mark("asked");
    if (await askDuplicates(questions.map((q) => q.question), spineOf, { restore })) mark("added");
  }

  /** Answers the questions about books that the server added without asking. */
  async function answerAll() {
    const open = new Map(model.all.filter((b) => b.mark === "asked").map((b) => [b.detectionId, b.id]));
    const questions = (await openQuestions()).filter((q) => open.has(q.detectionId));
    await answer(questions.map((question) => ({ bookId: open.get(question.detectionId), question })));
  }

  async function edit(book) {
    const form = bookForm(book);
    const words = await formSheet(
      t("correct.title"),
      [spineStrip(spineOn(model.photo, book)), form.fields, textRead(book)],
      form.read,
    );
    if (!words) return;
    const { authors, ...rest } = words, isKept = Boolean(book.entryId);
    change(
      book,
      { ...rest, author: authors.join(", "), reviewStatus: "userEdited", ...(isKept ? { mark: "added" } : {}) },
      t(isKept ? "correct.saved" : "results.corrected", { title: words.title }),
      words,
      wordsBefore(book),
    );
  }

  async function match(book) {
    const found = await findMatch(book, { spine: spineOn(model.photo, book), shelf: model.scan?.shelfName });
    if (found) use(book, found);
  }

  function use(book, record) {
    const { title, coverUrl, publisher, year } = record;
    const words = { title, author: record.author ?? book.author, isbn: record.isbn ?? book.isbn };
    const mark = book.entryId ? { mark: "added" } : {};
    change(
      book,
      { ...words, coverUrl, publisher, year, reviewStatus: "userEdited", match: record, ...mark },
      t("match.used", { title }),
      // A candidate of the reader has no id: its words are sent like an edit.
      record.id ? { record } : wordsBefore(words),
      wordsBefore(book),
    );
  }

  function notABook(book) {
    chooseNext();
    // The decision is saved without the report, too.
    const report = (what) => api.report(placeOf(book), what).catch(() => {});
    const isOne = () => report({ correct: true });
    report({ problem: "notABook" });
    change(book, { mark: "gone" }, t("book.removed"), { rejected: true }, { rejected: false }, isOne);
  }

  const placeOf = (book) => ({ jobId: model.job.id, bookId: book.id });

  const report = (book) => reportDetection(placeOf(book), spineOn(model.photo, book));

  async function clear() {
    if (!(await confirm(t("results.clearTitle"), t("results.clearText"), t("results.clearYes"), { danger: true }))) {
      return;
    }
    const open = model.waiting;
    const set = async (list, rejected) => {
      for (const book of list) await api.changeScanBook(model.job, book.id, { rejected });
    };
    model.chosen = null;
    const restore = show(open, { mark: "gone" });
    // The results are shown again once the server has all books back.
    const opposite = async () => {
      await set(open, false);
      cleared(false);
    };
    act(t("results.cleared"), set(open, true), { isShown: true, restore, changed: () => {}, opposite });
    cleared(true);
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
    ? t("results.addedOne", { title: titleOf(books[0]) })
    : t("results.addedMany", { n: imported.length });
}
