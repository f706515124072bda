// The target of the QR code on a label: the shelf with that code.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { go } from "../lib/router.js";
import { button, define, empty, errorNote, Screen, topbar } from "../elements/ui.js";

class PlaceScreen extends Screen {
  build() {
    this.body = h("div");
    this.show(h("div.page.narrow", null, topbar(t("shelves.title"), "/shelves"), this.body));
    this.#open();
  }

  async #open() {
    try {
      const shelf = await api.shelfWithCode(this.params.code);
      if (this.signal.aborted) return;
      if (shelf) go(`/shelves/${encodeURIComponent(shelf.id)}`, { replace: true });
      else {
        const make = button(t("place.make"), { kind: "main", onclick: () => this.#make() });
        replace(this.body, empty(t("place.unknown", { code: this.params.code }), make));
      }
    } catch (error) {
      if (!this.signal.aborted) replace(this.body, errorNote(error, () => this.#open()));
    }
  }

  async #make() {
    const { newShelf } = await import("../elements/shelves.js");
    const shelf = await newShelf(null, this.params.code);
    if (shelf) go(`/shelves/${encodeURIComponent(shelf.id)}`, { replace: true });
  }
}

export default define("sl-place", PlaceScreen);
export const title = () => t("shelves.title");
