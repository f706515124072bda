// The list of questions that were asked without a connection, with the server's answers.
import { asked, dropQuestion, loadAsked } from "../../lib/asked.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { round, section } from "../../elements/ui.js";
import { verdictMark } from "../../elements/verdict.js";

/**
 * Shows the questions in `place`, and each change of them.
 *
 * @param {any} place @param {(isbn: string) => any} open shows the whole answer @param {AbortSignal} signal
 */
export function showAsked(place, open, signal) {
  asked.watch((list) =>
    redraw(
      place,
      section(t("own.asked"), list, (all) => h("div.own-list", { role: "list" }, all.map((one) => row(one, open)))),
    ), signal);
  loadAsked();
}

function row({ isbn, answer }, open) {
  const name = answer?.title ?? isbn;
  const caption = answer?.title ? [answer.author, isbn].filter(Boolean).join(" · ") : answer ? "" : t("own.waits");
  return h(
    "div.could-row",
    { role: "listitem", "data-key": isbn },
    h(
      "button.plain-button.grow.own-asked",
      { type: "button", onclick: () => open(isbn) },
      h("span.clip", { dir: "auto" }, name),
      caption && h("span.caption.clip", { dir: "auto" }, caption),
    ),
    answer && verdictMark(answer.verdict),
    round("close", t("own.forget", { name }), { class: "bare", onclick: () => dropQuestion(isbn) }),
  );
}
