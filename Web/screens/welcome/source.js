// Asks the owner once where titles are checked. Until the answer, the server sends nothing to a provider.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { errorNote } from "../../elements/ui.js";

/** The possible answers: the change of the settings, and the screen that follows if it is not the usual one. */
const ANSWERS = {
  online: { change: { sourceChosen: true, providers: [{ id: "openlibrary", enabled: true }] } },
  download: { change: { sourceChosen: true }, next: "/settings/catalog" },
  offline: { change: { sourceChosen: true } },
};

/** Whether the owner still has to be asked. Without an answer of the server, the question waits for the next time. */
export async function isUndecided() {
  try {
    return !(await api.settings()).sourceChosen;
  } catch {
    return false;
  }
}

/** @param {(next?: string) => void} done called after the answer is stored, with the screen to open */
export function sourceQuestion(done) {
  const say = h("div");
  const buttons = Object.entries(ANSWERS).map(([name, { change, next }]) => {
    const hint = `source-${name}`;
    return h(
      "div.answer",
      null,
      h("button.btn.wide", {
        type: "button",
        "aria-describedby": hint,
        onclick: async () => {
          setDisabled(true);
          try {
            await api.changeSettings(change, (await api.settings()).etag);
            done(next);
          } catch (error) {
            replace(say, errorNote(error));
            setDisabled(false);
          }
        },
      }, t(`welcome.source.${name}`)),
      h("p.quiet", { id: hint }, t(`welcome.source.${name}Text`)),
    );
  });
  const setDisabled = (disabled) => buttons.forEach((box) => Object.assign(box.querySelector("button"), { disabled }));
  return [
    h("div.welcome-mark", { "aria-hidden": "true" }, icon("library")),
    h("h1", { tabindex: -1 }, t("welcome.source")),
    h("p", null, t("welcome.sourceText")),
    ...buttons,
    say,
    h("p.quiet", null, t("welcome.sourceLater")),
  ];
}
