// Shown instead of the viewfinder: the request for the camera, or why there is none and what to do.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { button } from "../../elements/ui.js";
import { isDesktop } from "./phone.js";

export function primer({ allow, choose, phone }) {
  return h(
    "div.primer",
    null,
    icon("scan"),
    h("h2", null, t("scan.primer.title")),
    h("p", null, t("scan.primer.text")),
    button(t("scan.primer.allow"), {
      kind: "main",
      onclick: () => {
        askForLevel();
        allow();
      },
    }),
    button(t("scan.choose"), { kind: "link", onclick: choose }, "photo"),
    isDesktop() && dropHint(phone),
  );
}

/** On a computer, photos are dropped, and the camera is the phone. */
const dropHint = (phone) =>
  h(
    "div.drop.drop-photos",
    null,
    icon("down"),
    h("p", null, t("scan.drop")),
    button(t("scan.phone"), { kind: "link", onclick: phone }, "phone"),
  );

export function noCamera(why, { takePhoto, choose, phone }) {
  return h(
    "div.primer",
    null,
    icon("scan"),
    h("h2", null, t(`scan.no.${why}.title`)),
    h("p", null, t(`scan.no.${why}.text`)),
    !isDesktop() && button(t("scan.native"), { kind: "main", onclick: takePhoto }, "scan"),
    button(t("scan.choose"), { kind: isDesktop() ? "main" : "link", onclick: choose }, "photo"),
    isDesktop() && dropHint(phone),
    why !== "missing" && why !== "none" &&
      button(t(`scan.no.${why}.how`), { kind: "link", onclick: () => howTo(why) }, "info"),
  );
}

function howTo(why) {
  sheet(
    t(`scan.no.${why}.how`),
    () => h("ol.steps", null, t(`scan.no.${why}.steps`).split("\n").map((step) => h("li", null, step))),
  );
}

/** iOS reports the orientation only to pages that ask during a tap. */
function askForLevel() {
  const event = /** @type {any} */ (globalThis.DeviceOrientationEvent);
  event?.requestPermission?.().catch(() => {});
}
