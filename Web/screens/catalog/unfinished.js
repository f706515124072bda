// A download that was cancelled or has failed: why, what is kept, and what to do.
import { h } from "../../lib/dom.js";
import { bytes, day, t, translated } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { confirm } from "../../elements/sheet.js";
import { button } from "../../elements/ui.js";
import { kept } from "./contents.js";

/** @param {any} download @param {{resume: () => any, cancel: () => any, discard: () => any}} actions */
export function unfinishedView(download, { resume, cancel, discard }) {
  const waits = download.state === "waiting", size = download.unfinishedBytes;
  return h(
    "section.section.stack",
    null,
    h("h2", null, t(download.failure ? "catalog.failed" : "catalog.stopped")),
    download.failure && failureNote(download.failure),
    download.languages && h("p.quiet", null, kept(download)),
    size > 0 && h("p", null, t("catalog.kept", { size: bytes(size) })),
    waits && h("p", null, t("catalog.waits")),
    h(
      "div.line.wrap.catalog-actions",
      null,
      button(t(waits ? "common.tryAgain" : "catalog.resume"), { kind: "main", onclick: resume }, "download"),
      waits && button(t("common.cancel"), { onclick: cancel }),
      !waits &&
        button(t(size > 0 ? "catalog.discard" : "catalog.dismiss"), {
          kind: "link",
          onclick: async () => {
            const sure = !size ||
              await confirm(t("catalog.discardAsk"), t("catalog.discardText"), t("common.delete"), { danger: true });
            if (sure) discard();
          },
        }),
    ),
  );
}

function failureNote(failure) {
  const words = `catalog.reason.${failure.reason}`;
  return h(
    "div.note.bad",
    { role: "alert" },
    icon("info"),
    h(
      "div.stack.grow",
      null,
      h("p", null, translated(words, t("catalog.reason.other"))),
      h(
        "details",
        null,
        h("summary", null, t("catalog.details", { day: day(failure.time) })),
        h("p.caption", null, failure.detail),
      ),
    ),
  );
}
