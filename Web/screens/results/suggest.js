// Suggestions for a better photo, shown once per scan.
import { h } from "../../lib/dom.js";
import { t, translated } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { isFirstTimeHere } from "../../lib/memory.js";
import { round } from "../../elements/ui.js";

/** Returns the server's suggestion, or "" if there is none or it was shown already. */
export function suggestion({ suggestions, job }) {
  if (!suggestions.length || !isFirstTimeHere(`suggested-${job.id}`)) return "";
  const words = suggestions.map((s) => {
    const code = typeof s === "string" ? s : s.code;
    return translated(`suggest.${code}`, s.message ?? String(s));
  });
  return [...new Set(words)].join(" ");
}

/** The same as a note that can be dismissed. */
export const suggestionNote = (words, onClose) =>
  h(
    "div.note",
    { role: "status" },
    icon("info"),
    h("p.grow", null, words),
    round("close", t("common.close"), { class: "bare", onclick: onClose }),
  );
