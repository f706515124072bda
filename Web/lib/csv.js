// Writes CSV (RFC 4180) that spreadsheets open without running anything.

/** Returns the rows as CSV with a byte order mark, so that Excel reads it as UTF-8. @param {Array<Array<any>>} rows */
export const csv = (rows) => "\ufeff" + rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

/**
 * Spreadsheets run text that begins like a formula, so it gets an apostrophe. One that splits rows at semicolons, tabs
 * or line breaks starts a cell after each of them, quoted or not.
 */
function cell(value) {
  if (typeof value === "number") return String(value);
  const text = String(value ?? "");
  const safe = text.replace(/(^|[;\t\r\n])(?=[' "]*[=+\-@＝＋－＠])/g, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Offers a text as a file. @param {string} name @param {string} text */
export function download(name, text, type = "text/csv") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
