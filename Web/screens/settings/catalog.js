// The catalog in one line, which leads to its screen.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { percent, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";

export function catalogSection() {
  const place = h("div");
  api.catalog().then((catalog) =>
    replace(
      place,
      h(
        "section.section",
        null,
        h("h2", null, t("catalog.title")),
        h("p.quiet", null, t("catalog.sectionText")),
        h(
          "div.rows",
          null,
          h("a.kv", { href: "#/settings/catalog" }, h("span.grow", null, summary(catalog)), icon("next")),
        ),
      ),
    ), () => replace(place));
  return place;
}

/** @param {any} catalog */
function summary({ exists, works, problem, download }) {
  if (download?.state === "running" && download.progress.stage === "downloading") {
    return t("catalog.running", { share: percent(download.progress.fraction) });
  }
  if (["running", "stopping", "elsewhere"].includes(download?.state)) {
    return t(`catalog.state.${download.progress?.stage ?? download.state}`);
  }
  if (download) return t(download.failure ? "catalog.failed" : "catalog.stopped");
  if (problem) return t("error.title");
  return exists ? t("catalog.works", { n: works }) : t("catalog.none");
}
