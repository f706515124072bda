// The records that a spine may be. A tap decides.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { offered } from "../../lib/matches.js";
import { cover } from "../../elements/cover.js";
import { sourceName } from "../../elements/match.js";

/**
 * @param {any} item
 * @param {(item: any, match: any) => void} use
 * @param {number} [most]
 */
export function candidates(item, use, most = 3) {
  const list = offered(item, most);
  if (!list.length) return null;
  return h(
    "div.alternatives",
    null,
    h("h3", null, t("book.couldBe")),
    list.map((match) =>
      h(
        "button.alternative",
        { type: "button", "aria-label": t("correct.useName", { title: match.title }), onclick: () => use(item, match) },
        cover(match, { size: "xs" }),
        h(
          "span.grow",
          null,
          h("span.title", null, match.title, match.subtitle && h("span.quiet", null, `: ${match.subtitle}`)),
          h("span.caption", null, [match.author, sourceName(match.source)].filter(Boolean).join(" · ")),
        ),
        h("span.use", { "aria-hidden": "true" }, t("book.use")),
      )
    ),
  );
}
