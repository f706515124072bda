// The answers to where titles are checked. Until one is chosen, the server sends nothing to a provider.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { errorNote } from "./ui.js";

/** The possible answers: the change of the settings, and the screen that follows if it is not the usual one. */
const ANSWERS = {
  online: { change: { sourceChosen: true, providers: [{ id: "openlibrary", enabled: true }] } },
  list: { change: { sourceChosen: true }, next: "/import" },
  download: { change: { sourceChosen: true }, next: "/settings/catalog" },
  offline: { change: { sourceChosen: true } },
};

/**
 * A button for each answer, with what it means. The first is the recommended one.
 *
 * @param {Array<keyof typeof ANSWERS>} names
 * @param {(next?: string) => void} done called after the answer is stored, with the screen to open
 */
export function sourceAnswers(names, done) {
  const say = h("div");
  const buttons = names.map((name, i) => {
    const { change, next } = ANSWERS[name];
    const hint = `source-${name}`;
    return h(
      "div.answer",
      null,
      h("button.btn.wide", {
        type: "button",
        class: i ? "" : "main",
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
  return [...buttons, say];
}
