// The line that leads to the books that were changed without a decision.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { changedCount } from "../../lib/state.js";

/** Returns a link to the changes that the user has not seen, or null if there are none. */
export function changedLine() {
  const n = changedCount.get();
  if (!n) return null;
  return h(
    "a.changed-line",
    { href: "#/review/automatic" },
    icon("clock"),
    h("span.grow", null, t("automatic.line", { n })),
    h("span.see", null, t("automatic.see")),
  );
}
