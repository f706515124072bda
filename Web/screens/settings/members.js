// Members and their roles. For the owner.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { accountText } from "../../lib/openid.js";
import { user } from "../../lib/state.js";
import { confirm, formSheet, menu } from "../../elements/sheet.js";
import { button, field, loadInto, segmented, withCaption, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { showAudit } from "./audit.js";

export const membersSection = () =>
  loadInto(h("div"), () => Promise.all([api.members(), api.session()]), ([all, { openId }], reload) =>
    h(
      "section.section",
      null,
      h(
        "div.section-head",
        null,
        h("h2", null, t("settings.members")),
        // Without passwords, members are added when they sign in.
        !openId?.onlyWay && button(t("settings.memberAdd"), { kind: "link", onclick: () => add(reload) }, "plus"),
      ),
      h("ul.rows", null, all.map((m) => row(m, reload))),
      button(t("audit.title"), { kind: "link left", onclick: () => showAudit() }, "list"),
    ));

const row = (m, reload) =>
  h(
    "li",
    null,
    h(
      "button.kv",
      { type: "button", onclick: () => change(m, reload) },
      icon("person"),
      withCaption(m.name, accountText(m.openIdAccount)),
      h("span.quiet", null, t(`role.${m.role}`)),
      icon("next"),
    ),
  );

async function add(reload) {
  const name = h("input.input", { required: true, autocomplete: "off", autofocus: true });
  const password = h("input.input", { type: "password", required: true, minlength: 10, autocomplete: "new-password" });
  let role = "editor";
  const roles = ["editor", "viewer", "owner"].map((r) => /** @type {[string, string]} */ ([r, t(`role.${r}`)]));
  const made = await formSheet(
    t("settings.memberAdd"),
    [
      field(t("welcome.name"), name),
      field(t("welcome.password"), password, t("welcome.passwordHint")),
      segmented(t("settings.role"), roles, role, (r) => (role = r)),
    ],
    () => api.addMember({ name: name.value.trim(), password: password.value, role }),
    { submit: t("settings.memberAdd") },
  );
  if (made) reload();
}

function change(m, reload) {
  const act = async (work) => {
    try {
      await work();
      reload();
    } catch (error) {
      undoBar(wordsFor(error));
    }
  };
  menu(m.name, [
    ...["owner", "editor", "viewer"].filter((r) => r !== m.role).map((r) => ({
      label: t(`role.make.${r}`),
      icon: "person",
      run: () => act(() => api.changeMember(m.id, { role: r }, m.etag)),
    })),
    m.secondFactor && m.id !== user.get()?.id && {
      label: t("factor.reset"),
      icon: "key",
      run: () => act(() => api.changeMember(m.id, { secondFactor: false }, m.etag)),
    },
    m.openId && m.id !== user.get()?.id && {
      label: t("openid.unlinkMember"),
      icon: "close",
      run: async () => {
        const title = t("openid.unlinkMemberAsk", { name: m.name });
        const isSure = await confirm(title, t("openid.unlinkMemberText"), t("openid.unlink"), { danger: true });
        if (isSure) act(() => api.changeMember(m.id, { openId: false }, m.etag));
      },
    },
    m.id !== user.get()?.id && {
      label: t("common.remove"),
      icon: "trash",
      danger: true,
      run: async () => {
        if (
          await confirm(
            t("settings.memberRemove", { name: m.name }),
            t("settings.memberRemoveText"),
            t("common.remove"),
            { danger: true },
          )
        ) act(() => api.removeMember(m.id));
      },
    },
  ]);
}
