// Reading: when books are added, which photos are kept, and the review threshold.
import * as api from "../../lib/api.js";
import { debounce, h, replace } from "../../lib/dom.js";
import { bytes, percent, t } from "../../lib/i18n.js";
import { toggle } from "../../elements/ui.js";

/** @param {any} s the settings @param {(change: any) => void} change sends a change to the server */
export const readingSection = (s, change) =>
  h(
    "section.section",
    null,
    h("h2", null, t("settings.reading")),
    h(
      "div.rows",
      null,
      s.askBeforeAdding !== undefined &&
        toggle(
          t("settings.askBeforeAdding"),
          s.askBeforeAdding,
          (askBeforeAdding) => change({ askBeforeAdding }),
          t("settings.askBeforeAddingText"),
        ),
      toggle(
        t("settings.keepPhotos"),
        s.keepShelfPhotos,
        (keepShelfPhotos) => change({ keepShelfPhotos }),
        t("settings.keepPhotosText"),
      ),
      toggle(
        t("settings.keepPictures"),
        s.keepShelfPictures,
        (keepShelfPictures) => change({ keepShelfPictures }),
        picturesWords(s.shelfPictures),
      ),
    ),
  );

/** @param {any} s the settings @param {(change: any) => void} change sends a change to the server */
export function thresholdSection(s, change) {
  const meaning = h("p.caption", { role: "status" });
  const value = h("output.nums", null, percent(s.threshold));
  const preview = debounce(250, async (threshold) => {
    try {
      const p = await api.thresholdPreview(threshold);
      replace(
        meaning,
        p.reviews
          ? t("settings.thresholdMeans", { n: p.reviews, ask: p.wouldAsk, missed: p.missed })
          : t("settings.thresholdUnknown"),
      );
    } catch {
      replace(meaning);
    }
  });
  preview(s.threshold);
  const save = debounce(500, (threshold) => change({ threshold }));
  return h(
    "section.section",
    null,
    h("h2", null, t("nav.review")),
    h(
      "div.rows",
      null,
      h(
        "div.setting",
        null,
        h("div.line.between", null, h("label", { for: "threshold" }, t("settings.threshold")), value),
        h("input", {
          type: "range",
          id: "threshold",
          min: 0.4,
          max: 0.9,
          step: 0.01,
          value: s.threshold,
          "aria-valuetext": percent(s.threshold),
          oninput: (e) => {
            const v = Number(e.target.value);
            replace(value, percent(v));
            e.target.setAttribute("aria-valuetext", percent(v));
            preview(v);
            save(v);
          },
        }),
        h("p.caption", null, t("settings.thresholdText")),
        meaning,
      ),
    ),
  );
}

/** What a shelf picture costs, and what the stored ones take. */
const picturesWords = ({ pictures, bytes: stored, usualBytes, longSide }) =>
  [
    t("settings.keepPicturesText", { side: longSide, size: bytes(usualBytes) }),
    pictures > 0 && t("settings.keepPicturesStored", { n: pictures, size: bytes(stored) }),
  ].filter(Boolean).join(" ");
