// Applies the events of a job to its scan.
import * as api from "./api.js";
import { debounce } from "./dom.js";
import { vibrate } from "./haptics.js";
import { loadReviewCounts, refreshLibrary } from "./library.js";
import { items, loadReview } from "./review.js";
import { photoStates, plain, save, scans, setPhoto } from "./scans.js";
import { enriching } from "./state.js";

/** The server updates the library right after it sends the event. */
const refreshReview = debounce(1000, () => items.get() ? loadReview() : loadReviewCounts());

const refreshSoon = debounce(300, refreshLibrary);

/** @param {import("./scans.js").Scan} scan @param {{id: number, type: string, data: any}} event */
export function takeEvent(scan, { id, type, data }) {
  const live = scan.live;
  switch (type) {
    case "progress":
      live.stage = data.stage ?? live.stage;
      live.progress = data.progress ?? live.progress;
      live.message = data.message ?? "";
      // Everything is read. Books can be reviewed while their details are looked up.
      if (data.stage === "enriching" && scan.state === "reading") allRead(scan);
      break;
    case "photo":
      photoChanged(scan, data);
      break;
    case "segmented":
      live.photo = data.photo ?? live.photo;
      live.totals[live.photo] = data.totalBooks ?? 0;
      // The first outlines are replaced by those of the detected books.
      live.spines = live.spines.filter((s) => s.photo !== live.photo);
      live.spines.push(...(data.spines ?? []).map((s) => ({ photo: live.photo, ...s })));
      live.current = 0;
      live.total = live.totals[live.photo];
      break;
    case "book_progress":
      live.photo = data.photo ?? live.photo;
      live.current = data.current ?? live.current;
      live.total = data.total ?? live.total;
      break;
    case "result":
      live.books.push({ ...api.scanBook(data.book), photo: data.photo ?? live.photo });
      break;
    case "updated":
      for (const book of data.books ?? []) live.updates.set(book.id, api.scanBook(book));
      for (const id of data.removed ?? []) live.updates.set(id, null);
      refreshReview();
      break;
    case "enriched":
      live.enrichments.set(data.bookId, data);
      live.stage = "enriching";
      if (data.total) enriching.update((e) => ({ ...e, done: data.current, total: data.total }));
      break;
    case "enrichment_degraded":
      enriching.update((e) => ({ done: 0, total: 0, ...e, outage: data.message ?? "" }));
      break;
    case "lookup_progress":
      live.lookups = { current: data.current ?? 0, total: data.total ?? 0 };
      break;
    case "imported":
      refreshSoon();
      break;
    case "error":
      // The error of a single photo is also sent as its `photo` event.
      if (data.photo) break;
      finishPhotos(scan, "error", { code: data.code ?? "", detail: data.message ?? "", status: 0 });
      save(scan, { state: "failed", problem: { code: data.code ?? "", detail: data.message ?? "", status: 0 } });
      enriching.set(null);
      break;
    case "completed":
      live.stage = "completed";
      live.progress = 1;
      enriching.set(null);
      allRead(scan, id);
      break;
    case "canceled":
      enriching.set(null);
      save(scan, { state: "canceled" });
      break;
  }
  scans.tell();
}

/** @param {import("./scans.js").Scan} scan @param {number} [last] the number of the event that completed the job */
function allRead(scan, last) {
  if (scan.state === "reading") vibrate("done");
  finishPhotos(scan, "done");
  save(scan, { state: "done", over: false, last });
}

function photoChanged(scan, data) {
  const id = scan.photos[(data.index ?? 0) - 1];
  if (!id) return;
  if (data.status === "done") setPhoto(id, { state: "done" });
  else if (data.status === "failed") setPhoto(id, { state: "error", problem: plain(data.problem) });
  else if (data.status === "queued" && data.problem) setPhoto(id, { state: "disk", problem: plain(data.problem) });
  else if (data.status === "reading" || data.status === "queued") setPhoto(id, { state: "analysing" });
}

function finishPhotos(scan, state, problem) {
  for (const id of scan.photos) if (photoStates.get().get(id)?.state !== "error") setPhoto(id, { state, problem });
}
