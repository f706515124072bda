// The books that were not checked, each with its spine, to confirm together.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { button } from "../../elements/ui.js";
import { sheet } from "../../elements/sheet.js";
import { spine } from "../../elements/spine.js";
import { itemTitle, spineOf } from "./item.js";

/**
 * Shows all items and lets the user take out the wrong ones. Books without a title are not chosen at first.
 *
 * @param {any[]} list
 * @returns {Promise<any[]>} the items that are right; none if the sheet was closed
 */
export async function chooseRight(list) {
  const chosen = new Set(list.filter((item) => item.title));
  const right = await sheet(t("review.rightTitle", { n: list.length }), (close) => {
    const yes = button("", { kind: "main", onclick: () => close(list.filter((item) => chosen.has(item))) });
    const count = () => {
      yes.textContent = t("review.rightYes", { n: chosen.size });
      yes.disabled = chosen.size === 0;
    };
    const choose = (item, isRight) => {
      if (isRight) chosen.add(item);
      else chosen.delete(item);
      count();
    };
    count();
    return h(
      "div",
      null,
      h("p.quiet", null, t("review.rightText")),
      h("ul.rows.right-list", null, list.map((item) => h("li", null, row(item, chosen.has(item), choose)))),
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), yes),
    );
  });
  return right ?? [];
}

function row(item, isChosen, choose) {
  const picture = spineOf(item);
  return h(
    "label.right-row",
    null,
    h("input", { type: "checkbox", checked: isChosen, onchange: (e) => choose(item, e.target.checked) }),
    h(
      "span.grow",
      null,
      picture && h("span.spine-strip", null, spine(picture, { lie: true, long: 560, short: 60 })),
      h("span.title.clip", null, itemTitle(item)),
      h("span.quiet.clip", null, item.author || t("book.noAuthor")),
    ),
  );
}
