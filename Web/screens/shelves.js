// The places that the user named.
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { loadCounts } from "../lib/library.js";
import { shelves } from "../lib/state.js";
import { newShelf } from "../elements/shelves.js";
import { button, define, empty, round, Screen, topbar } from "../elements/ui.js";

class ShelvesScreen extends Screen {
  build() {
    this.list = h("ul.rows");
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(t("shelves.title"), "/library", round("plus", t("shelf.new"), { class: "bare", onclick: newShelf })),
        this.list,
      ),
    );
    shelves.watch(
      (all) =>
        replace(
          this.list,
          all.length
            ? all.map((s) =>
              h(
                "li",
                null,
                h(
                  "a.kv.shelf-row",
                  { href: `#/shelves/${encodeURIComponent(s.id)}` },
                  icon("place"),
                  h("span.grow", null, s.name),
                  h("span.quiet.nums", null, t("library.count", { n: s.count ?? 0 })),
                  icon("next"),
                ),
              )
            )
            : h(
              "li",
              null,
              empty(t("shelves.empty"), button(t("shelf.new"), { kind: "main", onclick: newShelf }, "plus")),
            ),
        ),
      this.signal,
    );
    loadCounts();
  }
}

export default define("sl-shelves", ShelvesScreen);
export const title = () => t("shelves.title");
