// Storage, backup and version.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { bytes, t, translated } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { ensureConfirmed } from "../../elements/password.js";
import { link, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

export function aboutSections() {
  const place = h("div");
  Promise.all([
    api.about().catch(() => null),
    api.stats().catch(() => null),
    navigator.storage?.estimate?.().catch(() => null),
  ]).then(([about, stats, device]) => replace(place, data(stats, device), program(about)));
  return place;
}

function data(stats, device) {
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.data")),
    h(
      "div.rows",
      null,
      stats &&
        h(
          "div.kv",
          null,
          h("span.k", null, t("settings.storedServer")),
          h(
            "span.v.nums",
            null,
            bytes(stats.storageBytes.photos + stats.storageBytes.covers + stats.storageBytes.database),
          ),
        ),
      device &&
        h(
          "div.kv",
          null,
          h("span.k", null, t("settings.storedHere")),
          h("span.v.nums", null, bytes(device.usage ?? 0)),
        ),
      h(
        "div.line.wrap.export",
        null,
        link(t("settings.backup"), api.backupAddress, { kind: "small", download: "", onclick: download }, "download"),
        link(t("import.title"), "#/import", { kind: "small" }, "lent"),
      ),
    ),
  );
}

/** Downloads once the password is confirmed. */
async function download(event) {
  const { currentTarget: address } = event;
  if (address.dataset.confirmed) return void delete address.dataset.confirmed;
  event.preventDefault();
  try {
    if (!await ensureConfirmed()) return;
  } catch (error) {
    return undoBar(wordsFor(error));
  }
  address.dataset.confirmed = "yes";
  address.click();
}

function program(about) {
  return h(
    "section.section",
    null,
    h("h2", null, t("settings.about")),
    about
      ? h(
        "div.rows",
        null,
        about.installed && h("div.note", { role: "status" }, icon("info"), h("p", null, restartNeeded(about))),
        h("div.kv", null, h("span.k", null, "Shelflist"), h("span.v.nums", null, nameOf(about))),
        about.models.map((m) =>
          h("div.kv", null, h("span.k", null, modelName(m.name)), h("span.v.nums", null, m.version))
        ),
      )
      : h("p.quiet", null, t("error.offline")),
  );
}

/** The version, and the commit if it is known. @param {{version: string, commit?: string | null}} build */
const nameOf = ({ version, commit }) => commit ? `${version} (${commit})` : version;

/** Only the owner gets `installed`. A build of the same version is named by its commit. */
function restartNeeded({ version, installed }) {
  return t("settings.restart", { version: installed.version === version ? nameOf(installed) : installed.version });
}

/** @param {string} name of the server, such as `detection` */
const modelName = (name) => translated(`model.${name}`, name);
