// Providers of covers and details, and their keys.
import { h } from "../../lib/dom.js";
import { t, translated } from "../../lib/i18n.js";
import { formSheet } from "../../elements/sheet.js";
import { button, field, toggle } from "../../elements/ui.js";

/** Providers that have no keys. */
const KEYLESS = new Set(["openlibrary"]);

/** @param {any} s the settings @param {(change: any, options?: {redraw: boolean}) => void} change sends a change to the server */
export function providersSection(s, change) {
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.providers")),
    h("p.quiet", null, t("settings.providersText")),
    h(
      "div.rows",
      null,
      s.providers.map((p) =>
        h(
          "div.provider",
          null,
          toggle(
            p.name,
            p.enabled,
            (enabled) => change({ providers: [{ id: p.id, enabled }] }),
            translated(`provider.${p.state}`, p.state),
          ),
          (p.hasKey || !KEYLESS.has(p.id)) && button(p.hasKey ? t("settings.keyChange") : t("settings.keyAdd"), {
            kind: "link left",
            onclick: () => askForKey(p, change),
          }, "key"),
        )
      ),
    ),
  );
}

async function askForKey(provider, change) {
  const input = h("input.input", {
    type: "password",
    autocomplete: "off",
    autofocus: true,
    placeholder: provider.hasKey ? "••••••••" : "",
  });
  const answer = await formSheet(
    t("settings.keyOf", { name: provider.name }),
    [field(t("settings.key"), input, t("settings.keyText"))],
    () => ({ key: input.value.trim() || null }),
    {
      also: (close) =>
        provider.hasKey && button(t("settings.keyRemove"), { kind: "danger", onclick: () => close({ key: null }) }),
    },
  );
  if (answer) change({ providers: [{ id: provider.id, key: answer.key }] }, { redraw: true });
}
