// Continue on the phone: a QR code of the server's address in this network.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { errorNote } from "../../elements/ui.js";

/** Whether this is a computer with a mouse, where photos are dropped and the camera is elsewhere. */
export const isDesktop = () => matchMedia("(hover: hover) and (pointer: fine)").matches;

export function continueOnPhone() {
  const place = h("div.stack.phone-code", { "aria-busy": "true" });
  const load = async () => {
    try {
      replace(place, content(await api.phone()));
    } catch (error) {
      replace(place, errorNote(error, load));
    }
    place.removeAttribute("aria-busy");
  };
  load();
  return sheet(t("scan.phone"), () => place);
}

/** In two lines as phones show it, with breaks between bytes only. @param {string} text */
export const fingerprint = (text) =>
  h("code.secret.fingerprint", null, text.split(":").flatMap((byte, at) => at ? [":", h("wbr"), byte] : [byte]));

/** @param {{address: string | null, certificateUrl: string | null, certificateFingerprint: string | null, qrCode: string | null}} phone */
function content({ address, certificateUrl, certificateFingerprint, qrCode }) {
  if (!address) return [h("p", null, t("scan.phoneNone")), h("code.secret", null, "shelflist serve --lan")];
  const picture = qrCode && URL.createObjectURL(new Blob([qrCode], { type: "image/svg+xml" }));
  return [
    h("p.quiet", null, t("scan.phoneText")),
    picture && h("img.qr", {
      src: picture,
      alt: t("scan.phoneCode"),
      onload: () => URL.revokeObjectURL(picture),
    }),
    h("code.secret", null, address),
    certificateUrl && h("p.caption", null, t("scan.phoneTrust", { address: certificateUrl })),
    certificateFingerprint && h("p.caption", null, t("scan.phoneFingerprint")),
    certificateFingerprint && fingerprint(certificateFingerprint),
  ];
}
