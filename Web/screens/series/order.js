// The order of the books and gaps of a series.

/**
 * Returns the books in the order of their numbers, with a number for each missing volume between them; books without a
 * number are last.
 *
 * @param {{books: any[], missing: number[]}} series its books in order, as the server sends them
 * @returns {Array<{book?: any, number?: number}>}
 */
export function inOrder({ books, missing }) {
  const first = (book) => book.seriesNumber ? parseFloat(book.seriesNumber) : Infinity;
  const all = [
    ...books.map((book) => ({ book, at: first(book) })),
    ...missing.map((number) => ({ number, at: number })),
  ];
  return all.sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0).map(({ at: _, ...one }) => one);
}
