// Corrects a book before it is added: its spine above the fields.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { formSheet } from "../../elements/sheet.js";
import { field } from "../../elements/ui.js";
import { spine, spineOn } from "../../elements/spine.js";

/** Asks for title, author and ISBN. @returns {Promise<{title: string, author: string, isbn: string | null} | undefined>} */
export function askForWords(book, photo) {
  const titleInput = h("input.input.serif", {
    name: "title",
    value: book.title ?? "",
    autocomplete: "off",
    autofocus: true,
  });
  const authorInput = h("input.input", { name: "author", value: book.author ?? "", autocomplete: "off" });
  const isbnInput = h("input.input", {
    name: "isbn",
    value: book.isbn ?? "",
    inputmode: "numeric",
    placeholder: t("common.optional"),
    autocomplete: "off",
  });
  const lines = (book.text ?? []).map((l) => l.text);
  return formSheet(
    t("correct.title"),
    [
      h("div.spine-strip", null, spine(spineOn(photo, book), { lie: true, long: 480, short: 60 })),
      field(t("book.title"), titleInput),
      field(t("book.author"), authorInput),
      field(t("book.isbnWord"), isbnInput),
      lines.length > 0 &&
      h("div.read-lines", null, h("p.caption", null, t("book.weRead")), h("p.lines", null, lines.join(" · "))),
    ],
    () => ({
      title: titleInput.value.trim(),
      author: authorInput.value.trim(),
      isbn: isbnInput.value.trim() || null,
    }),
  );
}
