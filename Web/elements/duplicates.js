// Possible second copies: each with its spine beside the book of the library, decided one by one or together.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { cover } from "./cover.js";
import { sheet } from "./sheet.js";
import { spineStrip } from "./spine.js";
import { button, waitingLine, wordsFor } from "./ui.js";
import { act, undoBar } from "./undo.js";

/**
 * Asks which of the books are second copies, and sends the answers. A closed sheet answers nothing: the questions wait.
 *
 * @param {any[]} questions from the server
 * @param {(question: any) => any} spineOf the picture of a spine, where more than its crop is known
 * @param {object} options of `act`
 * @returns {Promise<any>} undefined without answers
 */
export async function askDuplicates(questions, spineOf, options) {
  if (!questions.length) return undefined;
  const answers = await sheet(
    t("duplicate.title", { n: questions.length }),
    (close) => form(questions, (q) => spineOf(q) ?? cropOf(q), close),
  );
  return answers && act(t("duplicate.answered", { n: questions.length }), send(questions, answers), options);
}

/** Returns the questions that wait. After a failure, there are none and the bar says why. */
export async function openQuestions() {
  try {
    return await api.duplicates();
  } catch (error) {
    undoBar(wordsFor(error));
    return [];
  }
}

/**
 * Sends all answers or none: after a failure, those that were sent are undone. Where that fails too, the error has their
 * `undoTokens`.
 */
async function send(questions, answers) {
  /** @type {string[]} */ const undoTokens = [];
  try {
    for (const decision of /** @type {const} */ (["addCopy", "different", "existing"])) {
      const ids = questions.filter((q) => answers.get(q.id) === decision).map((q) => q.id);
      if (!ids.length) continue;
      const { undoToken } = await api.decideDuplicates(ids, decision);
      if (undoToken) undoTokens.unshift(undoToken);
    }
  } catch (error) {
    // `undo` removes the tokens that it used.
    await api.undo(undoTokens).catch(() => {});
    throw Object.assign(error, { undoTokens });
  }
  return { undoTokens };
}

/** The line about books that may be second copies, with a way to answer. @param {number} n @param {() => any} onAnswer */
export const questionsLine = (n, onAnswer) =>
  n > 0 && waitingLine(icon("box"), h("span.grow", null, t("duplicate.line", { n })), {
    label: t("duplicate.see"),
    run: onAnswer,
    key: "questions",
  });

const cropOf = (question) => question.detectionId ? { source: api.detectionCrop(question.detectionId) } : null;

function form(questions, spineOf, close) {
  const answers = new Map(questions.map((q) => [q.id, "existing"]));
  const rows = questions.map((q) => row(q, spineOf(q), answers));
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
    h("div.actions", null, button(t("common.done"), { kind: "main wide", onclick: () => close(answers) })),
  );
}

function row(question, picture, answers) {
  const title = question.title || t("book.unread"), isSimilar = question.kind === "similar";
  const copy = h("input", {
    type: "checkbox",
    "aria-label": t("duplicate.secondOf", { title }),
    onchange: () => answer(copy.checked ? "addCopy" : "existing"),
  });
  // It may be another book, which must not be counted as the one in the library.
  const other = button(t("duplicate.different"), {
    kind: "small",
    "aria-pressed": "false",
    onclick: () => answer(answers.get(question.id) === "different" ? "existing" : "different"),
  });
  function answer(decision) {
    answers.set(question.id, decision);
    copy.checked = decision === "addCopy";
    other.setAttribute("aria-pressed", String(decision === "different"));
  }
  return h(
    "li",
    null,
    h(
      "label.duplicate-row",
      null,
      copy,
      cover(question.existing ?? {}, { size: "xs" }),
      h(
        "span.grow.stacked",
        null,
        spineStrip(picture),
        h("span.title", null, title),
        h(
          "span.caption",
          null,
          isSimilar ? t("duplicate.like", { title: question.existing.title }) : t("duplicate.same"),
        ),
      ),
    ),
    other,
  );
}
