// The second factor: codes of an authenticator app.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { isWithoutPassword } from "../../lib/openid.js";
import { user } from "../../lib/state.js";
import { copyText } from "../../elements/copy.js";
import { qrCode } from "../../elements/qr.js";
import { codeInput, ensureConfirmed, inWords, passwordInput, refuse } from "../../elements/password.js";
import { formSheet, sheet } from "../../elements/sheet.js";
import { button, errorNote, field, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

export async function manageSecondFactor(me) {
  try {
    if (!me.secondFactor) return await turnOn(me, await api.newSecondFactor());
    if (!await turnOff()) return;
    user.set({ ...me, secondFactor: false });
    undoBar(t("common.saved"));
  } catch (error) {
    undoBar(wordsFor(error));
  }
}

/** Asks for password and code together, because each code is valid once. */
async function turnOff() {
  const password = isWithoutPassword(await api.session()) ? null : passwordInput();
  if (!password && !await ensureConfirmed()) return false;
  const code = codeInput({ autofocus: !password });
  return formSheet(
    t("factor.off"),
    [
      h("p.quiet", null, t("factor.offText")),
      password && field(t("welcome.password"), password),
      field(t("factor.code"), code, t("factor.signInHint")),
    ],
    () => api.turnOffSecondFactor(code.value.trim(), password?.value).then(() => true, refuse),
    { submit: t("factor.turnOff") },
  );
}

const turnOn = (me, fresh) =>
  sheet(t("factor.title"), (_close, dialog) => {
    const code = h("input.input", {
      inputmode: "numeric",
      autocomplete: "one-time-code",
      required: true,
      maxlength: 7,
      autofocus: true,
    });
    const say = h("div");
    const form = h(
      "form.stack",
      {
        onsubmit: async (e) => {
          e.preventDefault();
          try {
            const codes = await api.turnOnSecondFactor(fresh.secret, code.value.trim());
            user.set({ ...me, secondFactor: true });
            form.replaceWith(recovery(codes));
            dialog.querySelector("h2").focus();
          } catch (error) {
            replace(say, errorNote(inWords(error)));
          }
        },
      },
      h("p", null, t("factor.scan")),
      h("div.phone-code", null, qrCode(fresh.qrCode, t("factor.picture"))),
      h("p.caption", null, t("factor.secret")),
      h("code.secret", null, fresh.secret.replace(/(.{4})(?=.)/g, "$1 ")),
      field(t("factor.code"), code, t("factor.codeHint")),
      say,
      h("div.actions", null, h("button.btn.main", { type: "submit" }, t("factor.turnOn"))),
    );
    return form;
  });

/** The recovery codes, once. */
const recovery = (codes) =>
  h(
    "div.stack",
    null,
    h("p", null, t("factor.recovery")),
    h("code.secret", { style: { "white-space": "pre-line" } }, codes.join("\n")),
    button(t("common.copy"), {
      kind: "main",
      onclick: () => copyText(codes.join("\n")),
    }),
  );
