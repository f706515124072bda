// Searches and sorts this browser's copy of the library, also offline.

/** Folds case and accents, and removes punctuation. */
export const fold = (text) =>
  String(text ?? "").normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase().replace(/ß/g, "ss").replace(
    /[^\p{L}\p{N}]+/gu,
    " ",
  ).trim();

/** Returns the day here, such as 2026-11-26. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}

/** Whether a book should be back. A month or a year is over when the next one begins. */
export const overdue = (book) => Boolean(book.loan?.due) && book.loan.due < today().slice(0, book.loan.due.length);

/** Returns the searchable text of a book. */
export const haystack = (book) =>
  ` ${fold([book.title, book.subtitle, ...(book.authors ?? []), book.series].filter(Boolean).join(" "))} ${
    book.isbn ?? ""
  } ${fold(book.barcode ?? "")}`;

/**
 * Returns the matching books, sorted.
 *
 * @param {any[]} books each with `hay`, its haystack
 * @param {{text?: string, shelf?: string | null, inside?: Set<string> | null, reading?: string | null, ownership?: string | null, tag?: string | null, series?: string | null,
 *   overdue?: boolean, noCover?: boolean, needsReview?: boolean, sort?: string}} wish `inside`: the shelf and those inside it
 * @param {string} [locale]
 */
export function find(books, wish, locale = "en") {
  const words = fold(wish.text ?? "").split(" ").filter(Boolean);
  const digits = (wish.text ?? "").replace(/[\s-]/g, "");
  const isbn = /^[\dxX]{4,13}$/.test(digits) ? digits.toUpperCase() : null;
  const fits = (b) => {
    if (wish.shelf && !(wish.inside?.has(b.shelfId) ?? b.shelfId === wish.shelf)) return false;
    if (wish.reading && b.readingStatus !== wish.reading) return false;
    if (wish.ownership && b.ownership !== wish.ownership) return false;
    if (wish.series && seriesKey(b.series) !== seriesKey(wish.series)) return false;
    if (wish.tag && !b.tags?.includes(wish.tag)) return false;
    if (wish.overdue && !overdue(b)) return false;
    if (wish.noCover && b.coverUrl) return false;
    if (wish.needsReview && b.reviewStatus !== "needsReview") return false;
    if (isbn && String(b.isbn ?? "").includes(isbn)) return true;
    for (const word of words) if (!b.hay.includes(" " + word)) return false;
    return true;
  };
  return sorted(books.filter(fits), wish.sort ?? "author", locale);
}

/** Returns the name to sort an author by: the family name with capitalised particles (“Le Guin”, “De La Mare”). */
export const sortName = (author) => {
  const parts = String(author ?? "").trim().split(/\s+/);
  const suffix = parts.length > 2 && /^(jr|sr|ii|iii|iv)\.?$/i.test(parts.at(-1) ?? "") ? parts.pop() : "";
  const large = parts.findIndex((part, i) => i > 0 && i < parts.length - 1 && LARGE.test(part));
  const family = parts.splice(large > 0 ? large : parts.length - 1);
  return [...family, ...parts, suffix].filter(Boolean).join(" ");
};
const LARGE = /^(De|Del|Della|Dei|Di|Da|Das|Do|Dos|Du|Des|La|Le|Las|Los|Van|Von|Der|Den|Ter|Ten)$/;

/** Returns a title without its leading article. */
export const sortTitle = (title) =>
  String(title ?? "").replace(/^(the|an?|der|die|das|le|la|les|el|los|il)\s+/i, "").replace(/^l['’]/i, "");

/** Returns what the names of one series have in common. */
export const seriesKey = (name) => fold(sortTitle(name));

function sorted(books, by, locale) {
  const collator = new Intl.Collator(locale, { sensitivity: "base", numeric: true });
  const keyed = books.map((book) => ({
    book,
    key: by === "title" ? sortTitle(book.title) : sortName(book.authors?.[0]),
    title: sortTitle(book.title),
  }));
  const order = {
    author: (a, b) =>
      Number(!a.book.authors?.[0]) - Number(!b.book.authors?.[0]) || collator.compare(a.key, b.key) ||
      collator.compare(a.title, b.title),
    title: (a, b) => collator.compare(a.key, b.key),
    added: (a, b) =>
      String(b.book.addedAt ?? "").localeCompare(String(a.book.addedAt ?? "")) || collator.compare(a.title, b.title),
    year: (a, b) => (b.book.year ?? 0) - (a.book.year ?? 0) || collator.compare(a.title, b.title),
    rating: (a, b) => (b.book.rating ?? -1) - (a.book.rating ?? -1) || collator.compare(a.title, b.title),
  }[by] ?? (() => 0);
  return keyed.sort(order).map((k) => k.book);
}

/**
 * Returns the texts that have half of the sequences of three letters of each word of a search, as the server does, best
 * first, and of equally good ones the first. Of a copy, the first is returned.
 *
 * @param {any[]} all latest first, each with `text`
 * @param {string} text
 * @param {number} limit
 */
export function findTexts(all, text, limit) {
  const words = fold(text).split(" ").filter((word) => word.length >= 3).map(sequences);
  if (!words.length) return [];
  const found = [];
  for (const one of all) {
    let score = 0;
    for (const word of words) {
      const share = word.filter((part) => one.text.includes(part)).length / word.length;
      score = share < 0.5 ? -Infinity : score + share;
    }
    if (score > 0) found.push({ one, score });
  }
  const copies = new Set();
  return found.sort((a, b) => b.score - a.score).map(({ one }) => one).filter(({ entryId }) => {
    if (!entryId) return true;
    return !copies.has(entryId) && copies.add(entryId);
  }).slice(0, limit);
}

function sequences(word) {
  const letters = [...word], parts = new Set();
  for (let i = 0; i + 3 <= letters.length; i++) parts.add(letters.slice(i, i + 3).join(""));
  return [...parts];
}
