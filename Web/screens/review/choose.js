// Several items of the queue, each with its spine, to decide together after a look at all.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { titleAndAuthor } from "../../elements/book.js";
import { sheet } from "../../elements/sheet.js";
import { spineOf, spineStrip } from "../../elements/spine.js";
import { button } from "../../elements/ui.js";

/** The books that were not checked, to confirm. Books without a title are not chosen at first. @param {any[]} list */
export const chooseRight = (list) => choose(list, "review.right", list.filter((item) => item.title));

/** The fragments, to discard. @param {any[]} list */
export const chooseFragments = (list) => choose(list, "review.scraps", list);

/**
 * Shows all items and lets the user take some out.
 *
 * @param {any[]} list
 * @param {string} words the beginning of the keys of title, text and button
 * @param {any[]} first the items that are chosen at first
 * @returns {Promise<any[]>} the chosen items; none if the sheet was closed
 */
async function choose(list, words, first) {
  const chosen = new Set(first);
  const answer = await sheet(t(`${words}Title`, { n: list.length }), (close) => {
    const yes = button("", { kind: "main", onclick: () => close(list.filter((item) => chosen.has(item))) });
    const count = () => {
      yes.textContent = t(`${words}Yes`, { n: chosen.size });
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
      h("p.quiet", null, t(`${words}Text`)),
      h("ul.rows.right-list", null, list.map((item) => h("li", null, row(item, chosen.has(item), pick)))),
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), yes),
    );
  });
  return answer ?? [];
}

const row = (item, isChosen, pick) =>
  h(
    "label.right-row",
    null,
    h("input", { type: "checkbox", checked: isChosen, onchange: (e) => pick(item, e.target.checked) }),
    h("span.grow.stacked", null, spineStrip(spineOf(item)), titleAndAuthor(item)),
  );
