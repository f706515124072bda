// Possible duplicates, asked once for all books.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote } from "../../elements/ui.js";
import { cover } from "../../elements/cover.js";

/** @param {any[]} questions from the server's answer to the import */
export async function askDuplicates(questions, model) {
  if (!questions.length) return;
  const book = (q) => model.all.find((b) => b.id === q.bookId);
  const second = await sheet(t("duplicate.title", { n: questions.length }), (close) => {
    const wanted = new Set();
    return h(
      "div",
      null,
      h("p.quiet", null, t("duplicate.text", { n: questions.length })),
      h(
        "ul.rows",
        null,
        questions.map((q) =>
          h(
            "li",
            null,
            h(
              "label.kv",
              null,
              cover(q.question?.existing ?? book(q) ?? {}, { size: "xs" }),
              h(
                "span.grow",
                null,
                h("span.title", null, q.question?.title ?? book(q)?.title ?? ""),
                h("span.caption", { style: { display: "block" } }, t(`duplicate.${q.certainty}`)),
              ),
              h("span.caption", null, t("duplicate.second")),
              h("input", {
                type: "checkbox",
                onchange: (e) => e.target.checked ? wanted.add(q.bookId) : wanted.delete(q.bookId),
              }),
            ),
          )
        ),
      ),
      h("div.actions", null, button(t("common.done"), { kind: "main", onclick: () => close([...wanted]) })),
    );
  });
  // Closing the sheet means no second copies; the question is not repeated.
  const ids = (wanted) =>
    questions.filter((q) => Boolean(second?.includes(q.bookId)) === wanted).map((q) => q.question.id);
  try {
    await api.decideDuplicates(ids(true), "addCopy");
    await api.decideDuplicates(ids(false), "existing");
    refreshLibrary();
  } catch (error) {
    sheet(t("results.notAdded"), () => errorNote(error));
  }
}
