// The copies and spines of a stocktake that wait for a person.
import { decideAudit } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { button, section, withCaption } from "../../elements/ui.js";

/** The number of copies that a screen lists; the report has all. */
export const SHOWN = 200;

/** @param {any} copy */
const bookOf = ({ entryId, title, author, shelf, callNumber, lastPhotoAt }) =>
  h(
    "a.grow.book-link",
    { href: `#/library/${encodeURIComponent(entryId)}` },
    withCaption(
      title,
      [author, callNumber, shelf?.path, lastPhotoAt && t("stocktake.lastPhoto", { day: day(lastPhotoAt) })].filter(
        Boolean,
      )
        .join(" · "),
    ),
  );

/** Copies that were not seen. @param {{items: any[], total: number}} copies @param {false | ((copy: any) => any)} seen */
export const unseenCopies = ({ items, total }, seen) =>
  section(t("stocktake.unseen"), items, (some) =>
    h(
      "ul.rows",
      null,
      some.slice(0, SHOWN).map((copy) =>
        h(
          "li.could-row",
          null,
          bookOf(copy),
          seen && button(t("stocktake.seeIt"), {
            kind: "small",
            "data-key": copy.entryId,
            "aria-label": `${t("stocktake.seeIt")}: ${copy.title}`,
            onclick: () => seen(copy),
          }),
        )
      ),
      total > SHOWN && h("li.quiet", null, t("stocktake.more", { n: total - SHOWN })),
    ), { class: "section" });

/** Copies that were seen on another shelf. @param {any[]} copies @param {(words: string, request: any) => any} act */
export const misplacedCopies = (copies, act) =>
  section(t("stocktake.misplaced"), copies, (all) =>
    h(
      "ul.rows",
      null,
      all.map((copy) => {
        const decide = (action) => () => act(t("common.saved"), decideAudit(copy.seenOn.id, copy.entryId, action));
        return h(
          "li.could-row.wrap",
          null,
          bookOf(copy),
          h("span.caption", null, t("stocktake.seenOn", { shelf: copy.seenOn.path })),
          button(t("stocktake.putBack"), { kind: "small", onclick: decide("putBack") }),
          button(t("stocktake.belongsHere"), { kind: "small", onclick: decide("belongsHere") }),
        );
      }),
    ), { class: "section" });

/** Spines that may be one of the unseen copies. @param {any[]} spines @param {(copy: any, spine: any) => any} choose */
export const unsureSpines = (spines, choose) =>
  section(t("stocktake.spines"), spines.filter((one) => one.candidates.length), (all) =>
    h(
      "ul.rows",
      null,
      all.map((spine) =>
        h(
          "li.stack",
          { "data-spine": spine.detectionId },
          spine.cropUrl && h("img.stocktake-spine", { src: spine.cropUrl, alt: spine.text, loading: "lazy" }),
          h("p.caption", { dir: "auto" }, spine.text),
          h(
            "div.line.wrap",
            null,
            spine.candidates.map((copy) =>
              button(copy.title, {
                kind: "small",
                onclick: () => choose(copy, spine),
              })
            ),
          ),
        )
      ),
    ), { class: "section" });
