// Helpers for an item of the queue.
import { directionOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { tierOfItem } from "../../lib/review.js";
import { findMatch } from "../../elements/match.js";

/** Returns the picture of an item's spine, or null if neither photo nor picture of the shelf is stored. */
export const spineOf = (item) => item.cropUrl ? { source: item.cropUrl, direction: directionOf(item.text) } : null;

export const itemTitle = (item) =>
  !item.title ? t("book.unread") : unsure(item) ? t("book.quoted", { title: item.title }) : item.title;
export const unsure = (item) => tierOfItem(item) === "needsReview" && !item.author;

/** Lets the user search for a match, starting with `query`. @returns {Promise<any>} the record, or undefined */
export const findMatchFor = (item, query) =>
  findMatch({
    query: query.filter(Boolean).join(" ") || (item.text ?? []).map((l) => l.text).join(" "),
    now: item,
    spine: spineOf(item),
    stays: item.shelf ? [item.shelf.name, t("match.staysShort")] : [],
  });
