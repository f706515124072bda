// The menu of the queue, and the list of its keys.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { TIERS } from "../../lib/tiers.js";
import { menu, sheet } from "../../elements/sheet.js";

/**
 * @param {{order: "unsure" | "sure", groups: Record<string, any[]>, photo?: string}} state `photo` of the active book
 * @param {{turn: () => void, onlyPhoto: () => void, report?: () => void, verifyTier: (name: string) => void}} actions
 *   `turn` reverses the order
 */
export const openMenu = ({ order, groups, photo }, { turn, onlyPhoto, report, verifyTier }) =>
  menu(t("review.options"), [
    { label: order === "unsure" ? t("review.sureFirst") : t("review.unsureFirst"), icon: "sort", run: turn },
    Boolean(photo) && { label: t("review.onlyPhoto"), icon: "photo", run: onlyPhoto },
    ...TIERS.filter((name) => groups[name].length).map((name) => ({
      label: t(`review.verifyTier.${name}`, { n: groups[name].length }),
      icon: "check",
      run: () => verifyTier(name),
    })),
    Boolean(report) && { label: t("results.report"), icon: "info", run: () => report?.() },
    { label: t("automatic.title"), icon: "clock", run: () => go("/review/automatic") },
    { label: t("review.keys"), icon: "keyboard", run: showKeys },
  ]);

export function showKeys() {
  const keys = { J: "next", K: "previous", V: "verify", E: "edit", M: "match", X: "reject", "↵": "open", U: "undo" };
  const line = ([key, what]) =>
    h("div.kv", null, h("dt", null, h("kbd", null, key)), h("dd", null, t(`review.key.${what}`)));
  sheet(t("review.keys"), () => h("dl.keys.rows", null, Object.entries(keys).map(line)));
}
