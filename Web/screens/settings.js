import { define, Screen } from "../elements/ui.js";
import { h } from "../lib/dom.js";
export default define(
  "sl-settings",
  class extends Screen {
    build() {
      this.show(h("div.page", null, h("h1", { tabindex: -1 }, "settings")));
    }
  },
);
