// A book of the queue as a card: decided by swipe or button, or edited in place.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { button, field, round, sureness } from "../../elements/ui.js";
import { spine } from "../../elements/spine.js";
import { itemTitle, spineOf, unsure } from "./item.js";

const DECIDES = 90; // px that a card has to be swiped

/**
 * @param {any} item
 * @param {string} name of the tier
 * @param {boolean} editing
 * @param {any} actions `activate`, `edit`, `stop`, `save`, `verify`, `reject`
 */
export function queueCard(item, name, editing, actions) {
  const picture = spineOf(item);
  const sure = item.confidence === null ? "" : sureness(item);
  const card = h(
    "li.queue-card",
    { class: name, "data-item": item.id },
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
      h("div.spine-strip", null, picture ? spine(picture, { lie: true, long: 640, short: 80 }) : null),
      editing ? null : h(
        "div.queue-words",
        null,
        h(
          "span.grow",
          null,
          h("span.title.clip", { class: unsure(item) ? "uncertain" : "" }, itemTitle(item)),
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
  );
  swipe(card, { right: () => actions.verify(item), left: () => actions.reject(item) });
  return card;
}

/** Right: verify. Left: not a book. */
function swipe(card, { right, left }) {
  let from = null, moved = 0, live = false;
  card.addEventListener("pointerdown", (e) => {
    if (e.pointerType === "mouse" || e.target.closest("input, button")) return;
    from = [e.clientX, e.clientY];
    moved = 0;
    live = false;
  });
  card.addEventListener("pointermove", (e) => {
    if (!from) return;
    const dx = e.clientX - from[0], dy = e.clientY - from[1];
    if (!live && Math.abs(dy) > 12 && Math.abs(dy) > Math.abs(dx)) return void (from = null);
    if (!live && Math.abs(dx) < 14) return;
    if (!live) card.setPointerCapture(e.pointerId);
    live = true;
    moved = dx;
    card.style.setProperty("transform", `translateX(${dx}px)`);
    card.classList.toggle("will-verify", dx > DECIDES);
    card.classList.toggle("will-reject", dx < -DECIDES);
  });
  const end = (e) => {
    if (!from) return;
    from = null;
    card.classList.remove("will-verify", "will-reject");
    card.style.removeProperty("transform");
    if (e.type === "pointercancel" || !live) return;
    if (moved > DECIDES) right();
    else if (moved < -DECIDES) left();
  };
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
  card.addEventListener("click", (e) => live && (e.preventDefault(), e.stopPropagation()), { capture: true });
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
        actions.save(item, { title: titleInput.value.trim(), authors: api.authorsFrom(author.value), confirmed: true });
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
