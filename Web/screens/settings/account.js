// The signed-in member: name, password, sign out.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { accountText, isWithoutPassword, openIdAddress } from "../../lib/openid.js";
import { user } from "../../lib/state.js";
import { signOut, unsentPhotos } from "../../lib/sign-out.js";
import { confirm, formSheet, sheet } from "../../elements/sheet.js";
import { askForPassword, refuse } from "../../elements/password.js";
import { button, field, toggle, unencryptedNote, withCaption, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { manageSecondFactor } from "./second-factor.js";
import { showSessions } from "./sessions.js";

export function accountSection(me) {
  const provider = h("div", { hidden: true });
  const password = button(t("settings.password"), { kind: "link", onclick: () => changePassword(me) }, "key");
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
        button(t("settings.sessions"), { kind: "link", onclick: () => showSessions() }, "phone"),
        button(t("factor.title"), { kind: "link", onclick: () => manageSecondFactor(me) }, "check"),
        button(t("settings.signOut"), { kind: "link", onclick: () => leave() }, "lent"),
      ),
      provider,
      unencryptedNote(),
    ),
  );
}

/** Shows the account at the server's OpenID provider that is connected to the member, or offers to connect one. */
async function showProvider(me, place, password) {
  const state = await api.session().catch(() => undefined);
  if (!state || !(state.openId || me.openId)) return;
  password.hidden = state.openId?.onlyWay || !me.password;
  const mayChange = !isWithoutPassword(state);
  if (me.openId) replace(place, connected(me, state.openId, mayChange));
  else if (mayChange) replace(place, button(t("openid.link", state.openId), { kind: "link", onclick: connect }, "key"));
  else return;
  place.hidden = false;
}

function connected(me, provider, mayDisconnect) {
  const name = provider?.name ?? t("openid.provider");
  return [
    h(
      "div.kv",
      null,
      icon("key"),
      withCaption(t("openid.linked", { name }), accountText(me.openIdAccount)),
      mayDisconnect && button(t("openid.unlink"), { kind: "small", onclick: () => disconnect(me, name) }),
    ),
    me.secondFactor && h("p.caption", null, t("openid.noFactor", { name })),
  ];
}

/** Always asks for the password, because the connected account can sign in from then on. */
async function connect() {
  if (await askForPassword()) location.assign(openIdAddress({ for: "link", next: "/settings/account" }));
}

async function disconnect(me, name) {
  if (!await confirm(t("openid.unlinkAsk", { name }), t("openid.unlinkText"), t("openid.unlink"), { danger: true })) {
    return;
  }
  try {
    await api.disconnectOpenId();
    user.set({ ...me, openId: false, openIdAccount: null });
    undoBar(t("common.saved"));
  } catch (error) {
    undoBar(wordsFor(error));
  }
}

async function changePassword(me) {
  const keeps = { keepTokens: false, keepOpenId: false };
  const now = h("input.input", { type: "password", autocomplete: "current-password", required: true }),
    fresh = h("input.input", { type: "password", autocomplete: "new-password", required: true, minlength: 10 });
  const fields = [
    field(t("settings.passwordNow"), now),
    field(t("settings.passwordNew"), fresh, t("welcome.passwordHint")),
    toggle(t("settings.keepTokens"), false, (on) => (keeps.keepTokens = on), t("settings.keepTokensHint")),
    me.openId && toggle(t("openid.keep"), false, (on) => (keeps.keepOpenId = on), accountText(me.openIdAccount)),
  ];
  const save = () => api.changePassword(now.value, fresh.value, keeps).then(() => true, refuse);
  if (!await formSheet(t("settings.password"), fields, save)) return;
  if (me.openId && !keeps.keepOpenId) user.set({ ...me, openId: false, openIdAccount: null });
  undoBar(t("common.saved"));
}

/** Signs out, after a question if photos were not sent. Without the server nothing is done. */
async function leave() {
  const n = await unsentPhotos();
  const answer = n ? await askAboutUnsent(n) : "keep";
  if (!answer) return;
  try {
    await signOut({ keepsPhotos: answer === "keep" });
  } catch {
    return undoBar(t("settings.signOutFailed"));
  }
  // A new page: this one's memory has the library, too.
  location.hash = "#/welcome";
  location.reload();
}

/** @returns {Promise<"keep" | "delete" | undefined>} what happens to the photos; undefined to stay signed in */
const askAboutUnsent = (n) =>
  sheet(t("settings.signOutUnsent", { n }), (close) =>
    h(
      "div",
      null,
      h("p.quiet", null, t("settings.signOutUnsentText", { n })),
      h(
        "div.actions",
        null,
        button(t("settings.signOutDelete"), { onclick: () => close("delete") }),
        button(t("settings.signOut"), { kind: "main", onclick: () => close("keep"), autofocus: true }),
      ),
    ));
