// Helpers for an item of the queue.
import * as api from "../../lib/api.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { tierOfItem } from "../../lib/review.js";
import { findMatch } from "../../elements/match.js";

/** Returns the picture of an item's spine: the server's crop, else a crop of the photo. */
export function spineOf(item) {
  if (item.cropUrl) return { source: item.cropUrl };
  if (item.photoId && (item.quad || item.boundingBox)) {
    return { source: api.photoImage(item.photoId), quad: quadOf(item) };
  }
  return null;
}

export const itemTitle = (item) =>
  !item.title ? t("book.unread") : unsure(item) ? t("book.quoted", { title: item.title }) : item.title;
export const unsure = (item) => tierOfItem(item) === "review" && !item.author;

/** Lets the user search for a match, starting with `query`. @returns {Promise<any>} the record, or undefined */
export const findMatchFor = (item, query) =>
  findMatch({
    query: query.filter(Boolean).join(" ") || (item.text ?? []).map((l) => l.text).join(" "),
    now: item,
    spine: spineOf(item),
    stays: item.shelf ? [item.shelf.name, t("match.staysShort")] : [],
  });
