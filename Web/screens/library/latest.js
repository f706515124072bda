// The latest shelf, with the spines of its photo on a board.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { quadOf, shelfOrder, spineSize } from "../../lib/geometry.js";
import { day, t } from "../../lib/i18n.js";
import { spine } from "../../elements/spine.js";

/** Returns the board, or nothing if no photo is stored. @param {any[]} all @returns {Promise<any[]>} */
export async function latestShelf(all) {
  // Books that were typed in or came from a list have no spine.
  const seen = all.filter((b) => b.cropUrl);
  const newest = seen.reduce((a, b) => !a || String(b.addedAt) > String(a.addedAt) ? b : a, null);
  if (!newest) return [];
  const { position } = await api.book(newest.id);
  if (!position) return [];
  const photo = await api.photo(position.photoId);
  const known = new Map(all.map((b) => [String(b.id), b]));
  const found = photo.detections.filter((d) => known.has(String(d.entryId)));
  const standing = shelfOrder(found).slice(0, 40);
  if (!standing.length) return [];
  const isToday = (book) => new Date(book.addedAt).toDateString() === new Date().toDateString();
  const today = new Set(found.map((d) => String(d.entryId)).filter((id) => isToday(known.get(id)))).size;
  const name = newest.shelfName || t("library.latest");
  return [
    h(
      "div.section-head",
      null,
      h("h2", null, name),
      h("span.quiet", null, today ? t("library.addedToday", { n: today }) : day(newest.addedAt)),
    ),
    h(
      "div.board",
      { role: "group", "aria-label": name, tabindex: 0 },
      h("div.board-spines", null, spines(standing, photo, (d) => known.get(String(d.entryId)).title)),
    ),
  ];
}

function spines(standing, photo, titleOf) {
  const sizes = standing.map((d) => spineSize(quadOf(d), photo.width, photo.height));
  const tallest = Math.max(...sizes.map((s) => s.long));
  return standing.map((d, i) => {
    const { long, short } = sizes[i], high = Math.max(96, 184 * long / tallest);
    const picture = spine({ source: photo.url, quad: quadOf(d) }, {
      long: high,
      short: Math.max(9, high * short / long),
    });
    const place = h(
      "a",
      { href: `#/library/${encodeURIComponent(d.entryId)}`, "aria-label": titleOf(d), tabindex: -1 },
      picture,
    );
    picture.addEventListener("missing", () => place.remove());
    return place;
  });
}
