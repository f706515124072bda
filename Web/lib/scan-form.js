// The request for a new scan, shared by the page and the service worker.

/** @param {any} scan @param {number} expected number of photos that will be uploaded */
export function scanForm(scan, expected) {
  const form = new FormData();
  form.append("import", scan.import ? "true" : "false");
  form.append("expected", String(expected));
  if (scan.threshold != null) form.append("threshold", String(scan.threshold));
  if (scan.shelfId) form.append("shelf", scan.shelfId);
  return form;
}
