// The books of a scan as a CSV file, in shelf order and as they are on the screen, with corrections.
import { csv, download } from "../../lib/csv.js";
import { tierOfBook } from "../../lib/tiers.js";

const COLUMNS = [
  "Photo",
  "Position",
  "Title",
  "Author",
  "ISBN",
  "Publisher",
  "Year",
  "Confidence",
  "Tier",
  "In library",
  "Text read",
];

/** @param {import("./model.js").ResultsModel} model */
export function downloadResults(model) {
  const day = new Date(model.scan?.created ?? Date.now()).toISOString().slice(0, 10);
  const name = (model.scan?.shelfName ?? "scan").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "scan";
  download(`${name}-${day}.csv`, csv([COLUMNS, ...rows(model.photos)]));
}

/** @param {Array<{books: any[]}>} photos */
const rows = (photos) =>
  photos.flatMap((photo, i) =>
    photo.books.filter((book) => book.mark !== "gone").map((book, n) => [
      i + 1,
      n + 1,
      book.title,
      book.author,
      book.isbn,
      book.publisher,
      book.year,
      book.checked === false ? "" : Number((book.confidence ?? 0).toFixed(2)),
      tierOfBook(book),
      book.mark === "added" ? "yes" : "no",
      (book.text ?? []).map((line) => line.text).join(" / "),
    ])
  );
