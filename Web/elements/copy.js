// Copies texts.
import { t } from "../lib/i18n.js";
import { undoBar } from "./undo.js";

/** Copies a text, and reports whether the browser allowed it: most refuse it without a certificate. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    undoBar(t("common.copied"));
  } catch {
    undoBar(t("common.notCopied"));
  }
}
