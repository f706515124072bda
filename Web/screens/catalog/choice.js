// The choice of languages, and the sizes before a download starts.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { bytes, day, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { allLanguages, COMMON, firstChoice, languageName } from "../../lib/languages.js";
import { redraw } from "../../lib/redraw.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, field, segmented, select, toggle } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { fact, kept } from "./contents.js";
import { duration } from "./progress.js";

/** Bytes a second of a usual connection (50 Mbit/s), for the estimate. */
const SPEED = 50e6 / 8;

/** @param {any} catalog @param {(choice: {languages: string[], isbn: boolean}) => any} start */
export function choiceForm(catalog, start) {
  const from = catalog.downloaded;
  const chosen = new Set(from?.languages.length ? from.languages : firstChoice());
  const offered = [...new Set([...COMMON, ...chosen])];
  let all = Boolean(from) && !from.languages.length, isbn = from?.isbn ?? false;
  const list = h("div.rows");
  const draw = () =>
    redraw(
      list,
      offered.map((code) =>
        toggle(languageName(code), chosen.has(code), (on) => on ? chosen.add(code) : chosen.delete(code))
      ),
      field(
        t("catalog.moreLanguages"),
        select(
          [["", t("catalog.chooseLanguage")], ...allLanguages().filter(([code]) => !offered.includes(code))],
          "",
          (code) => {
            offered.push(code);
            chosen.add(code);
            draw();
            list.querySelectorAll("input")[offered.length - 1]?.focus();
          },
        ),
      ),
    );
  draw();
  list.hidden = all;
  const form = [
    segmented(
      t("catalog.languages"),
      [["some", t("catalog.some")], ["all", t("catalog.all")]],
      all ? "all" : "some",
      (which) => {
        all = which === "all";
        list.hidden = all;
      },
    ),
    list,
    h("div.rows", null, toggle(t("catalog.onlyIsbn"), isbn, (on) => (isbn = on), t("catalog.onlyIsbnText"))),
    h("p.caption", null, t("catalog.unknownLanguage")),
    h(
      "div.catalog-actions",
      null,
      button(t("catalog.download"), {
        kind: from ? "" : "main",
        onclick: () => {
          if (!all && !chosen.size) return undoBar(t("catalog.chooseOne"));
          ask({ languages: all ? [] : [...chosen], isbn }, start);
        },
      }, "download"),
    ),
  ];
  if (from) return h("details.section", null, h("summary", null, t("catalog.other")), h("div.stack", null, form));
  return h(
    "section.section.stack",
    null,
    h("h2", null, t("catalog.get")),
    h("p.quiet", null, t("catalog.getText")),
    form,
  );
}

/** Shows the sizes, and starts the download if the owner agrees. */
async function ask(choice, start) {
  const agreed = await sheet(t("catalog.ask"), (close) => {
    const place = h("div.stack");
    const load = async () => {
      replace(place, h("p.quiet", { role: "status" }, t("catalog.asking")));
      try {
        replace(place, estimateView(await api.downloadEstimate(choice), choice, close));
      } catch (error) {
        replace(place, errorNote(error, load));
      }
    };
    load();
    return place;
  });
  if (agreed) start(choice);
}

function estimateView(e, choice, close) {
  const refused = !e.fits && !e.atMost;
  const note = refused ? "catalog.noRoom" : !e.fits ? "catalog.littleRoom" : e.resumed ? "catalog.resumes" : "";
  return [
    h(
      "div.rows",
      null,
      fact(t("catalog.source"), e.dumps ? t("catalog.dumps", { day: day(e.dumps) }) : "Open Library"),
      fact(t("catalog.languages"), kept(choice)),
      fact(t("catalog.toDownload"), e.bytes ? bytes(e.bytes) : t("catalog.unknownSize")),
      e.diskBytes &&
        fact(t("catalog.disk"), t(e.atMost ? "catalog.atMost" : "catalog.about", { size: bytes(e.diskBytes) })),
      fact(t("catalog.free"), bytes(e.freeBytes)),
      e.bytes && fact(t("catalog.time"), t("catalog.timeText", { time: duration(e.bytes / SPEED) })),
    ),
    e.current ? h("p", null, t("catalog.current")) : note && h(
      "div.note",
      { class: e.fits ? "" : "bad", role: e.fits ? "status" : "alert" },
      icon("info"),
      h("p", null, t(note)),
    ),
    h(
      "div.actions",
      null,
      button(t(e.current || refused ? "common.close" : "common.cancel"), { onclick: () => close() }),
      !e.current && !refused && button(t("catalog.download"), { kind: "main", onclick: () => close(true) }, "download"),
    ),
  ];
}
