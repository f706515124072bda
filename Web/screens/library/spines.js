// Spines on which the searched words were read, though no title or author has them.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { day, ordinal, t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { showOnShelf } from "../../elements/shelf-view.js";

/** Shorter words are not searched. */
const SHORTEST = 3;

/**
 * Lists the spines that a text finds.
 *
 * @param {any} place
 * @param {string} text
 * @param {Set<string>} shown the books that are listed already
 * @param {() => boolean} isCurrent whether the answer is still wanted
 */
export async function drawSpines(place, text, shown, isCurrent) {
  let spines = [];
  if (text.trim().length >= SHORTEST) {
    try {
      spines = (await api.findSpines(text)).filter((one) => !shown.has(one.entryId));
    } catch {
      // Without the server, titles and authors are searched only.
    }
  }
  if (!isCurrent()) return;
  place.hidden = !spines.length;
  if (!spines.length) return replace(place);
  redraw(
    place,
    h("div.section-head", null, h("h2", null, t("library.spines"))),
    h("ul.rows", null, spines.map((one) => h("li", null, row(one)))),
  );
}

function row(one) {
  const name = one.title ?? t("book.unread");
  const beside = [one.left, one.right].filter(Boolean).join(" · ");
  const words = [one.shelf?.path, t("place.left", { nth: ordinal(one.place.place) }), day(one.seenAt)].filter(Boolean);
  return h(
    "button.kv",
    {
      type: "button",
      "data-key": one.position.detectionId,
      onclick: () => showOnShelf(name, one.position.photoId, one.position, one, words.join(", ")),
    },
    h(
      "span.grow",
      null,
      h("b.clip", { dir: "auto" }, name),
      h("span.caption.clip", { dir: "auto" }, one.text),
      h("span.quiet.clip", { dir: "auto" }, words.join(" · ")),
      beside && h("span.caption.clip", { dir: "auto" }, t("library.beside", { names: beside })),
    ),
  );
}
