// The series that books of the library are in, with the number of missing volumes.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { go } from "../lib/router.js";
import { fold } from "../lib/search.js";
import { define, empty, loadInto, Screen, segmented, topbar } from "../elements/ui.js";

/** Whether only series with gaps are shown, in this visit. */
let withGaps = false;

class SeriesScreen extends Screen {
  build() {
    this.list = h("div");
    const choice = segmented(
      t("series.filter"),
      [["all", t("series.all")], ["gaps", t("series.gaps")]],
      withGaps ? "gaps" : "all",
      (value) => {
        withGaps = value === "gaps";
        this.#load();
      },
    );
    this.show(h("div.page.narrow", null, topbar(t("series.title"), "/library"), choice, this.list));
    this.#load();
  }

  #load() {
    // The page of a book names its series.
    const name = this.query.get("name");
    const filter = name ? { q: name } : withGaps ? { gaps: true } : {};
    const load = async () => {
      const list = await api.series(filter);
      const exact = list.find((one) => fold(one.name) === fold(name ?? "")) ?? (list.length === 1 ? list[0] : null);
      if (name && exact) go(`/series/${encodeURIComponent(exact.id)}`, { replace: true });
      return list;
    };
    this.list.replaceChildren(
      loadInto(h("ul.rows"), load, (list) => list.length ? list.map(seriesRow) : nothing()),
    );
  }
}

const nothing = () =>
  h(
    "li",
    null,
    withGaps ? h("p.quiet", null, t("series.noGaps")) : empty(t("series.empty"), null, { text: t("series.emptyText") }),
  );

const seriesRow = (series) =>
  h(
    "li",
    null,
    h(
      "a.kv",
      { href: `#/series/${encodeURIComponent(series.id)}` },
      h(
        "span.grow.stacked",
        null,
        h("span", { dir: "auto" }, series.name),
        h("span.quiet.clip", { dir: "auto" }, series.authors.slice(0, 3).join(", ")),
      ),
      h("span.caption.nums", null, wordsFor(series)),
      icon("next"),
    ),
  );

/** How many books of a series there are, and how many are missing. */
export const wordsFor = (series) =>
  [
    t("series.have", { n: series.owned }),
    series.complete
      ? t("series.complete")
      : series.missing.length > 0 && t("series.missing", { n: series.missing.length }),
  ].filter(Boolean).join(" · ");

export default define("sl-series", SeriesScreen);
export const title = () => t("series.title");
