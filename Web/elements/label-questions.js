// Questions about labels and signs in photos: which shelf do the books above one belong to?
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refreshLibrary } from "../lib/library.js";
import { isFirstTimeHere } from "../lib/memory.js";
import { formSheet, sheet } from "./sheet.js";
import { act } from "./undo.js";
import { button, field } from "./ui.js";

/**
 * Asks one question after the other. Each is asked once by itself; closing it leaves it open.
 *
 * @param {any[]} questions
 * @param {boolean} again whether to ask also what was asked before
 * @returns {Promise<any[]>} the questions that are still open
 */
export async function askAboutLabels(questions, again) {
  const open = [];
  for (const one of questions) {
    const isNew = isFirstTimeHere(`label-${one.id}`);
    const answer = isNew || again ? await ask(one) : undefined;
    if (!answer) open.push(one);
    else act(wordsFor(one, answer), api.answerLabel(one.id, answer), { changed: refreshLibrary });
  }
  return open;
}

const ask = (one) => one.kind === "otherShelf" ? askWhere(one) : askForName(one);

/** Are the books on the shelf of the label, or on the chosen one? */
const askWhere = (one) =>
  sheet(t("label.whereTitle"), (close) =>
    h(
      "div",
      null,
      h("p.quiet", null, t("label.where", { code: one.text, label: one.shelf?.path ?? "", n: one.books })),
      h(
        "div.actions",
        null,
        button(t("label.stay", { name: one.chosen?.name ?? t("scan.noShelf") }), {
          onclick: () => close({ accept: false }),
        }),
        button(t("label.move", { name: one.shelf?.name ?? "" }), {
          kind: "main",
          autofocus: true,
          onclick: () => close({ accept: true }),
        }),
      ),
    ));

/** Which shelf is it? */
function askForName(one) {
  const isSign = one.kind === "sign";
  const name = h("input.input", {
    name: "name",
    required: true,
    maxlength: 900,
    autocomplete: "off",
    value: isSign ? one.text : one.chosen ? `${one.chosen.path} / ` : "",
    placeholder: t("shelf.example"),
  });
  const about = t(isSign ? "label.signText" : "label.newText", { text: one.text, n: one.books });
  return formSheet(
    t(isSign ? "label.signTitle" : "label.newTitle"),
    [h("p.quiet", null, about), field(t("shelf.name"), name)],
    () => ({ accept: true, name: name.value.trim() }),
    {
      submit: t("place.make"),
      also: (close) => button(t("label.ignore"), { onclick: () => close({ accept: false }) }),
    },
  );
}

function wordsFor(one, { accept, name }) {
  if (!accept) return t("label.kept");
  return t("label.filed", { n: one.books, name: name ?? one.shelf?.name ?? one.text });
}
