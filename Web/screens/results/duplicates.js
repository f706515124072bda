// Possible second copies: each with its spine beside the book of the library, decided one by one or together.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote } from "../../elements/ui.js";
import { cover } from "../../elements/cover.js";
import { spine } from "../../elements/spine.js";

/**
 * Asks which of the books are second copies, and sends the answers. A closed sheet answers nothing: the questions wait.
 *
 * @param {any[]} questions from the server's answer to the import
 * @param {import("./model.js").ResultsModel} model
 * @returns {Promise<boolean>} whether the questions were answered
 */
export async function askDuplicates(questions, model) {
  if (!questions.length) return false;
  const copies = await sheet(t("duplicate.title", { n: questions.length }), (close) => form(questions, model, close));
  if (!copies) return false;
  const ids = (isCopy) => questions.filter((q) => copies.has(q.bookId) === isCopy).map((q) => q.question.id);
  try {
    await api.decideDuplicates(ids(true), "addCopy");
    await api.decideDuplicates(ids(false), "existing");
  } catch (error) {
    sheet(t("results.notAdded"), () => errorNote(error));
    return false;
  }
  return true;
}

function form(questions, model, close) {
  const copies = new Set();
  const rows = questions.map((q) => row(q, model, copies));
  const all = (isCopy) => () => {
    for (const input of rows.map((r) => r.querySelector("input"))) {
      if (input.checked !== isCopy) input.click();
    }
  };
  return h(
    "div.duplicates",
    null,
    h("p.quiet", null, t("duplicate.text", { n: questions.length })),
    questions.length > 1 &&
      h(
        "div.line.wrap",
        null,
        button(t("duplicate.all", { n: questions.length }), { kind: "small", onclick: all(true) }),
        button(t("duplicate.none"), { kind: "small", onclick: all(false) }),
      ),
    h("ul.rows", null, rows),
    h("div.actions", null, button(t("common.done"), { kind: "main wide", onclick: () => close(copies) })),
  );
}

function row(q, model, copies) {
  const index = model.photos.findIndex((photo) => photo.books.some((b) => b.id === q.bookId));
  const photo = model.photos[index], book = photo?.books.find((b) => b.id === q.bookId);
  const title = q.question.title || book?.title || t("book.unread");
  return h(
    "li",
    null,
    h(
      "label.duplicate-row",
      null,
      h("input", {
        type: "checkbox",
        "aria-label": t("duplicate.secondOf", { title }),
        onchange: (e) => e.target.checked ? copies.add(q.bookId) : copies.delete(q.bookId),
      }),
      cover(q.question.existing ?? {}, { size: "xs" }),
      h(
        "span.grow",
        null,
        book && h(
          "span.spine-strip",
          null,
          spine({ source: photo.url, quad: quadOf(book) }, { lie: true, long: 360, short: 40 }),
        ),
        h("span.title", null, title),
        h("span.caption", null, t(`duplicate.${q.certainty}`)),
      ),
    ),
  );
}
