import { BASE, NAMED } from "./lib/base.js";
import { sendWaiting } from "./lib/send.js";

// Opens the app without a network, and uploads queued photos when the network is back. Files are cached by version:
// a new version waits until the user accepts it, so that old and new parts never run together.
// Scripts/web/stamp.py writes the next two constants; lint checks them.
const VERSION = "fe8a342ca1b7";
const FILES = [
  "app.js",
  "css/base.css",
  "css/books.css",
  "css/library.css",
  "css/print.css",
  "css/screens.css",
  "css/shell.css",
  "css/tokens.css",
  "elements/banners.js",
  "elements/barcode.js",
  "elements/book-form.js",
  "elements/book.js",
  "elements/copy.js",
  "elements/cover.js",
  "elements/details-search.js",
  "elements/drawing.js",
  "elements/duplicates.js",
  "elements/label-questions.js",
  "elements/layers.js",
  "elements/match.js",
  "elements/no-match.js",
  "elements/password.js",
  "elements/place.js",
  "elements/qr.js",
  "elements/report.js",
  "elements/sheet.js",
  "elements/shelf-view.js",
  "elements/shelves.js",
  "elements/source-answers.js",
  "elements/spine-cover.js",
  "elements/spine.js",
  "elements/stage.js",
  "elements/ui.js",
  "elements/undo.js",
  "elements/verdict.js",
  "elements/virtual.js",
  "i18n/de.js",
  "i18n/en.js",
  "i18n/first/de.js",
  "i18n/first/en.js",
  "icons/icon-192.png",
  "icons/icon-512.png",
  "icons/icon-maskable-512.png",
  "icons/icon.svg",
  "lib/api.js",
  "lib/api/access.js",
  "lib/api/first.js",
  "lib/api/library.js",
  "lib/api/request.js",
  "lib/api/review.js",
  "lib/api/scans.js",
  "lib/api/server.js",
  "lib/api/shelves.js",
  "lib/asked.js",
  "lib/barcode.js",
  "lib/base.js",
  "lib/browser-data.js",
  "lib/camera.js",
  "lib/colours.js",
  "lib/csv.js",
  "lib/dom.js",
  "lib/export.js",
  "lib/follow.js",
  "lib/freshness.js",
  "lib/gaps.js",
  "lib/geometry.js",
  "lib/haptics.js",
  "lib/http.js",
  "lib/i18n.js",
  "lib/icons.js",
  "lib/install.js",
  "lib/isbn.js",
  "lib/languages.js",
  "lib/library.js",
  "lib/matches.js",
  "lib/memory.js",
  "lib/money.js",
  "lib/openid.js",
  "lib/own.js",
  "lib/photos.js",
  "lib/places.js",
  "lib/press.js",
  "lib/quality.js",
  "lib/queue.js",
  "lib/redraw.js",
  "lib/rest.js",
  "lib/review.js",
  "lib/router.js",
  "lib/scan-events.js",
  "lib/scan-form.js",
  "lib/scans.js",
  "lib/scroll.js",
  "lib/search.js",
  "lib/send.js",
  "lib/sign-out.js",
  "lib/sse.js",
  "lib/state.js",
  "lib/stocktakes.js",
  "lib/store.js",
  "lib/theme.js",
  "lib/tiers.js",
  "lib/tray.js",
  "lib/upload.js",
  "lib/words.js",
  "lib/zxing.js",
  "manifest.webmanifest",
  "screens/add.js",
  "screens/automatic.js",
  "screens/automatic/card.js",
  "screens/automatic/line.js",
  "screens/catalog.js",
  "screens/catalog/choice.js",
  "screens/catalog/contents.js",
  "screens/catalog/progress.js",
  "screens/catalog/unfinished.js",
  "screens/correct.js",
  "screens/correct/box.js",
  "screens/correct/spine.js",
  "screens/correct/window.js",
  "screens/import.js",
  "screens/import/columns.js",
  "screens/import/failed.js",
  "screens/library.js",
  "screens/library/bulk.js",
  "screens/library/cell.js",
  "screens/library/choice.js",
  "screens/library/latest.js",
  "screens/library/order.js",
  "screens/library/spines.js",
  "screens/library/wish.js",
  "screens/own.js",
  "screens/own/asked.js",
  "screens/own/photo.js",
  "screens/place.js",
  "screens/progress.js",
  "screens/results.js",
  "screens/results/card.js",
  "screens/results/decide.js",
  "screens/results/export.js",
  "screens/results/kept.js",
  "screens/results/list.js",
  "screens/results/model.js",
  "screens/results/pill.js",
  "screens/results/poll.js",
  "screens/results/row.js",
  "screens/results/suggest.js",
  "screens/review.js",
  "screens/review/beside.js",
  "screens/review/big.js",
  "screens/review/card.js",
  "screens/review/choose.js",
  "screens/review/decide.js",
  "screens/review/filter.js",
  "screens/review/form.js",
  "screens/review/incomplete.js",
  "screens/review/list.js",
  "screens/review/menu.js",
  "screens/review/order.js",
  "screens/review/others.js",
  "screens/review/position.js",
  "screens/review/right.js",
  "screens/review/swipe.js",
  "screens/scan.js",
  "screens/scan/below.js",
  "screens/scan/hints.js",
  "screens/scan/live.js",
  "screens/scan/phone.js",
  "screens/scan/primer.js",
  "screens/scan/tray.js",
  "screens/scan/viewfinder.js",
  "screens/scans.js",
  "screens/series.js",
  "screens/series/one.js",
  "screens/series/order.js",
  "screens/settings.js",
  "screens/settings/about.js",
  "screens/settings/account.js",
  "screens/settings/apps.js",
  "screens/settings/audit.js",
  "screens/settings/backup.js",
  "screens/settings/catalog.js",
  "screens/settings/look.js",
  "screens/settings/members.js",
  "screens/settings/network.js",
  "screens/settings/pages.js",
  "screens/settings/providers.js",
  "screens/settings/reader.js",
  "screens/settings/reading.js",
  "screens/settings/second-factor.js",
  "screens/settings/server.js",
  "screens/settings/sessions.js",
  "screens/settings/storage.js",
  "screens/settings/tokens.js",
  "screens/shelf.js",
  "screens/shelf/boards.js",
  "screens/shelf/compare.js",
  "screens/shelf/gap.js",
  "screens/shelf/inside.js",
  "screens/shelf/labels.js",
  "screens/shelf/order.js",
  "screens/shelf/photos.js",
  "screens/shelf/sizes.js",
  "screens/shelf/volumes.js",
  "screens/shelves.js",
  "screens/stats.js",
  "screens/stocktake.js",
  "screens/stocktake/copies.js",
  "screens/stocktake/start.js",
  "screens/stocktakes.js",
  "screens/welcome.js",
  "screens/welcome/source.js",
  "screens/work.js",
  "screens/work/about.js",
  "screens/work/ask.js",
  "screens/work/copy.js",
  "screens/work/cover.js",
  "screens/work/edit.js",
  "theme.js",
  "vendor/zxing.wasm",
  "workers/barcode.js",
  "workers/hints.js",
  "workers/resize.js",
];

