// What the server added of a scan without asking.
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { isFirstTimeHere } from "../../lib/memory.js";
import { renewUndo, undoBar } from "../../elements/undo.js";

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
export function sayKept({ job, kept, undoToken }, back) {
  const words = keptWords(kept);
  if (!words) return;
  if (isFirstTimeHere(`kept-${job.id}`)) undoBar(words, back, undoToken);
  else renewUndo(back, undoToken);
}

/**
 * Removes the books that the server added from the library again.
 *
 * @param {string} undoToken the key of this action to undo
 * @param {() => any} removed shows it on the screen
 */
export async function removeAdded(undoToken, removed) {
  await api.undo([undoToken]);
  refreshLibrary();
  await removed();
}
