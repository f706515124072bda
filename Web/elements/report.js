// Reports a wrong detection: what is wrong, and what the spine says. Reports stay on the server.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { validIsbn } from "../lib/isbn.js";
import { formSheet } from "./sheet.js";
import { field } from "./ui.js";
import { spine } from "./spine.js";
import { undoBar } from "./undo.js";

const PROBLEMS = ["wrongTitle", "twoBooks", "notABook", "cutOff"];

/**
 * Lets the user report a detection.
 *
 * @param {{detectionId: string} | {jobId: string, bookId: string}} place in the library, or of a scan
 * @param {any} [picture] of the spine, as for `spine`
 */
export async function reportDetection(place, picture) {
  let problem = PROBLEMS[0];
  const titleInput = h("input.input.serif", { name: "title", autocomplete: "off", maxlength: 500, dir: "auto" });
  const author = h("input.input", { name: "author", autocomplete: "off", maxlength: 500, dir: "auto" });
  const isbn = h("input.input", { name: "isbn", autocomplete: "off", inputmode: "numeric" });
  const right = h(
    "fieldset.stack.report-right",
    { style: { "--gap": "12px" } },
    h("legend.label", null, t("report.right")),
    field(t("book.title"), titleInput),
    h("div.edit-pair", null, field(t("book.author"), author), field(t("book.isbnWord"), isbn)),
  );
  const choose = (name) => {
    problem = name;
    right.hidden = name === "notABook";
  };
  const choice = (name) =>
    h(
      "label.choice-row",
      null,
      h("input", {
        type: "radio",
        name: "problem",
        value: name,
        checked: name === problem,
        onchange: () => choose(name),
      }),
      h("span.grow", null, t(`report.${name}`)),
    );
  const send = async () => {
    const code = isbn.value.replace(/[\s-]/g, "");
    const words = { title: titleInput.value.trim(), author: author.value.trim(), isbn: code };
    const given = right.hidden ? [] : Object.entries(words).filter(([, text]) => text);
    if (!right.hidden && code && !validIsbn(code)) {
      isbn.setAttribute("aria-invalid", "true");
      isbn.focus();
      throw new Error(t("correct.badIsbn"));
    }
    await api.report(place, { problem, ...(given.length ? { right: Object.fromEntries(given) } : {}) });
    return true;
  };
  const done = await formSheet(
    t("results.report"),
    [
      picture && h("div.spine-strip", null, spine(picture, { lie: true, long: 480, short: 60 })),
      h("fieldset.choice-rows", null, h("legend.sr", null, t("report.what")), PROBLEMS.map(choice)),
      right,
      h("p.caption", null, t("report.stays")),
    ],
    send,
    { submit: t("report.send") },
  );
  if (done) undoBar(t("report.thanks"));
}
