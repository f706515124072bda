// The menu of the queue, and the list of its keys.
import { h, wide } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { TIERS } from "../../lib/tiers.js";
import { menu, sheet } from "../../elements/sheet.js";

/**
 * Tiers are verified, and keys listed, on wide screens only: a phone has a list for the one, and no keyboard.
 *
 * @param {{order: "unsure" | "sure", groups: Record<string, any[]>}} state
 * @param {{turn: () => void, onlyPhoto?: any, all?: any, report?: () => void, verifyTier: (name: string) => void}} actions
 *   `turn` reverses the order; `onlyPhoto` filters by the photo of the book, and `all` removes the filter
 */
export const openMenu = ({ order, groups }, { turn, onlyPhoto, all, report, verifyTier }) =>
  menu(t("review.options"), [
    { label: order === "unsure" ? t("review.sureFirst") : t("review.unsureFirst"), icon: "sort", run: turn },
    Boolean(onlyPhoto) && { label: t("review.onlyPhoto"), icon: "photo", run: onlyPhoto },
    Boolean(all) && { label: t("review.allBooks"), icon: "photo", run: all },
    ...TIERS.filter((name) => wide() && groups[name].length).map((name) => ({
      label: t(`review.verifyTier.${name}`, { n: groups[name].length }),
      icon: "check",
      run: () => verifyTier(name),
    })),
    Boolean(report) && { label: t("results.report"), icon: "info", run: () => report?.() },
    { label: t("automatic.title"), icon: "clock", run: () => go("/review/automatic") },
    wide() && { label: t("review.keys"), icon: "keyboard", run: showKeys },
  ]);

export function showKeys() {
  const keys = { J: "next", K: "previous", V: "verify", E: "edit", M: "match", X: "reject", "↵": "open", U: "undo" };
  const line = ([key, what]) =>
    h("div.kv", null, h("dt", null, h("kbd", null, key)), h("dd", null, t(`review.key.${what}`)));
  sheet(t("review.keys"), () => h("dl.keys.rows", null, Object.entries(keys).map(line)));
}
