// The fields of a book that a person types: title, authors and ISBN.
import { authorsFrom } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { bareIsbn, validIsbn } from "../lib/isbn.js";
import { field, titleInput } from "./ui.js";

/**
 * @param {{title?: string | null, author?: string | null, authors?: string[], isbn?: string | null}} book
 * @param {{needsTitle?: boolean}} [options]
 */
export function bookForm(book, { needsTitle = true } = {}) {
  const text = { autocomplete: "off", maxlength: 1000, dir: "auto" };
  const inputs = {
    title: titleInput({
      ...text,
      name: "title",
      value: book.title ?? "",
      required: needsTitle,
      autofocus: needsTitle,
    }),
    author: h("input.input", { ...text, name: "author", value: book.author ?? book.authors?.join(", ") ?? "" }),
    isbn: h("input.input", {
      ...text,
      name: "isbn",
      value: book.isbn ?? "",
      inputmode: "numeric",
      placeholder: needsTitle ? t("common.optional") : "",
    }),
  };
  const say = h("div.field-error", { role: "alert" });
  /**
   * Returns what was typed. Throws what is wrong with it, with the focus on that field.
   *
   * @returns {{title: string, authors: string[], isbn: string | null}}
   */
  const read = () => {
    const title = inputs.title.value.trim(), isbn = bareIsbn(inputs.isbn.value);
    check(inputs.title, title || !needsTitle, "correct.needTitle");
    check(inputs.isbn, !isbn || validIsbn(isbn), "correct.badIsbn");
    return { title, authors: authorsFrom(inputs.author.value), isbn: isbn || null };
  };
  return {
    inputs,
    read,
    fields: [
      field(t("book.title"), inputs.title),
      field(t("book.author"), inputs.author),
      field(t("book.isbnWord"), inputs.isbn),
    ],
    /** Where `submit` says what is wrong. */
    say,
    /** Calls `save` with what was typed, if it is right. @param {(book: ReturnType<typeof read>) => void} save */
    submit(save) {
      let book;
      try {
        book = read();
      } catch (error) {
        return void replace(say, error.message);
      }
      replace(say);
      save(book);
    },
  };
}

/** Marks a field as valid or not. Throws the string for an invalid one, with the focus on it. */
export function check(input, isRight, words) {
  input.setAttribute("aria-invalid", String(!isRight));
  if (isRight) return;
  input.focus();
  throw new Error(t(words));
}
