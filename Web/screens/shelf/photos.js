// The stored photos of a shelf, and one of them with its books.
import { h, replace } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { go } from "../../lib/router.js";
import { sheet } from "../../elements/sheet.js";
import { stage } from "../../elements/stage.js";
import { button } from "../../elements/ui.js";
import { placeIn } from "./order.js";

/**
 * Shows the photos that are stored; those that cannot be loaded disappear.
 *
 * @param {any} place @param {any[]} photos
 * @param {any[][]} boards whose books out of order get arrows
 */
export function drawPhotos(place, photos, boards) {
  const stored = photos.filter((photo) => photo.url);
  const drop = (e) => {
    e.target.closest(".shelf-photo").remove();
    if (!place.querySelector(".shelf-photo")) replace(place);
  };
  redraw(
    place,
    stored.length > 0 && [
      h("div.section-head", null, h("h2", null, t("shelf.photos"))),
      h(
        "div.shelf-photos",
        null,
        stored.map((photo) =>
          h(
            "button.shelf-photo",
            {
              type: "button",
              "aria-label": t("shelf.photoOf", { day: day(photo.takenAt) }),
              onclick: () => showPhoto(photo, boards),
            },
            h("img", { src: photo.url, alt: "", loading: "lazy", onerror: drop }),
            h("span.photo-glass", null, day(photo.takenAt)),
          )
        ),
      ),
    ],
  );
}

function showPhoto(photo, boards) {
  const strays = boards.flatMap((board) =>
    board.filter((one) => one.outOfOrder).map((one) => [one.entry.id, placeIn(photo, board, one)])
  );
  const places = new Map(/** @type {any} */ (strays));
  sheet(t("shelf.photoOf", { day: day(photo.takenAt) }), (close) => {
    const view = stage({ class: "sheet-stage" });
    const list = photo.detections.filter((d) => d.entryId).map((d) => ({
      ...d,
      id: d.detectionId,
      state: "read",
      to: places.get(d.entryId),
    }));
    view.setBooks(list);
    const words = h("p.under-stage", { role: "status" }, t("shelf.tap"));
    const open = (book) =>
      button(t("shelf.open"), {
        kind: "link",
        onclick: () => {
          close();
          go(`/library/${encodeURIComponent(book.entryId)}`);
        },
      });
    view.addEventListener("pick", (e) => {
      const book = list.find((b) => b.id === e.detail.id);
      view.choose(book?.id ?? null);
      redraw(
        words,
        book ? [h("span.title", null, book.title ?? t("book.unread")), open(book)] : t("shelf.tap"),
      );
    });
    view.addEventListener("missing", () => replace(words, t("photo.gone")));
    requestAnimationFrame(() => view.show(photo.url, photo.width, photo.height));
    return h("div", null, view, words);
  }, { class: "dark full" });
}

/**
 * Shows a book on its photo, with an arrow to where it belongs.
 *
 * @param {{photo: any, to: number[]}} found by `photoOfPlace` of order.js
 * @param {any} entry
 * @param {string} words below the photo
 */
export const showPlace = ({ photo, to }, entry, words) =>
  sheet(entry.title, () => {
    const view = stage({ class: "sheet-stage" });
    const detection = photo.detections.find((d) => d.entryId === entry.id);
    view.setBooks([{ ...detection, id: "here", state: "only", to }]);
    const below = h("p.under-stage", { role: "status" }, words);
    view.addEventListener("missing", () => replace(below, words, " ", t("photo.gone")));
    requestAnimationFrame(() => view.show(photo.url, photo.width, photo.height));
    return h("div", null, view, below);
  }, { class: "dark full" });
