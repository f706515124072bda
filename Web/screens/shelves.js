// The list of shelves.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { books, openLibrary } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { shelves } from "../lib/state.js";
import { cover } from "../elements/cover.js";
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
    const draw = () => this.#draw();
    shelves.watch(draw, this.signal);
    books.watch(draw, this.signal);
    openLibrary(); // with the books on each shelf
  }

  #draw() {
    const all = shelves.get(), standing = books.get() ?? [];
    const small = (book) => cover(book, { size: "xs" });
    redraw(
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
              h(
                "span.grow",
                null,
                h("span.shelf-name", { dir: "auto" }, s.name),
                h("span.quiet.nums", null, t("library.count", { n: s.count ?? 0 })),
              ),
              h("span.shelf-covers", null, standing.filter((b) => b.shelfId === s.id).slice(0, 4).map(small)),
              icon("next"),
            ),
          )
        )
        : h(
          "li",
          null,
          empty(t("shelves.empty"), button(t("shelf.new"), { kind: "main", onclick: newShelf }, "plus"), {
            text: t("shelves.emptyText"),
          }),
        ),
    );
  }
}

export default define("sl-shelves", ShelvesScreen);
export const title = () => t("shelves.title");
