// Asks for the password again before sensitive changes.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isWithoutPassword, openIdAddress } from "../lib/openid.js";
import { confirm, formSheet } from "./sheet.js";
import { field } from "./ui.js";

/**
 * Asks until the password is right. Members without a password sign in again with the provider, which leaves the page.
 *
 * @returns {Promise<boolean>} false when the sheet was closed
 */
export async function askForPassword() {
  const state = await api.session();
  if (isWithoutPassword(state)) {
    const name = state.openId.name;
    if (await confirm(t("openid.confirm", { name }), t("openid.confirmText"), t("openid.signIn", { name }))) {
      location.assign(openIdAddress({ for: "confirm", next: location.hash.slice(1) }));
    }
    return false;
  }
  const password = h("input.input", {
    type: "password",
    autocomplete: "current-password",
    required: true,
    autofocus: true,
  });
  const save = () => api.confirmPassword(password.value).then(() => true);
  const isRight = await formSheet(
    t("confirm.title"),
    [h("p.quiet", null, t("confirm.text")), field(t("welcome.password"), password)],
    save,
    { submit: t("confirm.continue") },
  );
  return Boolean(isRight);
}

/** Asks for the password unless it was entered a short time ago. For downloads, which cannot ask. */
export async function ensureConfirmed() {
  const state = await api.session();
  return state.confirmed || state.via !== "session" || askForPassword();
}
