// Sheets for a book's tags, rating and loan.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { today } from "../../lib/search.js";
import { formSheet, menu } from "../../elements/sheet.js";
import { button, field } from "../../elements/ui.js";

/** @returns {Promise<string[] | undefined>} */
export function askForTags(entry) {
  const input = h("input.input", {
    value: (entry.tags ?? []).join(", "),
    autocomplete: "off",
    autofocus: true,
    maxlength: 400,
  });
  const tags = () => [...new Set(input.value.split(",").map((x) => x.trim()).filter(Boolean))];
  return formSheet(t("work.tags"), [field(t("work.tagsHint"), input)], tags);
}

/** @param {(stars: number | null) => void} put */
export function askForStars(entry, put) {
  menu(
    t("work.rating"),
    [5, 4, 3, 2, 1].map((n) => ({
      label: "★".repeat(n),
      icon: entry.rating === n ? "check" : "next",
      run: () => put(n),
    }))
      .concat([{ label: t("common.none"), icon: "minus", run: () => put(null) }]),
  );
}

/** Asks for borrower and due date, or wish list. @returns {Promise<{loan?: any, ownership?: string} | undefined>} */
export function askForLoan(e) {
  const who = h("input.input", { required: true, maxlength: 200, autocomplete: "off", autofocus: true });
  const due = h("input.input", { type: "date" });
  const loan = () => ({ loan: { to: who.value.trim(), since: today(), due: due.value || null } });
  const other = e.ownership === "wishlist" ? "owned" : "wishlist";
  return formSheet(t("work.lend"), [field(t("work.lendTo"), who), field(t("work.due"), due)], loan, {
    submit: t("work.lend"),
    also: (close) => button(t(`ownership.${other}`), { onclick: () => close({ ownership: other }) }),
  });
}
