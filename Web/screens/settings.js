// Settings: a list of four pages, and each of these pages. On wide screens, the list stays beside the page.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { go } from "../lib/router.js";
import { keepAtTop } from "../lib/scroll.js";
import { define, Screen, topbar, withCaption } from "../elements/ui.js";
import { PAGES } from "./settings/pages.js";

class SettingsScreen extends Screen {
  build() {
    const { page, part } = this.params;
    if (!page) {
      return this.show(
        h(
          "div.page.narrow.settings",
          null,
          h("div.page-head", null, h("h1", { tabindex: -1 }, t("nav.settings"))),
          pageList(),
        ),
      );
    }
    if (!Object.hasOwn(PAGES, page)) return go("/settings", { replace: true });
    if (part) this.#moveTo(part);
    this.show(
      h(
        "div.page.settings.settings-page",
        null,
        pageList(page),
        h("div", null, topbar(title(this.params), "/settings"), PAGES[page].parts(this.signal)),
      ),
    );
  }

  /** Moves to the part that the address names when it is loaded, and opens what hides it. @param {string} name */
  #moveTo(name) {
    const watch = new MutationObserver(() => {
      const heading = /** @type {any} */ (this.querySelector(`[data-part="${CSS.escape(name)}"] h2`));
      if (!heading) return;
      watch.disconnect();
      heading.closest("details")?.setAttribute("open", "");
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      keepAtTop(heading, this.firstElementChild, this.signal);
    });
    watch.observe(this, { childList: true, subtree: true });
    this.signal.addEventListener("abort", () => watch.disconnect());
  }
}

/** @param {string} [current] the page that is shown */
const pageList = (current) =>
  h(
    "nav.settings-list",
    { "aria-label": t("settings.pages") },
    h(
      "ul.rows",
      null,
      Object.entries(PAGES).map(([name, page]) =>
        h(
          "li",
          null,
          h(
            "a.kv",
            { href: `#/settings/${name}`, "aria-current": name === current && "page" },
            icon(page.icon),
            withCaption(t(`settings.page.${name}`), t(`settings.page.${name}Text`)),
            icon("next"),
          ),
        )
      ),
    ),
  );

export default define("sl-settings", SettingsScreen);

/** @param {{page?: string}} [params] */
export const title = ({ page } = {}) =>
  page && Object.hasOwn(PAGES, page) ? t(`settings.page.${page}`) : t("nav.settings");
