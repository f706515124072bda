// How a new scan is asked for: the same from the page and from the service worker.

/** @param {any} scan @param {number} expected how many photos will come */
export function scanForm(scan, expected) {
  const form = new FormData();
  form.append("import", scan.import ? "true" : "false");
  form.append("expected", String(expected));
  if (scan.threshold != null) form.append("threshold", String(scan.threshold));
  if (scan.shelfId) form.append("shelf", scan.shelfId);
  return form;
}
