// Whether phones on this network reach a server that was started for its own machine only.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { continueOnPhone } from "../scan/phone.js";
import { button, loadInto, toggle, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

/** For the owner. Empty where the server's options decide. */
export const networkSection = () => loadInto(h("div"), api.phone, section);

/** @param {{networkOn: boolean | null}} phone @param {() => Promise<void>} reload */
function section({ networkOn }, reload) {
  if (networkOn === null) return null;
  const open = async (on) => {
    await api.openToNetwork(on).catch((error) => undoBar(wordsFor(error)));
    await reload();
  };
  return h(
    "section.section",
    null,
    h("h2", null, t("network.title")),
    h("div.rows", null, toggle(t("network.open"), networkOn, open, t("network.text"))),
    networkOn && button(t("scan.phone"), { kind: "small", onclick: () => continueOnPhone() }, "phone"),
  );
}
