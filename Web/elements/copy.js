// Copies texts.
import { t } from "../lib/i18n.js";
import { undoBar } from "./undo.js";

/** Copies a text, or tells the user that the browser refuses it: most do without a certificate. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    undoBar(t("common.copied"));
  } catch {
    undoBar(t("common.notCopied"));
  }
}
