// Devices that asked to scan, allowed or blocked by the owner.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { button, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";

export function devicesSection() {
  const place = h("div");
  fill(place);
  return place;
}

async function fill(place) {
  let all;
  try {
    all = await api.devices();
  } catch {
    return replace(place);
  }
  if (!all.length) return replace(place);
  const act = (work) => work.then(() => fill(place), (e) => undoBar(wordsFor(e)));
  replace(
    place,
    h(
      "section.section",
      null,
      h("h2", null, t("settings.devices")),
      h("p.quiet", null, t("settings.devicesText")),
      h(
        "ul.rows",
        null,
        all.map((d) =>
          h(
            "li.kv.wrap",
            null,
            h(
              "span.grow",
              null,
              d.deviceId,
              h(
                "span.caption",
                { style: { display: "block" } },
                `${t(`device.${d.state}`)} · ${day(d.lastSeen)} · ${d.address}`,
              ),
            ),
            d.state !== "allowed" &&
              button(t("settings.letIn"), {
                kind: "small main",
                onclick: () => act(api.changeDevice(d.id, "allowed", d.etag)),
              }),
            d.state !== "refused" &&
              button(t("settings.refuse"), {
                kind: "small",
                onclick: () => act(api.changeDevice(d.id, "refused", d.etag)),
              }),
          )
        ),
      ),
    ),
  );
}
