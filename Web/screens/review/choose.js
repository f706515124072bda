// The fragments of the queue, each with its spine, to discard together after a look at all.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { titleAndAuthor } from "../../elements/book.js";
import { sheet } from "../../elements/sheet.js";
import { spineOf, spineStrip } from "../../elements/spine.js";
import { button } from "../../elements/ui.js";

/**
 * Shows all fragments and lets the user take some out.
 *
 * @param {any[]} list
 * @returns {Promise<any[]>} the chosen items; none if the sheet was closed
 */
export async function chooseFragments(list) {
  const chosen = new Set(list);
  const answer = await sheet(t("review.scrapsTitle", { n: list.length }), (close) => {
    const yes = button("", { kind: "main", onclick: () => close(list.filter((item) => chosen.has(item))) });
    const count = () => {
      yes.textContent = t("review.scrapsYes", { n: chosen.size });
      yes.disabled = chosen.size === 0;
    };
    const pick = (item, isChosen) => {
      if (isChosen) chosen.add(item);
      else chosen.delete(item);
      count();
    };
    count();
    return h(
      "div",
      null,
      h("p.quiet", null, t("review.scrapsText")),
      h("ul.rows", null, list.map((item) => h("li", null, row(item, chosen.has(item), pick)))),
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), yes),
    );
  });
  return answer ?? [];
}

const row = (item, isChosen, pick) =>
  h(
    "label.scrap-row",
    null,
    spineStrip(spineOf(item)),
    h(
      "span.line",
      null,
      titleAndAuthor(item),
      h("input", { type: "checkbox", checked: isChosen, onchange: (e) => pick(item, e.target.checked) }),
    ),
  );
