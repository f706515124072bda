// The menu for view and sort order.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { segmented } from "../../elements/ui.js";
import { wish } from "./wish.js";

/** @param {{reordered: () => void, viewed: () => void}} callbacks */
export function askForOrder({ reordered, viewed }) {
  sheet(
    t("library.sort"),
    (close) =>
      h(
        "div.stack",
        { style: { "--gap": "20px" } },
        segmented(t("library.view"), [["grid", t("library.grid")], ["list", t("library.list")]], wish.view, (v) => {
          wish.view = v;
          viewed();
        }),
        h(
          "div.menu",
          { role: "radiogroup", "aria-label": t("library.sort") },
          ["author", "title", "added", "year", "rating"].map((s) =>
            h(
              "button",
              {
                type: "button",
                role: "radio",
                "aria-checked": String(wish.sort === s),
                onclick: () => {
                  wish.sort = s;
                  reordered();
                  close();
                },
              },
              icon(wish.sort === s ? "check" : "sort"),
              h("span.grow", null, t(`sort.${s}`)),
            )
          ),
        ),
      ),
  );
}
