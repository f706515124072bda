// What a search says that found nothing. "Nothing found" is said only if a source was asked.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { go } from "../lib/router.js";
import { user } from "../lib/state.js";
import { sheet } from "./sheet.js";
import { sourceAnswers } from "./source-answers.js";
import { button } from "./ui.js";

/**
 * @param {{asked?: boolean, outages?: string[]}} found an empty result of `api.search`
 * @param {() => void} retry searches again
 */
export function noMatches(found, retry) {
  if (found.outages?.length) return h("p.quiet.center", null, t("match.noneSofar"));
  if (found.asked) return h("p.quiet.center", null, t("match.none"));
  return noSource(retry);
}

/** What is said where no source is on. @param {() => void} retry runs after one was turned on */
export function noSource(retry) {
  // Only the owner can change the settings; before there is an owner, everyone on this machine can.
  const mayChoose = !user.get() || user.get().role === "owner";
  return h(
    "div.no-source",
    null,
    h("p", null, t("match.noSource")),
    mayChoose
      ? button(t("match.turnOn"), { kind: "link", onclick: () => askForSource(retry) })
      : h("p.quiet", null, t("match.ownerTurnsOn")),
  );
}

/** Offers the sources; `retry` runs after one that answers at once was turned on. */
async function askForSource(retry) {
  const answer = await sheet(t("welcome.source"), (close) =>
    h(
      "div.stack.source-answers",
      null,
      h("p", null, t("match.sourceText")),
      sourceAnswers(["online", "download"], (next) => close({ next })),
    ));
  if (answer?.next) go(answer.next);
  else if (answer) retry();
}
