// The request for a new scan, shared by the page and the service worker.

/** @param {any} scan @param {number} expected number of photos that will be uploaded */
export function scanForm(scan, expected) {
  const form = new FormData();
  // Without it the server follows its setting: sure books are added at once, unless the owner wants to be asked.
  if (scan.import != null) form.append("import", String(scan.import));
  form.append("expected", String(expected));
  if (scan.threshold != null) form.append("threshold", String(scan.threshold));
  if (scan.purpose) form.append("purpose", scan.purpose);
  if (scan.shelfId) form.append("shelf", scan.shelfId);
  return form;
}
