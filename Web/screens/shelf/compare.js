// A scan of a shelf compared with its books, whether the scan was added or not.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { remember } from "../../lib/memory.js";
import * as queue from "../../lib/queue.js";
import { go } from "../../lib/router.js";
import { cover } from "../../elements/cover.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, link, round } from "../../elements/ui.js";
import { askAboutGap, keepHere } from "./gap.js";

/** Chooses the shelf for the next scan. */
export const scanThis = (shelf) => remember("scan-shelf", shelf.id);

/** Returns the id of the latest scan of a shelf, of this browser or another one. @returns {Promise<string | undefined>} */
async function scanOf(shelfId) {
  const here = queue.scans.get().find((s) => s.shelfId === shelfId && s.state === "done" && s.job)?.job?.id;
  return (await api.latestScan(shelfId).catch(() => undefined))?.id ?? here;
}

/** @param {any} shelf @param {() => void} changed runs after a decision on a book */
export const compareShelf = (shelf, changed) =>
  sheet(t("shelf.compare"), (close) => {
    const place = h(
      "div.stack.inventory",
      { style: { "--gap": "20px" } },
      h("p.quiet", { role: "status" }, t("inventory.running")),
    );
    const load = async () => {
      try {
        const job = await scanOf(shelf.id);
        if (!job) return replace(place, howTo(shelf));
        const found = await api.inventory(shelf.id, job);
        replace(place, groups(found, job));
      } catch (error) {
        replace(place, errorNote(error, load));
      }
    };
    const after = () => {
      changed();
      if (place.isConnected) load();
    };
    const toResults = (job) => {
      close();
      go(`/results/${encodeURIComponent(job)}`);
    };

    const groups = (found, job) => {
      const { isFirst, missing, lent, notAdded, moved, present } = found;
      return [
        h("p", null, isFirst ? t("inventory.first") : missing.length ? t("inventory.text") : t("inventory.nothing")),
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
          (b) => [words({ ...b, title: b.title || t("book.unread") })],
          button(t("inventory.toResults"), { kind: "small", onclick: () => toResults(job) }),
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
        present.length > 0 && h(
          "details",
          null,
          h("summary", null, t("inventory.present"), " ", h("span.nums.quiet", null, present.length)),
          h("ul.rows", null, present.map((e) => h("li.could-row", null, words(e)))),
        ),
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
    { "data-group": name },
    h(
      "div.section-head",
      null,
      h("h2", null, t(`inventory.${name}`), " ", h("span.nums.quiet", null, list.length)),
      action,
    ),
    h("ul.rows", null, list.map((one) => h("li.could-row", null, row(one)))),
  );

const words = (book, more = "") => [
  cover(book, { size: "xs" }),
  h(
    "span.grow",
    null,
    h("span.title", { dir: "auto" }, book.title),
    h("span.caption", { dir: "auto" }, [book.author || book.authors?.join(", "), more].filter(Boolean).join(" · ")),
  ),
];
