// What the library takes on the server and on this device.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { bytes, t } from "../../lib/i18n.js";

export function storageSection() {
  const place = h("div");
  Promise.all([
    api.stats().catch(() => null),
    navigator.storage?.estimate?.().catch(() => null),
  ]).then(([stats, device]) =>
    replace(
      place,
      h(
        "section.section",
        null,
        h("h2", null, t("settings.data")),
        h(
          "div.rows",
          null,
          stats && row("settings.storedServer", total(stats.storageBytes)),
          device && row("settings.storedHere", device.usage ?? 0),
        ),
      ),
    )
  );
  return place;
}

const row = (name, size) => h("div.kv", null, h("span.k", null, t(name)), h("span.v.nums", null, bytes(size)));

const total = ({ photos, covers, database }) => photos + covers + database;
