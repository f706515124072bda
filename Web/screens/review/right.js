// The books that were not checked as a list to type in: each with its whole spine, title and author, decided in one pass.
import { authorsFrom } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { spineOf, spineStrip } from "../../elements/spine.js";
import { button, titleInput } from "../../elements/ui.js";

/** @typedef {{item: any, change?: {title: string, authors: string[]}}} Answer `change`: what was typed, if anything was */

/**
 * Shows all books. Each that is ticked is right as its fields say; books without a title are not ticked at first.
 *
 * @param {any[]} list
 * @returns {Promise<Answer[]>} the books that are right; none if the sheet was closed
 */
export async function askRight(list) {
  const answer = await sheet(t("review.rightTitle", { n: list.length }), (close) => {
    const yes = h("button.btn.main", { type: "submit" });
    const count = () => {
      const n = rows.filter((row) => row.isRight()).length;
      yes.textContent = t("review.rightYes", { n });
      yes.disabled = n === 0;
    };
    const rows = list.map((item, i) => rightRow(item, i + 1, count));
    count();
    return h(
      "form",
      {
        onsubmit: (e) => {
          e.preventDefault();
          close(rows.filter((row) => row.isRight()).map((row) => row.answer()));
        },
        onkeydown: nextField,
      },
      h("p.quiet", null, t("review.rightText")),
      h("ul.rows.right-list", null, rows.map((row) => row.element)),
      h("div.actions", null, button(t("common.cancel"), { onclick: () => close() }), yes),
    );
  }, { class: "full" });
  return answer ?? [];
}

/** Enter leads to the next field of a title: it does not decide on books that were not looked at. */
function nextField(event) {
  if (event.key !== "Enter" || !event.target.matches(".input")) return;
  event.preventDefault();
  const titles = [...event.currentTarget.querySelectorAll("[name=title]")];
  const row = event.target.closest(".right-row").querySelector("[name=title]");
  (titles[titles.indexOf(row) + 1] ?? event.currentTarget.querySelector(".main")).focus();
}

function rightRow(item, n, changed) {
  const words = { title: item.title ?? "", author: item.author ?? item.authors?.join(", ") ?? "" };
  const tick = h("input", {
    type: "checkbox",
    checked: Boolean(item.title),
    "aria-label": t("review.rightName", { n, title: item.title || t("book.unread") }),
    onchange: changed,
  });
  const props = (name, label) => ({
    name,
    value: words[name],
    "aria-label": t("review.rightField", { n, field: t(label) }),
    placeholder: t(label),
    autocomplete: "off",
    maxlength: 1000,
    dir: "auto",
    // What is typed is right.
    oninput: () => {
      tick.checked = Boolean(title.value.trim());
      changed();
    },
  });
  // Enter is the list's: `nextField`.
  const title = titleInput({ ...props("title", "book.title"), onkeydown: null });
  const author = h("input.input", props("author", "book.author"));
  const isTyped = () => title.value.trim() !== words.title || author.value.trim() !== words.author;
  return {
    element: h(
      "li.right-row",
      null,
      spineStrip(spineOf(item)),
      h("div.right-fields", null, h("div.grow.stacked", null, title, author), h("label.right-tick", null, tick)),
    ),
    isRight: () => tick.checked && Boolean(title.value.trim()),
    /** @returns {Answer} */
    answer: () =>
      isTyped() ? { item, change: { title: title.value.trim(), authors: authorsFrom(author.value) } } : { item },
  };
}
