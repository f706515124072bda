// The signed-in member: name, password, sign out.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { openIdAddress } from "../../lib/openid.js";
import { clearBrowser, unsentPhotos } from "../../lib/browser-data.js";
import { confirm, formSheet } from "../../elements/sheet.js";
import { ensureConfirmed } from "../../elements/password.js";
import { button, field, toggle, unencryptedNote } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { manageSecondFactor } from "./second-factor.js";
import { showSessions } from "./sessions.js";

export function accountSection(me) {
  const provider = h("span", { hidden: true });
  const password = button(t("settings.password"), { kind: "link", onclick: () => changePassword() }, "key");
  showProvider(me, provider, password);
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
        password,
        provider,
        button(t("settings.sessions"), { kind: "link", onclick: () => showSessions() }, "phone"),
        button(t("factor.title"), { kind: "link", onclick: () => manageSecondFactor(me) }, "check"),
        button(t("settings.signOut"), { kind: "link", onclick: () => signOut() }, "lent"),
      ),
      unencryptedNote(),
    ),
  );
}

/** Offers to connect the member to the server's OpenID provider, if it has one. */
async function showProvider(me, place, password) {
  const state = await api.session().catch(() => undefined);
  if (!state?.openId) return;
  password.hidden = state.openId.onlyWay || !me.password;
  const { name } = state.openId;
  const link = async () => {
    if (await ensureConfirmed()) location.assign(openIdAddress({ for: "link", next: "/settings" }));
  };
  replace(
    place,
    me.openId
      ? h("span.quiet", null, t("openid.linked", { name }))
      : button(t("openid.link", { name }), { kind: "link", onclick: link }, "key"),
  );
  place.hidden = false;
}

async function changePassword() {
  let keepTokens = false;
  const now = h("input.input", { type: "password", autocomplete: "current-password", required: true }),
    fresh = h("input.input", { type: "password", autocomplete: "new-password", required: true, minlength: 10 });
  const fields = [
    field(t("settings.passwordNow"), now),
    field(t("settings.passwordNew"), fresh, t("welcome.passwordHint")),
    toggle(t("settings.keepTokens"), keepTokens, (on) => (keepTokens = on), t("settings.keepTokensHint")),
  ];
  const save = () => api.changePassword(now.value, fresh.value, keepTokens).then(() => true);
  if (await formSheet(t("settings.password"), fields, save)) undoBar(t("common.saved"));
}

/** Signs out and removes what the app keeps in this browser. Without the server nothing is done. */
async function signOut() {
  const n = await unsentPhotos();
  const text = t("settings.signOutUnsentText", { n });
  if (n && !await confirm(t("settings.signOutUnsent"), text, t("settings.signOut"), { danger: true })) return;
  try {
    await api.signOut();
  } catch (error) {
    if (error?.status !== 401) return undoBar(t("settings.signOutFailed"));
  }
  await clearBrowser();
  // A new page: this one's memory has the library, too.
  location.hash = "#/welcome";
  location.reload();
}
