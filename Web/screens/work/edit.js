// Edits a book's text. Changes that someone else made since are kept; where both changed a field, both are shown.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { bareIsbn, validIsbn } from "../../lib/isbn.js";
import { shelves } from "../../lib/state.js";
import { check } from "../../elements/book-form.js";
import { formSheet } from "../../elements/sheet.js";
import { button, field, titleInput } from "../../elements/ui.js";

/** Returns what can be edited of a book, as text by field. */
const textOf = (book) => ({
  title: book.title ?? "",
  authors: (book.authors ?? []).join(", "),
  series: book.series ?? "",
  seriesNumber: book.seriesNumber ?? "",
  isbn: book.isbn ?? "",
  publisher: book.publisher ?? "",
  year: String(book.year ?? ""),
  pages: String(book.pages ?? ""),
  callNumber: book.callNumber ?? "",
  notes: book.notes ?? "",
});

/** The fields of the copy; the others are of its work. */
const OF_COPY = ["callNumber", "notes"];
/** Whether the library has call numbers, so that a home without them is not asked for them. */
const hasCallNumbers = (book) => Boolean(book.callNumber) || shelves.get().some((one) => one.sort === "callNumber");

const number = (text) => text ? Number(text) : null;
/** How the text of a field of a work is sent. */
const SENT = {
  title: (text) => text,
  authors: (text) => api.authorsFrom(text),
  isbn: (text) => bareIsbn(text) || null,
  series: (text) => text || null,
  seriesNumber: (text) => text || null,
  publisher: (text) => text || null,
  year: number,
  pages: number,
};

const isWithin = (text, low, high) => !text || /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high;
/** `3`, `2.5` or `1-3`. */
const NUMBER_IN_SERIES = /^\d{1,5}([.,]\d{1,2})?(\s*[-–]\s*\d{1,5}([.,]\d{1,2})?)?$/u;
/** The rules of the fields, with the string for an invalid one. @type {Record<string, [(text: string) => boolean, string]>} */
const RULES = {
  title: [(text) => text !== "", "correct.needTitle"],
  isbn: [(text) => !text || validIsbn(bareIsbn(text)), "correct.badIsbn"],
  seriesNumber: [(text) => !text || NUMBER_IN_SERIES.test(text), "series.badNumber"],
  year: [(text) => isWithin(text, 1000, 2100), "work.badYear"],
  pages: [(text) => isWithin(text, 1, 100_000), "work.badPages"],
};

/**
 * Lets the user edit a book, and saves it.
 *
 * @param {any} book
 * @returns {Promise<string[] | undefined>} what undoes it, the latest change first; undefined if nothing was saved
 */
export async function editBook(book) {
  let base = textOf(book);
  /** @type {string[]} */ const undoTokens = [];
  const changed = (answer) => answer.undoToken && undoTokens.unshift(answer.undoToken);
  const numeric = { inputmode: "numeric", autocomplete: "off" };
  const inputs = {
    title: titleInput({ value: base.title, required: true }),
    authors: h("input.input", { value: base.authors, autocomplete: "off", dir: "auto" }),
    series: h("input.input", { value: base.series, autocomplete: "off", dir: "auto" }),
    seriesNumber: h("input.input", { value: base.seriesNumber, maxlength: 20, autocomplete: "off" }),
    isbn: h("input.input", { value: base.isbn, ...numeric }),
    publisher: h("input.input", { value: base.publisher, autocomplete: "off", dir: "auto" }),
    year: h("input.input", { value: base.year, maxlength: 4, ...numeric }),
    pages: h("input.input", { value: base.pages, maxlength: 6, ...numeric }),
    callNumber: h("input.input", { value: base.callNumber, maxlength: 200, autocomplete: "off" }),
    notes: h("textarea.input", { value: base.notes, rows: 5, dir: "auto" }),
  };
  const labels = {
    title: t("book.title"),
    authors: t("book.authors"),
    series: t("import.field.series"),
    seriesNumber: t("import.field.volume"),
    isbn: t("book.isbnWord"),
    publisher: t("import.field.publisher"),
    year: t("import.field.year"),
    pages: t("import.field.pages"),
    callNumber: t("import.field.callNumber"),
    notes: t("work.notes"),
  };
  const theirs = Object.fromEntries(Object.keys(inputs).map((name) => [name, h("div", { role: "status" })]));
  const row = (name) => h("div.edit-field", null, field(labels[name], inputs[name]), theirs[name]);

  /** Takes over what changed on the server since `base`. Returns whether the user has to choose. */
  const merge = (now) => {
    const fresh = textOf(now);
    let isOpen = false;
    for (const [name, input] of Object.entries(inputs)) {
      replace(theirs[name]);
      if (fresh[name] === base[name]) continue;
      if (input.value.trim() === base[name]) input.value = fresh[name];
      else if (input.value.trim() !== fresh[name]) {
        isOpen = true;
        replace(theirs[name], otherValue(input, fresh[name], theirs[name]));
      }
    }
    base = fresh;
    return isOpen;
  };

  const save = async () => {
    for (const [name, [isRight, words]] of Object.entries(RULES)) {
      check(inputs[name], isRight(inputs[name].value.trim()), words);
    }
    const now = await api.book(book.id);
    const work = await api.work(now.workId);
    if (merge(now)) throw new Error(t("work.editConflict"));
    const edited = Object.keys(inputs).filter((name) => inputs[name].value.trim() !== base[name]);
    const ofCopy = edited.filter((name) => OF_COPY.includes(name));
    if (ofCopy.length) {
      const sent = Object.fromEntries(ofCopy.map((name) => [name, inputs[name].value.trim() || null]));
      changed(await api.changeBook(book.id, sent, now.etag));
      for (const name of ofCopy) base[name] = inputs[name].value.trim();
    }
    const change = Object.fromEntries(
      edited.filter((name) => name in SENT).map((name) => [name, SENT[name](inputs[name].value.trim())]),
    );
    if (Object.keys(change).length) changed(await api.changeWork(now.workId, change, work.etag, book.id));
    return true;
  };
  const isSaved = await formSheet(t("work.edit"), [
    row("title"),
    row("authors"),
    h("div.edit-pair", null, row("series"), row("seriesNumber")),
    row("isbn"),
    row("publisher"),
    h("div.edit-pair", null, row("year"), row("pages")),
    hasCallNumbers(book) && row("callNumber"),
    row("notes"),
  ], save);
  // A part may have been saved before a failure.
  return isSaved || undoTokens.length ? undoTokens : undefined;
}

/** Shows the other value of a field, and lets the user choose it. */
const otherValue = (input, value, place) =>
  h(
    "p.edit-other",
    null,
    h("span.grow", null, t("work.editOther", { value: value || t("match.wasEmpty") })),
    button(t("book.use"), {
      kind: "small",
      onclick: () => {
        input.value = value;
        replace(place);
        input.focus();
      },
    }),
  );
