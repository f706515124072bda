// The pill over the photo: the books without a decision by tier; on wide screens the shelf.
import { h, wide } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { byTier, TIERS } from "../../lib/tiers.js";

/** @param {import("./model.js").ResultsModel} model @param {() => void} onclick */
export function pill(model, onclick) {
  const groups = byTier(model.open(model.books));
  const shown = TIERS.filter((name) => groups[name].length);
  const tiers = shown.map((name) =>
    h(
      "span",
      { class: `pt ${name}` },
      icon(`${name}_tier`),
      h("b.nums", null, groups[name].length),
      h("span", null, t(`results.short.${name}`)),
    )
  );
  const done = h("span.pt.ready", null, icon("ready_tier"), h("span.clip", null, t("results.added")));
  const place = h("span.clip", null, model.photos.length > 1 ? model.photoName : model.place);
  const count = {
    needsReview: groups.needsReview.length,
    verify: groups.verify.length,
    ready: groups.ready.length,
    notChecked: groups.notChecked.length,
  };
  return h(
    "button.pill.photo-glass",
    {
      type: "button",
      "data-key": "tiers",
      "aria-label": shown.length ? t("results.tiers", count) : t("results.allAdded"),
      onclick,
    },
    wide() ? place : shown.length ? tiers : done,
  );
}
