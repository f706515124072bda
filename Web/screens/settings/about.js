// The version, and the models that read photos.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { listed, region, t, translated } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";

/** Two parts, which are filled once the server answers. */
export function aboutSections() {
  const parts = { about: h("div"), models: h("div") };
  api.about().catch(() => null).then((about) => {
    replace(parts.about, program(about));
    replace(parts.models, about && models(about));
  });
  return parts;
}

const program = (about) =>
  h(
    "section.section",
    null,
    h("h2", null, t("settings.about")),
    about
      ? h(
        "div.rows",
        null,
        about.installed && h("div.note", { role: "status" }, icon("info"), h("p", null, restartNeeded(about))),
        row("Shelflist", nameOf(about)),
        about.letters && row(t("settings.letters"), letters(about)),
      )
      : h("p.quiet", null, t("error.offline")),
  );

const models = (about) =>
  h(
    "section.section",
    null,
    h("h2", null, t("settings.models")),
    h("div.rows", null, about.models.map(({ name, version }) => row(modelName(name), version))),
  );

const row = (name, value) => h("div.kv", null, h("span.k", null, name), h("span.v.nums", null, value));

/** The letters that are read on spines, such as `Latin, Cyrillic`. @param {{letters: string[]}} about */
function letters({ letters }) {
  const names = new Intl.DisplayNames(region(), { type: "script" });
  return listed(letters.map((code) => (code === "Hani" ? t("letters.Hani") : names.of(code) ?? code)));
}

/** The version, and the commit if it is known. @param {{version: string, commit?: string | null}} build */
const nameOf = ({ version, commit }) => commit ? `${version} (${commit})` : version;

/** Only the owner gets `installed`. A build of the same version is named by its commit. */
function restartNeeded({ version, installed }) {
  return t("settings.restart", { version: installed.version === version ? nameOf(installed) : installed.version });
}

/** @param {string} name of the server, such as `detection` */
const modelName = (name) => translated(`model.${name}`, name);
