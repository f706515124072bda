// Photos of a shelf compared with its books, whether the books in them were added or not.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { number, t } from "../../lib/i18n.js";
import { remember } from "../../lib/memory.js";
import { redraw } from "../../lib/redraw.js";
import { go } from "../../lib/router.js";
import { cover } from "../../elements/cover.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, field, link, round } from "../../elements/ui.js";
import { askAboutGap, keepHere } from "./gap.js";

/** Chooses the shelf for the next scan. */
export const scanThis = (shelf) => remember("scan-shelf", shelf.id);

/**
 * Returns the first moment of the day of the latest photo of a shelf, because a bookcase takes several photos.
 *
 * @returns {Promise<Date | null>}
 */
async function latestDay(shelfId) {
  const [job, view] = await Promise.all([
    api.latestScan(shelfId).catch(() => undefined),
    api.shelfSpines(shelfId).catch(() => undefined),
  ]);
  const times = [job?.createdAt, view?.scannedAt].filter(Boolean).map((time) => new Date(time).getTime());
  return times.length ? new Date(new Date(Math.max(...times)).setHours(0, 0, 0, 0)) : null;
}

/** As fields for dates want it, in the time zone of this browser. @param {Date} date */
const written = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0")).join("-");

/** @param {any} shelf @param {() => void} changed runs after a decision on a book */
export const compareShelf = (shelf, changed) =>
  sheet(t("shelf.compare"), (close) => {
    const place = h(
      "div.stack.inventory",
      { style: { "--gap": "20px" } },
      h("p.quiet", { role: "status" }, t("inventory.running")),
    );
    let since = null;
    const load = async () => {
      try {
        since ??= await latestDay(shelf.id);
        if (!since) return redraw(place, howTo(shelf));
        redraw(place, chooseDay(), groups(await api.inventory(shelf.id, { since: since.toISOString() })));
      } catch (error) {
        if (error.code === "not_possible") redraw(place, chooseDay(), h("p", null, t("inventory.noPhotos")));
        else redraw(place, errorNote(error, load));
      }
    };
    const chooseDay = () =>
      field(
        t("inventory.since"),
        h("input.input", {
          type: "date",
          value: written(since),
          max: written(new Date()),
          onchange: (e) => {
            if (!e.target.value) return;
            since = new Date(`${e.target.value}T00:00`);
            load();
          },
        }),
      );
    const after = () => {
      changed();
      if (place.isConnected) load();
    };
    const toResults = (job) => {
      close();
      go(`/results/${encodeURIComponent(job)}`);
    };

    const groups = (found) => {
      const { isFirst, missing, notShown, lent, notAdded, moved, present } = found;
      const nothing = notShown.length ? "inventory.nothingHere" : "inventory.nothing";
      return [
        h("p", null, t(isFirst ? "inventory.first" : missing.length ? "inventory.text" : nothing)),
        group("missing", missing, (e) => [
          words(e),
          round("more", t("gap.askName", { title: e.title }), {
            class: "bare",
            onclick: () => askAboutGap(e, shelf, after),
          }),
        ]),
        group("lent", lent, (e) => [words(e)]),
        group(
          "notAdded",
          notAdded,
          (b) => [
            words({ ...b, title: b.title || t("book.unread") }),
            b.jobId && button(t("inventory.toResults"), { kind: "small", onclick: () => toResults(b.jobId) }),
          ],
        ),
        group("new", found.new, (e) => [words(e)]),
        group(
          "moved",
          moved,
          (e) => [words(e, e.shelfName ? t("inventory.from", { shelf: e.shelfName }) : t("scan.noShelf"))],
          button(t("inventory.keepHere", { n: moved.length }), {
            kind: "small",
            onclick: () => keepHere(moved, shelf, after),
          }),
        ),
        folded("notShown", notShown),
        folded("present", present),
      ];
    };
    load();
    return place;
  }, { class: "tall" });

const howTo = (shelf) => [
  h("p", null, t("shelf.compareHow")),
  h(
    "div.actions",
    null,
    link(t("shelf.photograph"), "#/scan", { kind: "main", onclick: () => scanThis(shelf) }, "scan"),
  ),
];

/** A group of books with its number, or nothing if it is empty. */
const group = (name, list, row, action = null) =>
  list.length > 0 && h(
    "section",
    { "data-key": name },
    h(
      "div.section-head",
      null,
      h("h2", null, t(`inventory.${name}`), " ", h("span.nums.quiet", null, number(list.length))),
      action,
    ),
    h("ul.rows", null, list.map((one) => h("li.could-row", null, row(one)))),
  );

/** A group of books that need no decision. */
const folded = (name, list) =>
  list.length > 0 && h(
    "details",
    { "data-key": name },
    h("summary", null, t(`inventory.${name}`), " ", h("span.nums.quiet", null, number(list.length))),
    h("ul.rows", null, list.map((e) => h("li.could-row", null, words(e)))),
  );

const words = (book, more = "") => [
  cover(book, { size: "xs" }),
  h(
    "span.grow.stacked",
    null,
    h("span.title", { dir: "auto" }, book.title),
    h("span.caption", { dir: "auto" }, [book.author || book.authors?.join(", "), more].filter(Boolean).join(" · ")),
  ),
];
