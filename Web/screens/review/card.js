// A book of the queue as a card: decided by swipe or button, or edited in place.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { button, field, round, sureness } from "../../elements/ui.js";
import { spineOrCover } from "../../elements/place.js";
import { candidates } from "./candidates.js";
import { itemTitle, spineOf, unsure } from "./item.js";
import { swipe } from "./swipe.js";

/**
 * @param {any} item
 * @param {string} name of the tier
 * @param {boolean} editing
 * @param {any} actions `activate`, `edit`, `stop`, `save`, `verify`, `reject`, `use`
 */
export function queueCard(item, name, editing, actions) {
  const picture = spineOf(item);
  const sure = item.confidence === null ? "" : sureness(item);
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
          "aria-label": t("review.itemName", {
            title: itemTitle(item),
            author: item.author || t("book.noAuthor"),
            sure,
          }),
        },
        h("div.spine-strip", null, spineOrCover(picture, item, { lie: true, long: 640, short: 80 })),
        editing ? null : h(
          "div.queue-words",
          null,
          h(
            "span.grow",
            null,
            h("span.title", { dir: "auto", class: unsure(item) ? "uncertain" : "" }, itemTitle(item)),
            h(
              "span.quiet.by-line",
              null,
              h("span.clip", null, item.author || t("book.noAuthor")),
              sure && h("span", null, ` · ${sure}`),
            ),
          ),
          icon("next"),
        ),
      ),
      editing ? inlineForm(item, actions) : h(
        "div.queue-actions",
        null,
        round("edit", t("review.editName", { title: itemTitle(item) }), {
          class: "bare",
          onclick: () => actions.edit(item),
        }),
        round("check", t("review.verifyName", { title: itemTitle(item) }), {
          class: "bare yes",
          onclick: () => actions.verify(item),
        }),
      ),
    ),
    !editing && candidates(item, actions.use, 2),
  );
  swipe(card, { right: () => actions.verify(item), left: () => actions.reject(item) });
  return card;
}

function inlineForm(item, actions) {
  const titleInput = h("input.input.serif", {
    name: "title",
    value: item.title ?? "",
    autocomplete: "off",
    required: true,
  });
  const author = h("input.input", { name: "author", value: item.author ?? "", autocomplete: "off" });
  return h(
    "form.inline-edit",
    {
      onsubmit: (e) => {
        e.preventDefault();
        actions.save(item, { title: titleInput.value.trim(), authors: api.authorsFrom(author.value) });
      },
      onkeydown: (e) => e.key === "Escape" && (e.stopPropagation(), actions.stop(item)),
    },
    field(t("book.title"), titleInput),
    field(t("book.author"), author),
    item.text?.length > 0 && h("p.caption", null, `${t("book.weRead")}: ${item.text.map((l) => l.text).join(" · ")}`),
    h(
      "div.line",
      null,
      button(t("common.cancel"), { kind: "small", onclick: () => actions.stop(item) }),
      h("button.btn.small.main.grow", { type: "submit" }, t("common.save")),
    ),
  );
}
