// Asks the owner once where titles are checked.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sourceAnswers } from "../../elements/source-answers.js";

/** Whether the owner still has to be asked. Without an answer of the server, the question waits for the next time. */
export async function isUndecided() {
  try {
    return !(await api.settings()).sourceChosen;
  } catch {
    return false;
  }
}

/** @param {(next?: string) => void} done called after the answer is stored, with the screen to open */
export const sourceQuestion = (done) => [
  h("div.welcome-mark", { "aria-hidden": "true" }, icon("library")),
  h("h1", { tabindex: -1 }, t("welcome.source")),
  h("p", null, t("welcome.sourceText")),
  sourceAnswers(["online", "list", "offline"], done),
  h("p.quiet", null, t("welcome.sourceLater")),
];
