// The stocktakes: those that go on, and those that are closed.
import * as api from "../lib/stocktakes.js";
import { h } from "../lib/dom.js";
import { day, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { button, define, empty, loadInto, round, Screen, topbar } from "../elements/ui.js";
import { newStocktake } from "./stocktake/start.js";

class StocktakesScreen extends Screen {
  build() {
    const start = () => newStocktake();
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(t("stocktake.title"), "/shelves", round("plus", t("stocktake.new"), { class: "bare", onclick: start })),
        loadInto(h("ul.rows"), () => api.stocktakes(), (list) =>
          list.length ? list.map(row) : h(
            "li",
            null,
            empty(t("stocktake.none"), button(t("stocktake.new"), { kind: "main", onclick: start }, "plus"), {
              text: t("stocktake.noneText"),
            }),
          )),
      ),
    );
  }
}

const row = ({ id, name, startedAt, closedAt, counts }) =>
  h(
    "li",
    null,
    h(
      "a.kv.shelf-row",
      { href: `#/stocktakes/${encodeURIComponent(id)}` },
      icon(closedAt ? "check" : "clock"),
      h(
        "span.grow.stacked",
        null,
        h("span", { dir: "auto" }, name),
        h(
          "span.caption.nums",
          null,
          [
            t(closedAt ? "stocktake.closedOn" : "stocktake.since", { day: day(closedAt ?? startedAt) }),
            t("stocktake.progress", { n: counts.seen, of: counts.expected }),
          ].join(" · "),
        ),
      ),
      icon("next"),
    ),
  );

export default define("sl-stocktakes", StocktakesScreen);
export const title = () => t("stocktake.title");
