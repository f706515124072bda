// The target of the QR code on a label: the shelf with that code.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { go } from "../lib/router.js";
import { define, empty, errorNote, Screen, topbar } from "../elements/ui.js";

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
      else replace(this.body, empty(t("place.unknown", { code: this.params.code })));
    } catch (error) {
      if (!this.signal.aborted) replace(this.body, errorNote(error, () => this.#open()));
    }
  }
}

export default define("sl-place", PlaceScreen);
export const title = () => t("shelves.title");
