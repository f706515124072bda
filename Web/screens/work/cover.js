// Replaces a book's cover, and nothing else: by one of a source, a picture file, or a photo.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote } from "../../elements/ui.js";
import { cover } from "../../elements/cover.js";
import { sourceName } from "../../lib/matches.js";
import { noMatches } from "../../elements/no-match.js";

/**
 * Lets the user choose another cover, and stores it.
 *
 * @param {any} book
 * @returns {Promise<any>} the book with its new cover, or undefined
 */
export const changeCover = (book) =>
  sheet(t("work.changeCover"), (close) => {
    const say = h("div"), list = h("div.cover-choices", { role: "list", "aria-label": t("work.covers") });
    const use = async (work) => {
      replace(say);
      try {
        close(await work);
      } catch (error) {
        replace(say, errorNote(error));
      }
    };
    const file = (capture) =>
      h("input", {
        type: "file",
        accept: "image/*",
        capture,
        hidden: true,
        onchange: (e) => e.target.files[0] && use(api.uploadCover(book.id, e.target.files[0])),
      });
    const picture = file(undefined), photo = file("environment");
    const search = async () => {
      replace(list, h("p.quiet", { role: "status" }, t("work.coversSearched")));
      try {
        const found = await api.search([book.title, book.authors?.[0]].filter(Boolean).join(" "), "all");
        const offers = unique(found.filter((r) => r.coverUrl));
        if (!found.length) replace(list, noMatches(found, search));
        else if (!offers.length) replace(list, h("p.quiet", null, t("work.noCovers")));
        else replace(list, offers.map((r) => offer(r, () => use(api.chooseCover(book.id, r.coverUrl)))));
      } catch (error) {
        replace(list, errorNote(error, search));
      }
    };
    search();
    return h(
      "div.stack",
      { style: { "--gap": "16px" } },
      list,
      say,
      h(
        "div.line.wrap",
        null,
        button(t("work.coverFile"), { onclick: () => picture.click() }, "photo"),
        button(t("work.coverPhoto"), { onclick: () => photo.click() }, "scan"),
        book.coverUrl &&
          button(t("work.coverRemove"), { kind: "danger", onclick: () => use(api.removeCover(book.id)) }, "trash"),
      ),
      picture,
      photo,
    );
  }, { class: "tall" });

/** Records without those whose cover is that of an earlier one. */
const unique = (records) => [...new Map(records.map((r) => [r.coverUrl, r])).values()];

const offer = (record, choose) =>
  h(
    "div",
    { role: "listitem" },
    h(
      "button.cover-choice",
      {
        type: "button",
        "aria-label": t("work.useCover", { title: record.title, source: sourceName(record.source) }),
        onclick: choose,
      },
      cover(record),
      h("span.caption", null, [record.year, sourceName(record.source)].filter(Boolean).join(" · ")),
    ),
  );
