// Access tokens for other programs.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { copyText } from "../../elements/copy.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, field, loadInto, segmented, toggle, withCaption, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

// A viewer may not have any.
export const tokensSection = () =>
  loadInto(h("div"), () => api.tokens().catch(() => null), (all, reload) =>
    all && h(
      "section.section",
      null,
      h(
        "div.section-head",
        null,
        h("h2", null, t("settings.tokens")),
        button(t("settings.tokenAdd"), { kind: "link", onclick: () => add(reload) }, "plus"),
      ),
      h("p.quiet", null, t("settings.tokensText")),
      h("ul.rows", null, all.map((token) => row(token, reload))),
    ));

const row = ({ id, name, scopes, expiresAt, lastUsedAt }, reload) =>
  h(
    "li.kv",
    null,
    icon("key"),
    withCaption(
      name,
      [
        scopes.join(", "),
        expiresAt && t("settings.tokenUntil", { day: day(expiresAt) }),
        lastUsedAt ? t("settings.lastUsed", { day: day(lastUsedAt) }) : t("settings.neverUsed"),
      ].filter(Boolean).join(" · "),
    ),
    button(t("common.remove"), {
      kind: "small",
      "aria-label": t("settings.tokenRemove", { name }),
      onclick: () => api.removeToken(id).then(reload, (e) => undoBar(wordsFor(e))),
    }),
  );

function add(reload) {
  const name = h("input.input", { required: true, maxlength: 100, autocomplete: "off", autofocus: true });
  const scopes = new Set(["scan", "read"]);
  let days = "365";
  const lives = /** @type {Array<[string, string]>} */ ([
    ["30", t("settings.tokenMonth")],
    ["365", t("settings.tokenYear")],
    ["", t("settings.tokenForever")],
  ]);
  sheet(t("settings.tokenAdd"), (_close, dialog) => {
    const say = h("div");
    return h(
      "form.stack",
      {
        onsubmit: async (e) => {
          e.preventDefault();
          try {
            const made = await api.addToken({
              name: name.value.trim(),
              scopes: [...scopes],
              expiresInDays: days ? Number(days) : null,
            });
            reload();
            dialog.querySelector("form").replaceWith(
              h(
                "div.stack",
                null,
                h("p", null, t("settings.tokenOnce")),
                h("code.secret", null, made.secret),
                button(t("common.copy"), {
                  kind: "main",
                  onclick: () => copyText(made.secret),
                }),
              ),
            );
          } catch (error) {
            replace(say, errorNote(error));
          }
        },
      },
      field(t("settings.tokenName"), name),
      h(
        "fieldset",
        null,
        h("legend.label", null, t("settings.scopes")),
        ["scan", "read", "write", "admin"].map((sc) =>
          toggle(t(`scope.${sc}`), scopes.has(sc), (on) => on ? scopes.add(sc) : scopes.delete(sc))
        ),
      ),
      h(
        "fieldset",
        null,
        h("legend.label", null, t("settings.tokenLife")),
        segmented(t("settings.tokenLife"), lives, days, (life) => (days = life)),
      ),
      say,
      h("div.actions", null, h("button.btn.main", { type: "submit" }, t("settings.tokenAdd"))),
    );
  });
}
