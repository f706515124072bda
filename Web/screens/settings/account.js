// Who is signed in: name, password, way out.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { go } from "../../lib/router.js";
import { user } from "../../lib/state.js";
import { button, field, sheet, trouble, undoBar } from "../../elements/ui.js";

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

function askForPassword() {
  const now = h("input.input", { type: "password", autocomplete: "current-password", required: true }),
    fresh = h("input.input", { type: "password", autocomplete: "new-password", required: true, minlength: 10 });
  sheet(t("settings.password"), (close) => {
    const say = h("div");
    return h(
      "form.stack",
      {
        onsubmit: async (e) => {
          e.preventDefault();
          try {
            await api.changePassword(now.value, fresh.value);
            close();
            undoBar(t("common.saved"));
          } catch (error) {
            replace(say, trouble(error));
          }
        },
      },
      field(t("settings.passwordNow"), now),
      field(t("settings.passwordNew"), fresh, t("welcome.passwordHint")),
      say,
      h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
    );
  });
}

async function signOut() {
  await api.signOut().catch(() => {});
  user.set(null);
  go("/welcome");
}
