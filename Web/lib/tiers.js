// Tiers of confidence.

/** By their names in the API. */
export const TIERS = ["needsReview", "verify", "ready", "notChecked"];

/** Whether a person has corrected or confirmed a book. `verified` alone says only that its confidence is high. */
export const isDecided = (book) => Boolean(book.reviewStatus === "userEdited" || book.agreed);

/**
 * Returns the tier of a book; the user's decision outranks all else. Without the server's word it follows from the
 * confidence: needs review < 0.5, verify 0.5 ..< 0.8, ready >= 0.8. Of a book that was not checked, the confidence says
 * only how well it was read.
 */
export function tierOfBook(book) {
  if (isDecided(book)) return "ready";
  // A later server may have other tiers.
  if (book.tier) return TIERS.includes(book.tier) ? book.tier : "needsReview";
  if (book.checked === false) return "notChecked";
  if (!(book.confidence >= 0.5)) return "needsReview";
  return book.confidence >= 0.8 ? "ready" : "verify";
}

/** @returns {Record<string, any[]>} */
export function byTier(books) {
  /** @type {Record<string, any[]>} */
  const groups = Object.fromEntries(TIERS.map((tier) => [tier, []]));
  for (const book of books) groups[tierOfBook(book)].push(book);
  for (const tier of TIERS) groups[tier].sort((a, b) => a.confidence - b.confidence);
  return groups;
}

/**
 * The books that need review, least certain first; by the threshold also books that are ready.
 *
 * @param {Record<string, any[]>} groups
 */
export const unsureOf = ({ needsReview, verify, notChecked, ready }) => [
  ...needsReview,
  ...verify,
  ...notChecked,
  ...ready.filter((book) => book.mark === "review"),
];
