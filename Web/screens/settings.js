// Settings: appearance, reading, access and storage.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { redraw } from "../lib/redraw.js";
import { user } from "../lib/state.js";
import { define, Screen } from "../elements/ui.js";
import { aboutSections } from "./settings/about.js";
import { accountSection } from "./settings/account.js";
import { appsSection } from "./settings/apps.js";
import { catalogSection } from "./settings/catalog.js";
import { lookSection } from "./settings/look.js";
import { membersSection } from "./settings/members.js";
import { serverSections } from "./settings/server.js";
import { tokensSection } from "./settings/tokens.js";

class SettingsScreen extends Screen {
  build() {
    const people = h("div");
    this.show(
      h(
        "div.page.narrow.settings",
        null,
        h("div.page-head", null, h("h1", { tabindex: -1 }, t("nav.settings"))),
        lookSection(),
        serverSections(),
        catalogSection(),
        people,
        aboutSections(),
      ),
    );
    user.watch((me) => {
      if (!me) return redraw(people);
      redraw(
        people,
        accountSection(me),
        me.role === "owner" && membersSection(),
        me.role !== "viewer" && appsSection(),
        tokensSection(),
      );
    }, this.signal);
  }
}

export default define("sl-settings", SettingsScreen);
export const title = () => t("nav.settings");
