// A work's editions and history.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { day, t, translated } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { button, loadInto } from "../../elements/ui.js";
import { cover } from "../../elements/cover.js";

/** The editions, with the user's own marked. @param {(id: string) => void} choose */
export function editionsSection(work, entry, choose) {
  const list = work?.editions ?? [];
  if (list.length < 2) return null;
  return h(
    "section.section",
    null,
    h("h2", null, t("work.editions")),
    h(
      "ul.rows",
      null,
      list.map((x) =>
        h(
          "li.could-row",
          null,
          cover({ title: x.title ?? entry.title, author: entry.authors?.[0], coverUrl: x.coverUrl }, {
            size: "xs",
          }),
          h(
            "span.grow.stacked",
            null,
            h("span", null, [x.publisher, x.year].filter(Boolean).join(", ") || t("work.edition")),
            h("span.caption.nums", null, [x.isbn, x.format].filter(Boolean).join(" · ")),
          ),
          x.id === entry.editionId
            ? icon("check", { label: t("work.mine") })
            : button(t("work.mineIs"), { kind: "small", onclick: () => choose(x.id) }),
        )
      ),
    ),
  );
}

export const showHistory = (workId) =>
  sheet(
    t("work.history"),
    () =>
      loadInto(h("ol.rows"), () => api.history(workId), (events) =>
        events.length
          ? events.map((x) =>
            h(
              "li.kv",
              null,
              h("span", null, translated(`history.${x.action}`, x.action)),
              h("span.caption", null, [x.by, day(x.time)].filter(Boolean).join(" · ")),
            )
          )
          : h("li.quiet", null, t("work.noHistory"))),
  );
