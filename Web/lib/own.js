// Whether the library has a book, from this browser's copy: a shop may be without reception.
import { find } from "./search.js";

const isWish = (book) => book.ownership === "wishlist";

/** Owned copies first, then wishes. @param {any[]} books */
const ownedFirst = (books) => [...books.filter((book) => !isWish(book)), ...books.filter(isWish)];

/**
 * Returns the answer about an ISBN, as the server's `GET /own`; `unsure` for one that no copy has, because the copy does
 * not know which books have it.
 *
 * @param {any[]} books @param {string} isbn an ISBN-13
 */
export function answerAboutIsbn(books, isbn) {
  const copies = ownedFirst(books.filter((book) => book.isbn === isbn));
  return { verdict: copies.length ? verdictOf(copies[0]) : "unsure", copies };
}

/** Returns whether a copy is owned or wished for. */
export const verdictOf = (book) => isWish(book) ? "wished" : "have";

/** Returns the books with all words of a text in title and author, owned ones first. @param {any[]} books */
export const matching = (books, text, locale) => ownedFirst(find(books, { text }, locale));
