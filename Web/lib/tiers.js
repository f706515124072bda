// Tiers of confidence.

export const TIERS = ["review", "verify", "ready"];

/** Returns the tier of a confidence: needs review < 0.5, verify 0.5 ..< 0.8, ready >= 0.8. */
export function tierOf(confidence) {
  if (!(confidence >= 0.5)) return "review";
  return confidence >= 0.8 ? "ready" : "verify";
}

/** Returns the tier of a book; the user's decision outranks the confidence. */
export function tierOfBook(book) {
  if (book.reviewStatus === "userEdited") return "ready";
  return tierOf(book.confidence);
}

/** @returns {Record<string, any[]>} */
export function byTier(books) {
  /** @type {Record<string, any[]>} */
  const groups = { review: [], verify: [], ready: [] };
  for (const book of books) groups[tierOfBook(book)].push(book);
  for (const tier of TIERS) groups[tier].sort((a, b) => a.confidence - b.confidence);
  return groups;
}
