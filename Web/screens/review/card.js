// A book of the queue as a card: decided by swipe or button, or edited in place.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { authorOf, bookTitle, candidates, textRead, titleOf } from "../../elements/book.js";
import { spineOrCover } from "../../elements/place.js";
import { spineOf } from "../../elements/spine.js";
import { button, round, sureness } from "../../elements/ui.js";
import { itemForm } from "./form.js";
import { swipe } from "./swipe.js";

/**
 * @param {any} item
 * @param {string} name of the tier
 * @param {boolean} editing
 * @param {any} actions `activate`, `edit`, `stop`, `save`, `verify`, `reject`, `use`
 */
export function queueCard(item, name, editing, actions) {
  const title = titleOf(item), sure = sureness(item);
  const card = h(
    "li.queue-card",
    { class: name, "data-item": item.id },
    h(
      "div.queue-row",
      null,
      h(
        "a.queue-main",
        {
          href: `#/review/${encodeURIComponent(item.id)}`,
          onfocus: () => actions.activate(item),
          "aria-label": t("review.itemName", { title, author: authorOf(item), sure }),
        },
        h("div.spine-strip", null, spineOrCover(spineOf(item), item, { lie: true, long: 640 })),
        !editing && h(
          "div.queue-words",
          null,
          h(
            "span.grow.stacked",
            null,
            bookTitle(item),
            h(
              "span.quiet.by-line",
              null,
              h("span.clip", { dir: "auto" }, authorOf(item)),
              sure && h("span", null, ` · ${sure}`),
              item.callNumber && h("span", { title: t("import.field.callNumber") }, ` · ${item.callNumber}`),
            ),
          ),
          icon("next"),
        ),
      ),
      editing ? inlineForm(item, actions) : h(
        "div.queue-actions",
        null,
        round("edit", t("review.editName", { title }), { class: "bare", onclick: () => actions.edit(item) }),
        round("check", t("review.verifyName", { title }), { class: "bare yes", onclick: () => actions.verify(item) }),
      ),
    ),
    !editing && candidates(item, (match) => actions.use(item, match), 2),
  );
  swipe(card, { right: () => actions.verify(item), left: () => actions.reject(item) });
  return card;
}

function inlineForm(item, actions) {
  const form = itemForm(item);
  return h(
    "form.inline-edit",
    {
      onsubmit: (e) => {
        e.preventDefault();
        form.submit((change) => actions.save(item, change));
      },
      onkeydown: (e) => e.key === "Escape" && (e.stopPropagation(), actions.stop(item)),
    },
    form.fields,
    textRead(item),
    form.say,
    h(
      "div.line",
      null,
      button(t("common.cancel"), { kind: "small", onclick: () => actions.stop(item) }),
      h("button.btn.small.main.grow", { type: "submit" }, t("common.save")),
    ),
  );
}
