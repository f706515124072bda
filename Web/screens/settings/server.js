// The server's own settings: fetched once, changed one by one.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { trouble, undoBar, wordsFor } from "../../elements/ui.js";
import { providersSection } from "./providers.js";
import { readingSection } from "./reading.js";

/** Reading and providers, once they are known; nothing for those who may not see them. */
export function serverSections() {
  const place = h("div");
  let settings;
  const draw = () => replace(place, readingSection(settings, change), providersSection(settings, change));

  async function load() {
    try {
      settings = await api.settings();
    } catch (error) {
      if (error.status === 403 || error.status === 401) return;
      return replace(place, h("section.section", null, h("h2", null, t("settings.reading")), trouble(error, load)));
    }
    draw();
  }

  async function change(what, { redraw = false } = {}) {
    try {
      settings = await api.changeSettings(what, settings.etag);
      if (redraw) draw();
    } catch (error) {
      undoBar(error.status === 409 ? t("settings.conflict") : wordsFor(error));
      await load();
    }
  }

  load();
  return place;
}
