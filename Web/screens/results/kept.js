// What the server added of a scan without asking.
import { t } from "../../lib/i18n.js";
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
 * @param {() => any} takeBack
 */
export function sayKept({ undoToken, job, kept }, takeBack) {
  const key = `kept-${job.id}`, words = keptWords(kept);
  if (!undoToken || !words || rememberedHere(key)) return;
  rememberHere(key, "yes");
  undoBar(words, takeBack);
}
