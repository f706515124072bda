// Backups: downloading one, and how one is restored. Lists of books are imported and exported on their own screen.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { copyText } from "../../elements/copy.js";
import { ensureConfirmed } from "../../elements/password.js";
import { sheet } from "../../elements/sheet.js";
import { button, link, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

/** Replaces the library; run while the server is stopped. */
const COMMAND = "shelflist restore BACKUP --data FOLDER --replace";

export const backupSection = () => [
  h(
    "section.section",
    null,
    h("h2", null, t("settings.backups")),
    h("p.quiet", null, t("settings.backupText")),
    h(
      "div.line.wrap.export",
      null,
      link(t("settings.backup"), api.backupAddress, { kind: "small", download: "", onclick: download }, "download"),
      button(t("restore.open"), { kind: "small", onclick: () => showRestore() }, "undo"),
    ),
  ),
  h(
    "section.section",
    null,
    h("h2", null, t("settings.lists")),
    h("p.quiet", null, t("settings.listsText")),
    h("div.line.wrap.export", null, link(t("import.title"), "#/import", { kind: "small" }, "lent")),
  ),
];

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

/** Says how a backup is restored: the server cannot replace the library that it has open. */
const showRestore = () =>
  sheet(t("restore.title"), () =>
    h(
      "div.stack",
      null,
      h("p", null, t("restore.text")),
      h(
        "ol.steps.stack",
        null,
        h("li", null, t("restore.stop")),
        h("li", null, t("restore.run"), h("code.secret", null, COMMAND)),
        h("li", null, t("restore.start")),
      ),
      h("p.caption", null, t("restore.names")),
      h("p.caption", null, t("restore.encrypted"), " ", h("code", null, "--passphrase-file FILE")),
      button(t("common.copy"), {
        kind: "main",
        onclick: () => copyText(COMMAND),
      }),
    ));
