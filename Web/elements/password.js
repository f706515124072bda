// Asks for the password, and the second factor, before sensitive changes.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isWithoutPassword, openIdAddress } from "../lib/openid.js";
import { confirm, formSheet } from "./sheet.js";
import { field } from "./ui.js";

/**
 * Asks until the password and the code are right. Members without a password sign in again with the provider, which leaves the page.
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
  const password = passwordInput();
  const code = state.member?.secondFactor ? codeInput() : null;
  const save = () => api.confirmPassword(password.value, code?.value.trim()).then(() => true, refuse);
  const isRight = await formSheet(
    t("confirm.title"),
    [
      h("p.quiet", null, t("confirm.text")),
      field(t("welcome.password"), password),
      code && field(t("factor.code"), code, t("factor.signInHint")),
    ],
    save,
    { submit: t("confirm.continue") },
  );
  return Boolean(isRight);
}

const WRONG = { wrong_credentials: "confirm.wrong", wrong_code: "confirm.wrongCode" };

/**
 * Returns an error with what was typed wrongly in the app's language. Other errors stay as they are.
 *
 * @param {any} error
 */
export const inWords = (error) =>
  Object.hasOwn(WRONG, error?.code) ? { ...error, message: t(WRONG[error.code]) } : error;

/** Throws that error. @returns {never} */
export function refuse(error) {
  throw inWords(error);
}

/** An input for the password of the member who is signed in. It gets the focus. */
export const passwordInput = () =>
  h("input.input", { type: "password", autocomplete: "current-password", required: true, autofocus: true });

/** An input for a code of the authenticator app or a recovery code, which has letters. */
export const codeInput = (props = {}) =>
  h("input.input", { autocomplete: "one-time-code", required: true, maxlength: 20, ...props });

/** Asks for the password unless it was entered a short time ago. For downloads, which cannot ask. */
export async function ensureConfirmed() {
  const state = await api.session();
  return state.confirmed || state.via !== "session" || askForPassword();
}
