// What the server added of a scan without asking, and its undo.
import * as api from "../../lib/api.js";
import { t } from "../../lib/i18n.js";
import { refreshLibrary } from "../../lib/library.js";
import { rememberedHere, rememberHere } from "../../lib/memory.js";
import { wordsFor } from "../../elements/ui.js";
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
 * @param {() => any} reload shows the results again
 */
export function sayKept({ undoToken, job, kept }, reload) {
  const key = `kept-${job.id}`, words = keptWords(kept);
  if (!undoToken || !words || rememberedHere(key)) return;
  rememberHere(key, "yes");
  undoBar(words, () => takeBack(undoToken, reload));
}

/** Takes the books that the server added out of the library again, and says so. */
export async function undoAdding({ undoToken }, reload) {
  try {
    await takeBack(undoToken, reload);
    undoBar(t("common.undone"));
  } catch (error) {
    undoBar(wordsFor(error));
  }
}

async function takeBack(undoToken, reload) {
  await api.undo([undoToken]);
  refreshLibrary();
  await reload();
}
