// The server's settings: fetched once, changed one by one.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { errorNote, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { providersSection } from "./providers.js";
import { readerSection } from "./reader.js";
import { readingSection, thresholdSection } from "./reading.js";

/** The parts with the server's settings, which are filled once loaded; they stay empty for members without access. */
export function serverParts() {
  const parts = { reading: h("div"), providers: h("div"), threshold: h("div"), reader: h("div") };
  let settings;
  const draw = () => {
    redraw(parts.reading, readingSection(settings, change));
    redraw(parts.providers, providersSection(settings, change));
    redraw(parts.threshold, thresholdSection(settings, change));
    redraw(parts.reader, readerSection(settings, change));
  };

  async function load() {
    try {
      settings = await api.settings();
    } catch (error) {
      if (error.status === 403 || error.status === 401) return;
      return replace(
        parts.reading,
        h("section.section", null, h("h2", null, t("settings.reading")), errorNote(error, load)),
      );
    }
    draw();
  }

  async function change(what, { redraw: draws = false } = {}) {
    try {
      settings = await api.changeSettings(what, settings.etag);
      if (draws) draw();
    } catch (error) {
      undoBar(error.status === 409 ? t("settings.conflict") : wordsFor(error));
      await load();
    }
  }

  load();
  return parts;
}
