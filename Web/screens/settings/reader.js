// Who reads photos: this server alone, or a model as a second opinion. Asks before anything is sent.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { formSheet } from "../../elements/sheet.js";
import { button, field, select, toggle } from "../../elements/ui.js";

const MODES = ["local", "assist", "gemini", "openai"];

/**
 * @param {any} s the settings
 * @param {(change: any, options?: {redraw: boolean}) => void} change sends a change to the server
 */
export function readerSection(s, change) {
  // A server of an earlier version reads alone.
  if (!s.readers) return null;
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.reader")),
    h(
      "div.rows",
      null,
      h(
        "div.setting",
        null,
        h("label.label", { for: "reader" }, t("settings.readerWho")),
        select(MODES.map((mode) => [mode, t(`reader.${mode}`)]), s.reader, (mode) => choose(mode, s, change), {
          id: "reader",
          disabled: s.isReaderConfigured,
        }),
        h("p.caption", null, t(`reader.${s.reader}Text`, { name: nameOf(s, s.assistReader) })),
        isBlocked(s) && h("p.caption", { role: "status" }, t("settings.readerBlocked")),
        s.isReaderConfigured && h("p.caption", null, t("settings.readerConfigured")),
      ),
      s.readers.map((p) => providerRow(p, change)),
    ),
  );
}

const isReady = (p) => p.agreed && (p.hasKey || !p.needsKey);

/** The provider that a mode asks. */
const providerOf = (mode, s) => s.readers.find((p) => p.id === (mode === "assist" ? s.assistReader : mode));

/** Whether a model was chosen that is not asked. */
function isBlocked(s) {
  const provider = providerOf(s.reader, s);
  return !!provider && !isReady(provider);
}

const nameOf = (s, id) => s.readers.find((p) => p.id === id)?.name ?? id;

function providerRow(p, change) {
  return h(
    "div.provider",
    null,
    toggle(
      t("settings.readerAllow", { name: p.name }),
      p.agreed,
      (agreed) => agreed ? askFor(p, change, {}) : change({ readers: [{ id: p.id, agreed }] }, { redraw: true }),
      p.needsKey && !p.hasKey ? t("provider.keyNeeded") : `${p.model} · ${p.host}`,
    ),
    button(t("settings.readerEdit"), { kind: "link left", onclick: () => edit(p, change) }, "key"),
  );
}

/** Sets a mode; asks for consent and key first where they are missing. */
function choose(mode, s, change) {
  const provider = providerOf(mode, s);
  if (!provider || isReady(provider)) return change({ reader: mode }, { redraw: true });
  askFor(provider, change, { reader: mode });
}

/** Says what a provider receives, and sends the consent with the key. */
async function askFor(p, change, more) {
  const { inputs, fields } = keyAndModel(p);
  const answer = await formSheet(
    t("settings.readerConsent", { name: p.name }),
    [
      h("p", null, t("settings.consentHost", { name: p.name, host: p.host })),
      h(
        "ul",
        null,
        h("li", null, t("settings.consentAssist")),
        h("li", null, t("settings.consentPhoto", { mode: t(`reader.${p.id}`) })),
      ),
      h("p.quiet", null, t("settings.consentTerms")),
      p.agreed || !p.needsKey || p.hasKey ? null : fields,
    ],
    () => ({ id: p.id, agreed: true, ...typed(inputs, p) }),
    { submit: t("settings.consentAgree") },
  );
  // Also draws the choice as it was, where the user closed the sheet.
  change(answer ? { readers: [answer], ...more } : {}, { redraw: true });
}

async function edit(p, change) {
  const { inputs, fields } = keyAndModel(p);
  const answer = await formSheet(
    t("settings.readerOf", { name: p.name }),
    fields,
    () => ({ id: p.id, ...typed(inputs, p) }),
    {
      also: (close) =>
        p.hasKey &&
        button(t("settings.keyRemove"), { kind: "danger", onclick: () => close({ id: p.id, key: null }) }),
    },
  );
  if (answer) change({ readers: [answer] }, { redraw: true });
}

function keyAndModel(p) {
  const inputs = {
    key: h("input.input", { type: "password", autocomplete: "off", placeholder: p.hasKey ? "••••••••" : "" }),
    model: h("input.input", { autocomplete: "off", value: p.model, maxlength: 100 }),
  };
  const fields = [
    field(t("settings.key"), inputs.key, t("settings.keyText")),
    field(t("settings.readerModel"), inputs.model),
  ];
  return { inputs, fields };
}

/** What the user changed. */
const typed = ({ key, model }, p) => ({
  ...(key.value.trim() && { key: key.value.trim() }),
  ...(model.value.trim() !== p.model && { model: model.value.trim() }),
});
