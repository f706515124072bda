// Rows that could not be imported, as a file that can be corrected and imported again.
import { csv } from "../../lib/csv.js";

/**
 * Returns a CSV of the failed rows: their line, the reason, and the row as it is in the list.
 *
 * @param {Array<{line: number, reason: string, content?: string | null}>} rows
 * @param {string} text the list; "" for one that a browser cannot decode, whose rows are shortened
 */
export function failedList(rows, text) {
  const lines = text.split(/\r\n|\n|\r/);
  return csv([
    ["Line", "Reason", "Row"],
    ...rows.map((row) => [row.line, row.reason, lines[row.line - 1] || row.content]),
  ]);
}
