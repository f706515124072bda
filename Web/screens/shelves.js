// The shelves, as a tree where some are inside others.
import * as api from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { books, loadCounts, openLibrary } from "../lib/library.js";
import { inside } from "../lib/places.js";
import { redraw } from "../lib/redraw.js";
import { shelves } from "../lib/state.js";
import { cover } from "../elements/cover.js";
import { menu } from "../elements/sheet.js";
import { newShelf } from "../elements/shelves.js";
import { button, define, empty, round, Screen, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";

/** The number of shelves up to which those inside others are shown at first. */
const FEW = 30;
/** Which shelves a person opened or closed in this visit. @type {Map<string, boolean>} */
const opened = new Map();

class ShelvesScreen extends Screen {
  build() {
    this.list = h("ul.rows");
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(
          t("shelves.title"),
          "/library",
          round("plus", t("shelf.new"), { class: "bare", onclick: () => this.#add() }),
        ),
        this.list,
      ),
    );
    const draw = () => this.#draw();
    shelves.watch(draw, this.signal);
    books.watch(draw, this.signal);
    openLibrary(); // with the books on each shelf
  }

  #draw() {
    const all = shelves.get();
    redraw(
      this.list,
      all.length ? this.#rows(all, null) : h(
        "li",
        null,
        empty(t("shelves.empty"), button(t("shelf.new"), { kind: "main", onclick: () => newShelf() }, "plus"), {
          text: t("shelves.emptyText"),
        }),
      ),
    );
  }

  /** The shelves directly inside of one. */
  #rows(all, parent) {
    return all.filter((s) => (s.parent ?? null) === parent).map((s) => {
      const hasMore = all.some((one) => one.parent === s.id), isOpen = opened.get(s.id) ?? all.length <= FEW;
      const toggle = () => {
        opened.set(s.id, !isOpen);
        this.#draw();
      };
      return h(
        "li",
        null,
        h(
          "div.shelf-line",
          null,
          shelfRow(s, all),
          hasMore &&
            round(isOpen ? "up" : "down", t("shelves.inside", { name: s.name }), {
              class: "bare",
              "aria-expanded": String(isOpen),
              onclick: toggle,
            }),
        ),
        hasMore && isOpen && h("ul.rows.shelf-inside", null, this.#rows(all, s.id)),
      );
    });
  }

  #add() {
    const file = h("input", { type: "file", accept: ".csv,.tsv,text/csv", onchange: () => importList(file.files[0]) });
    // A home adds its shelves one by one.
    if (shelves.get().length < 2) return newShelf();
    menu(t("shelf.new"), [
      { label: t("shelf.new"), icon: "plus", run: () => newShelf() },
      { label: t("shelves.import"), icon: "list", run: () => file.click() },
    ]);
  }
}

/** A link to a shelf, with its number of books and some covers. @param {any} shelf @param {any[]} all */
export function shelfRow(shelf, all) {
  const here = inside(all, shelf.id);
  const standing = (books.get() ?? []).filter((b) => here.has(b.shelfId)).slice(0, 4);
  return h(
    "a.kv.shelf-row",
    { href: `#/shelves/${encodeURIComponent(shelf.id)}` },
    icon("place"),
    h(
      "span.grow",
      null,
      h("span.shelf-name", { dir: "auto" }, shelf.name),
      h("span.quiet.nums", null, t("library.count", { n: shelf.count ?? 0 })),
    ),
    h("span.shelf-covers", null, standing.map((book) => cover(book, { size: "xs" }))),
    icon("next"),
  );
}

const importList = (file) =>
  act(({ added, changed }) => t("shelves.imported", { n: added, changed }), api.importShelves(file), {
    changed: loadCounts,
  });

export default define("sl-shelves", ShelvesScreen);
export const title = () => t("shelves.title");
