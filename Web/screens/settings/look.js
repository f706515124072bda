// Appearance on this device: light or dark, a theme for each, and the language.
import { h } from "../../lib/dom.js";
import { currentLanguage, LANGUAGES, t } from "../../lib/i18n.js";
import { remember } from "../../lib/memory.js";
import { DARK, LIGHT, look, setLook } from "../../lib/theme.js";
import { field, segmented, select } from "../../elements/ui.js";

export function lookSection() {
  const choice = look();
  const theme = (name, kind) =>
    h(
      "label.theme",
      { "data-theme": name },
      h("input", {
        type: "radio",
        name: kind,
        value: name,
        checked: choice[kind] === name,
        onchange: () => setLook({ [kind]: name }),
      }),
      h(
        "span.theme-card",
        null,
        h("i", { "aria-hidden": "true" }, h("b"), h("b"), h("b")),
        h("span", null, t(`theme.${name}`)),
      ),
    );
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.look")),
    h(
      "div.stack",
      null,
      segmented(
        t("settings.mode"),
        [["system", t("settings.system")], ["light", t("settings.light")], ["dark", t("settings.dark")]],
        choice.mode,
        (mode) => setLook({ mode }),
      ),
      h(
        "fieldset",
        null,
        h("legend.label", null, t("settings.lightLook")),
        h("div.themes", null, LIGHT.map((n) => theme(n, "light"))),
      ),
      h(
        "fieldset",
        null,
        h("legend.label", null, t("settings.darkLook")),
        h("div.themes", null, DARK.map((n) => theme(n, "dark"))),
      ),
      field(
        t("settings.language"),
        select(/** @type {any} */ (Object.entries(LANGUAGES)), currentLanguage(), (language) => {
          remember("language", language);
          location.reload();
        }),
      ),
    ),
  );
}
