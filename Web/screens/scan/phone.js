// Continue on the phone: a QR code of the server's address in this network.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { qrCode } from "../../elements/qr.js";
import { sheet } from "../../elements/sheet.js";
import { loadInto } from "../../elements/ui.js";

/** Whether this is a computer with a mouse, where photos are dropped and the camera is elsewhere. */
export const isDesktop = () => matchMedia("(hover: hover) and (pointer: fine)").matches;

export function continueOnPhone() {
  return sheet(t("scan.phone"), () => loadInto(h("div.stack.phone-code"), api.phone, content));
}

/** In two lines as phones show it, with breaks between bytes only. @param {string} text */
export const fingerprint = (text) =>
  h("code.secret.fingerprint", null, text.split(":").flatMap((byte, at) => at ? [":", h("wbr"), byte] : [byte]));

/** @param {{address: string | null, certificateUrl: string | null, certificateFingerprint: string | null, qrCode: string | null}} phone */
function content({ address, certificateUrl, certificateFingerprint, qrCode: code }) {
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
