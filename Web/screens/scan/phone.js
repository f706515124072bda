// Continue on the phone: a QR code of the server's address in this network.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { user } from "../../lib/state.js";
import { qrCode } from "../../elements/qr.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, link, loadInto } from "../../elements/ui.js";

/** Whether this is a computer with a mouse, where photos are dropped and the camera is elsewhere. */
export const isDesktop = () => matchMedia("(hover: hover) and (pointer: fine)").matches;

export function continueOnPhone() {
  return sheet(t("scan.phone"), () => loadInto(h("div.stack.phone-code"), api.phone, content));
}

/** In two lines as phones show it, with breaks between bytes only. @param {string} text */
export const fingerprint = (text) =>
  h("code.secret.fingerprint", null, text.split(":").flatMap((byte, at) => at ? [":", h("wbr"), byte] : [byte]));

/**
 * @param {{address: string | null, certificateUrl: string | null, certificateFingerprint: string | null, qrCode: string | null, networkOn: boolean | null}} phone
 * @param {() => Promise<void>} reload
 */
function content({ address, certificateUrl, certificateFingerprint, qrCode: code, networkOn }, reload) {
  if (!address && networkOn === false) return closed(reload);
  if (!address) return [h("p", null, t("scan.phoneNone")), h("code.secret", null, "shelflist serve --lan")];
  return [
    h("p.quiet", null, t("scan.phoneText")),
    qrCode(code, t("scan.phoneCode")),
    h("code.secret", null, address),
    certificateUrl && h("p.caption", null, t("scan.phoneTrust", { address: certificateUrl })),
    certificateFingerprint && h("p.caption", null, t("scan.phoneFingerprint")),
    certificateFingerprint && fingerprint(certificateFingerprint),
  ];
}

/** Offers to open the server to this network, which its owner can do once there is one. @param {() => Promise<void>} reload */
function closed(reload) {
  const me = user.get();
  if (!me) {
    return [
      h("p", null, t("network.closed"), " ", t("network.accountFirst")),
      link(t("network.createAccount"), "#/welcome", { kind: "main" }),
    ];
  }
  if (me.role !== "owner") return h("p", null, t("network.closed"), " ", t("network.askOwner"));
  const problem = h("div");
  const open = button(t("network.open"), { kind: "main", onclick: () => openToNetwork() }, "phone");
  const openToNetwork = async () => {
    open.disabled = true;
    try {
      await api.openToNetwork(true);
      await reload();
    } catch (error) {
      replace(problem, errorNote(error));
    }
    open.disabled = false;
  };
  return [
    h("p", null, t("network.closed")),
    h("p.quiet", null, t("network.text"), " ", t("network.later")),
    problem,
    open,
  ];
}