const CACHE = `${NAMED}-${VERSION}`;
const COVERS = `${NAMED}-covers`;
const COVERS_KEPT = 600;
const DAY = 24 * 3_600_000;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) =>
      cache.addAll(["./", ...FILES].map((file) => new Request(file, { cache: "reload" })))
    ),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(`${NAMED}-`) && name !== CACHE && name !== COVERS) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
});

worker.addEventListener("message", (event) => {
  if (event.data === "now") worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  const path = url.pathname.slice(BASE.length);
  if (/^api\/v1\/(covers\/|detections\/[^/]+\/crop)/.test(path)) return event.respondWith(picture(event));
  if (/^(api|v3|ws)\//.test(path)) return;
  event.respondWith(file(request));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  const page = request.mode === "navigate";
  const known = await cache.match(page ? "./" : request, { ignoreSearch: page });
  return known ?? fetch(request);
}

/** Caches covers and spines for offline use. Those of more than a day ago are asked for again in the background. */
async function picture(event) {
  const { request } = event;
  const cache = await caches.open(COVERS);
  const known = await cache.match(request);
  if (!known) return load(request, cache);
  const age = Date.now() - Date.parse(known.headers.get("date") ?? "");
  if (!(age < DAY)) event.waitUntil(renew(request, cache));
  return known;
}

/** Renews a cached picture, and removes one that the server no longer has or does not show to this member. */
async function renew(request, cache) {
  const answer = await load(request, cache).catch(() => undefined);
  if (answer && [401, 403, 404, 410].includes(answer.status)) await cache.delete(request);
}

async function load(request, cache) {
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - COVERS_KEPT)).map((key) => cache.delete(key)));
  }
  return answer;
}

worker.addEventListener("sync", (event) => {
  if (event.tag === "send-photos") event.waitUntil(sendPhotos());
});

/** An open page uploads photos itself, with progress; without one, the worker does. */
async function sendPhotos() {
  const pages = await worker.clients.matchAll({ type: "window" });
  if (pages.length) return pages.forEach((page) => page.postMessage("send-photos"));
  await sendWaiting();
}
