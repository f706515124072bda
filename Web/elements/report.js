// Reports a wrong detection: what is wrong, and what the spine says. Reports stay on the server.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { bookForm } from "./book-form.js";
import { formSheet } from "./sheet.js";
import { spineStrip } from "./spine.js";
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
  const form = bookForm({}, { needsTitle: false }), [title, author, isbn] = form.fields;
  const right = h(
    "fieldset.stack.report-right",
    { style: { "--gap": "12px" } },
    h("legend.label", null, t("report.right")),
    title,
    h("div.edit-pair", null, author, isbn),
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
    const { title, authors, isbn } = right.hidden ? {} : form.read();
    const words = { title, author: authors?.join(", "), isbn };
    const given = Object.entries(words).filter(([, text]) => text);
    await api.report(place, { problem, ...(given.length ? { right: Object.fromEntries(given) } : {}) });
    return true;
  };
  const done = await formSheet(
    t("results.report"),
    [
      spineStrip(picture),
      h("fieldset.choice-rows", null, h("legend.sr", null, t("report.what")), PROBLEMS.map(choice)),
      right,
      h("p.caption", null, t("report.stays")),
    ],
    send,
    { submit: t("report.send") },
  );
  if (done) undoBar(t("report.thanks"));
}
