// The signed-in member: name, password, sign out.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { user } from "../../lib/state.js";
import { formSheet } from "../../elements/sheet.js";
import { button, field } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

export function accountSection(me) {
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.you")),
    h(
      "div.rows",
      null,
      h("div.kv", null, h("span", null, me.name), h("span.quiet", null, t(`role.${me.role}`))),
      h(
        "div.line.wrap",
        null,
        button(t("settings.password"), { kind: "link", onclick: () => askForPassword() }, "key"),
        button(t("settings.signOut"), { kind: "link", onclick: () => signOut() }, "lent"),
      ),
    ),
  );
}

async function askForPassword() {
  const now = h("input.input", { type: "password", autocomplete: "current-password", required: true }),
    fresh = h("input.input", { type: "password", autocomplete: "new-password", required: true, minlength: 10 });
  const fields = [
    field(t("settings.passwordNow"), now),
    field(t("settings.passwordNew"), fresh, t("welcome.passwordHint")),
  ];
  const save = () => api.changePassword(now.value, fresh.value).then(() => true);
  if (await formSheet(t("settings.password"), fields, save)) undoBar(t("common.saved"));
}

async function signOut() {
  await api.signOut().catch(() => {});
  user.set(null);
  go("/welcome");
}
