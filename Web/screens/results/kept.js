// What the server added of a scan without asking.
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { rememberedHere, rememberHere } from "../../lib/memory.js";
import { undoBar } from "../../elements/undo.js";

/** "19 added, 6 to review." */
function keptWords({ n, review }) {
  const parts = [n > 0 && t("results.kept", { n }), review > 0 && t("results.keptUnsure", { n: review })].filter(
    Boolean,
  );
  return parts.length ? `${parts.join(", ")}.` : "";
}

/**
 * Says once what the server added, with Undo.
 *
 * @param {import("./model.js").ResultsModel} model
 * @param {() => any} back
 */
export function sayKept({ job, kept }, back) {
  const key = `kept-${job.id}`, words = keptWords(kept);
  if (!words || rememberedHere(key)) return;
  rememberHere(key, "yes");
  undoBar(words, back);
}

/** By undo token: what removes the books of a scan from the library again, and what shows that. */
const removals = new Map();

/**
 * Returns what removes the books that the server added from the library again: the same function on each visit, so that
 * the list of actions to undo does not keep one that was undone.
 *
 * @param {string} undoToken
 * @param {() => any} removed shows it on the screen of this visit
 */
export function removal(undoToken, removed) {
  if (!removals.has(undoToken)) {
    const back = async () => {
      await api.undo([undoToken]);
      refreshLibrary();
      await removals.get(undoToken).removed();
    };
    removals.set(undoToken, { back });
  }
  return Object.assign(removals.get(undoToken), { removed }).back;
}
