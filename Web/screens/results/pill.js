// The pill over the photo: how many of its books are to check; on wide screens the shelf. Another for the next photo.
import { h, wide } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { byTier, unsureOf } from "../../lib/tiers.js";

/** Nothing without books. @param {import("./model.js").ResultsModel} model @param {() => void} onclick */
export function pill(model, onclick) {
  if (!model.all.length) return null;
  const n = unsureOf(byTier(model.open(model.books))).length;
  const isReady = model.waiting.length > 0;
  const words = n ? "results.toCheckShort" : isReady ? "results.allReady" : "results.added";
  const content = wide()
    ? h("span.clip", null, model.place)
    : [icon(n ? "eye" : "ready_tier"), h("span.clip", null, t(words, { n: n || model.books.length }))];
  return h(
    "button.pill.photo-glass",
    { type: "button", class: n ? "" : "done", "data-key": "tiers", "aria-label": t(words, { n }), onclick },
    content,
  );
}

/** "2 of 5", which shows the next photo; nothing for one photo. @param {() => void} onclick */
export function photoPill(model, onclick) {
  const of = model.photos.length, n = model.index + 1;
  return of > 1 && h(
    "button.pill.photo-glass.which-photo",
    { type: "button", "data-key": "other", "aria-label": t("results.otherPhotoName", { n, of }), onclick },
    t("correct.of", { n, of }),
  );
}
