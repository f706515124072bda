// A book of the queue in pictures and words.
import * as api from "../../lib/api.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { tierOfItem } from "../../lib/review.js";
import { findMatch } from "../../elements/match.js";

/** The picture of an item's spine: cut by the server where it can, else out of the photo. */
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

/** Searches for a match of an item, first by `query`. @returns {Promise<any>} the record, or undefined */
export const findMatchFor = (item, query) =>
  findMatch({
    query: query.filter(Boolean).join(" ") || (item.text ?? []).map((l) => l.text).join(" "),
    now: item,
    spine: spineOf(item),
    stays: item.shelf ? [item.shelf.name, t("match.staysShort")] : [],
  });
