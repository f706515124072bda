// Members and their roles. For the owner.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { redraw } from "../../lib/redraw.js";
import { user } from "../../lib/state.js";
import { confirm, formSheet, menu } from "../../elements/sheet.js";
import { button, errorNote, field, segmented, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { showAudit } from "./audit.js";

export function membersSection() {
  const place = h("div");
  fill(place);
  return place;
}

async function fill(place) {
  try {
    const [all, { openId }] = await Promise.all([api.members(), api.session()]);
    redraw(
      place,
      h(
        "section.section",
        null,
        h(
          "div.section-head",
          null,
          h("h2", null, t("settings.members")),
          // Without passwords, members are added when they sign in.
          !openId?.onlyWay && button(t("settings.memberAdd"), { kind: "link", onclick: () => add(place) }, "plus"),
        ),
        h(
          "ul.rows",
          null,
          all.map((m) =>
            h(
              "li",
              null,
              h(
                "button.kv",
                { type: "button", onclick: () => change(m, place) },
                icon("person"),
                h("span.grow", null, m.name),
                h("span.quiet", null, t(`role.${m.role}`)),
                icon("next"),
              ),
            )
          ),
        ),
        button(t("audit.title"), { kind: "link", onclick: () => showAudit() }, "list"),
      ),
    );
  } catch (error) {
    replace(place, errorNote(error));
  }
}

async function add(place) {
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
  if (made) fill(place);
}

function change(m, place) {
  const act = async (work) => {
    try {
      await work();
      fill(place);
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
