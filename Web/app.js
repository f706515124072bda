// The app's frame: language, theme, navigation, and one screen at a time.
import * as api from "./lib/api/first.js";
import { dropCopy, keepOnlyDataOf, reloadOnSignOut } from "./lib/browser-data.js";
import { h, isWide, replace, runShortcut, wide } from "./lib/dom.js";
import { whenConfirmationNeeded, whenNotStored, whenUnauthorised } from "./lib/http.js";
import { chooseLanguage, number, t } from "./lib/i18n.js";
import { icon } from "./lib/icons.js";
import { books, loadCounts, startLibrary } from "./lib/library.js";
import { rememberedHere } from "./lib/memory.js";
import { redraw } from "./lib/redraw.js";
import { go, match, parse } from "./lib/router.js";
import { libraryCount, online, reviewCount, shelves, user } from "./lib/state.js";
import { enterScreen, noteScroll } from "./lib/scroll.js";
import { later, loadRest } from "./lib/rest.js";

const library = () => import("./screens/library.js");

/** Screens are loaded on first use. */
const ROUTES = {
  "": { to: "/library" },
  library: { tab: "library", load: library },
  "library/:id": { tab: "library", focus: true, load: later(() => import("./screens/work.js")) },
  shelves: { tab: "library", load: later(() => import("./screens/shelves.js")) },
  "shelves/:id": { tab: "library", load: later(() => import("./screens/shelf.js")) },
  "place/:code": { tab: "library", load: later(() => import("./screens/place.js")) },
  series: { tab: "library", load: later(() => import("./screens/series.js")) },
  "series/:id": { tab: "library", load: later(() => import("./screens/series/one.js")) },
  stocktakes: { tab: "library", load: later(() => import("./screens/stocktakes.js")) },
  "stocktakes/:id": { tab: "library", load: later(() => import("./screens/stocktake.js")) },
  stats: { tab: "library", load: later(() => import("./screens/stats.js")) },
  import: { tab: "library", load: later(() => import("./screens/import.js")) },
  add: { tab: "library", load: later(() => import("./screens/add.js")) },
  own: { tab: "library", load: later(() => import("./screens/own.js")) },
  scan: { tab: "scan", immersive: true, load: later(() => import("./screens/scan.js")) },
  scans: { tab: "scan", load: later(() => import("./screens/scans.js")) },
  "scans/:id": { tab: "scan", immersive: true, load: later(() => import("./screens/progress.js")) },
  "results/:id": { tab: "scan", immersive: true, load: later(() => import("./screens/results.js")) },
  review: { tab: "review", load: later(() => import("./screens/review.js")) },
  "review/automatic": { tab: "review", load: later(() => import("./screens/automatic.js")) },
  "review/:id": { tab: "review", focus: true, load: later(() => import("./screens/correct.js")) },
  settings: { tab: "settings", load: later(() => import("./screens/settings.js")) },
  "settings/catalog": { tab: "settings", load: later(() => import("./screens/catalog.js")) },
  "settings/:page": { tab: "settings", load: later(() => import("./screens/settings.js")) },
  "settings/:page/:part": { tab: "settings", load: later(() => import("./screens/settings.js")) },
  search: { tab: "library", load: library },
  welcome: { immersive: true, load: later(() => import("./screens/welcome.js")) },
};

const app = /** @type {any} */ (document.getElementById("app"));
app.classList.add("app");

function frame() {
  const tab = (name, href, count) =>
    h("li", null, h("a", { href: `#${href}`, "data-tab": name }, icon(name), h("span", null, t(`nav.${name}`)), count));
  const reviewBadge = h("span.badge", { hidden: true });
  const books = h("span.count");
  const shelfList = h("ul");
  const nav = h(
    "nav.nav",
    { "aria-label": t("nav.main") },
    h("div.brand", { "aria-hidden": "true" }, icon("library"), "Shelflist"),
    h(
      "ul.tabs",
      null,
      tab("library", "/library", books),
      tab("scan", "/scan"),
      tab("review", "/review", reviewBadge),
      tab("settings", "/settings"),
    ),
    h("div.shelves", { hidden: true }, h("h2", null, t("nav.shelves")), shelfList),
    h("a.search", { href: "#/search", "aria-label": t("nav.search") }, icon("search")),
  );
  reviewCount.watch((n) => {
    navigator.setAppBadge?.(n).catch(() => {}); // only an installed app has one
    reviewBadge.hidden = !n;
    replace(
      reviewBadge,
      h("span", { "aria-hidden": "true" }, n > 99 ? "99+" : n),
      h("span.sr", null, t("nav.reviewCount", { n })),
    );
  });
  libraryCount.watch((n) => replace(books, n === null ? "" : number(n)));
  shelves.watch((list) => {
    shelfList.parentElement.hidden = !list.length;
    redraw(
      shelfList,
      list.filter((shelf) => !shelf.parent).slice(0, 12).map((shelf) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: `#/shelves/${encodeURIComponent(shelf.id)}`, "data-shelf": shelf.id },
            icon("place"),
            h("span.clip.grow", null, shelf.name),
            h("span.count", null, shelf.count === undefined ? "" : number(shelf.count)),
          ),
        )
      ),
      list.length > 0 && h("li", null, h("a.all-shelves", { href: "#/shelves" }, t("shelves.all"))),
    );
  });
  const main = h("main", { id: "main", tabindex: -1 });
  const banners = h("div.app-banners", { role: "status" });
  replace(app, nav, banners, main);
  document.body.append(
    h("div.sr", { id: "live", role: "status", "aria-live": "polite" }),
    h("div.sr", { id: "live-urgent", role: "alert" }),
  );
  const skip = document.getElementById("skip");
  if (skip) {
    skip.textContent = t("nav.skip");
    skip.addEventListener("click", (e) => {
      e.preventDefault();
      focusHead(main);
    });
  }
  return { nav, main, banners };
}

let shell, current, turn = 0;
/** The module of the bar with Undo, once it is loaded: until then nothing was done. @type {any} */ let undo;

const loadPassword = later(() => import("./elements/password.js"));
const loadUndo = later(() => import("./elements/undo.js"));
const importQueue = () => import("./lib/queue.js");
const loadQueue = () => importQueue().then((queue) => queue.load().then(() => queue));

/**
 * Loads a part that no screen waits for: again while the server cannot be reached, so that photos in the queue are sent
 * without reloading the page.
 */
async function untilLoaded(load) {
  for (let wait = 1000;; wait = Math.min(2 * wait, 30_000)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function show() {
  const { parts, query, path } = parse(location.hash);
  const found = match(ROUTES, parts);
  if (!found) return go("/library", { replace: true });
  const { params } = found;
  let { target } = found;
  // On wide screens, a book of the library opens beside the list.
  const beside = found.pattern === "library/:id" && isWide();
  if (beside) target = ROUTES.library;
  if (target.to) return go(target.to, { replace: true });
  if (current?.path === path && current.element.queryChanged?.(query)) return;
  if (current?.tab === target && (beside || current.beside) && current.element.paramsChanged) {
    current = { ...current, path, beside };
    return current.element.paramsChanged(params);
  }
  const mine = ++turn;
  let module;
  try {
    // Only screens about photos wait for the stored photos.
    if (target.tab === "scan") await loadQueue();
    [module] = await Promise.all([target.load(), beside && loadRest()]);
  } catch {
    if (mine === turn) {
      replace(
        shell.main,
        h("div.page", null, h("h1", { tabindex: -1 }, t("error.title")), h("p", null, t("error.screen"))),
      );
    }
    return;
  }
  if (mine !== turn) return;
  const first = !current;
  const element = document.createElement(module.default);
  Object.assign(element, { params, query });
  document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
  app.toggleAttribute("data-immersive", Boolean(target.immersive));
  app.toggleAttribute("data-focus", Boolean(target.focus));
  current = { path, element, tab: target, beside };
  replace(shell.main, element);
  undo?.placeUndo();
  for (const link of shell.nav.querySelectorAll("a")) {
    const isCurrent = link.dataset.tab
      ? link.dataset.tab === target.tab && !(wide() && target.tab === "library" && parts[0] === "shelves" && parts[1])
      : link.dataset.shelf && parts[0] === "shelves" && link.dataset.shelf === parts[1];
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${module.title?.(params) ?? t(`nav.${target.tab ?? "library"}`)} · Shelflist`;
  enterScreen();
  if (first) return;
  focusHead(shell.main);
  keepFocus(shell.main);
}

/** Keeps the focus when a screen is redrawn while it loads. */
function keepFocus(main) {
  const watch = new MutationObserver(() =>
    [document.body, main].includes(/** @type {any} */ (document.activeElement)) && focusHead(main)
  );
  watch.observe(main, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), 5000);
}

/** Moves the focus to the heading of a new screen, for screen readers. */
function focusHead(main) {
  const head = main.querySelector("h1");
  if (main.contains(document.activeElement) && document.activeElement !== main) return;
  if (head && !head.hasAttribute("tabindex")) head.tabIndex = -1;
  (head ?? main).focus({ preventScroll: true });
}

async function start() {
  const words = chooseLanguage();
  whenConfirmationNeeded(() => loadPassword().then((password) => password.askForPassword()));
  whenNotStored(() => loadUndo().then((undo) => undo.undoBar(t("settings.notStored"))));
  whenUnauthorised(async ({ code }) => {
    const isCopyGone = code === "session_ended" && await dropCopy().catch(() => false);
    if (!location.hash.startsWith("#/welcome")) {
      const address = location.hash.slice(1) || "/library";
      go(`/welcome?next=${encodeURIComponent(address)}`, { replace: true });
    }
    // A new page: this one's memory has the library, too.
    if (isCopyGone) location.reload();
  });
  // Loads the first screen's modules and the books while the strings load. `show` reports failures.
  const { target = ROUTES.library } = match(ROUTES, parse(location.hash).parts) ?? {};
  const first = target.to ? ROUTES.library : target;
  first.load().catch(() => {});
  if (first === ROUTES.library) startLibrary();
  await words;
  shell = frame();
  reloadOnSignOut();
  noteScroll();
  addEventListener("hashchange", show);
  addEventListener("keydown", (e) => runShortcut(e, { "/": () => go("/search"), u: () => undo?.undoLast() }));
  addEventListener("online", () => online.set(true));
  addEventListener("offline", () => online.set(false));
  await show();
  const refreshed = refresh();
  if (first === ROUTES.library) await booksOrASecond();
  // For the library's own sheets. Other screens ask again and report a failure.
  loadRest().catch(() => {});
  untilLoaded(() => import("./lib/theme.js")).then((theme) => theme.followSystem());
  untilLoaded(() => import("./lib/press.js")).then((m) => m.keepPresses());
  untilLoaded(loadUndo).then((module) => (undo = module));
  untilLoaded(later(() => import("./elements/banners.js"))).then((banners) => banners.draw(shell.banners));
  // Photos are only sent once it is known who is signed in.
  if (!await refreshed) return;
  await untilLoaded(importQueue);
  (await loadQueue()).start();
  untilLoaded(() => import("./lib/install.js")).then((m) => m.install());
  untilLoaded(() => import("./lib/freshness.js")).then((m) => m.watchForChanges());
}

/** Ends when the library has books to show, or after a second: what else is loaded would slow them down. */
function booksOrASecond() {
  const waiting = new AbortController();
  const shown = new Promise((resolve) => {
    setTimeout(resolve, 1000);
    books.watch((all) => all && setTimeout(resolve), waiting.signal);
  });
  return shown.finally(() => waiting.abort());
}

/** The owner can be created later; until then only this machine is served. */
const skippedSetup = () => rememberedHere("setup-later") === "yes";

/**
 * Asks the server who is signed in, and updates the counts in the navigation. Returns false if this page has data of
 * another member: it is reloaded.
 */
async function refresh() {
  try {
    const who = await api.session();
    if (await keepOnlyDataOf(who.member)) {
      location.reload();
      return false;
    }
    user.set(who.member);
    if (who.setupNeeded && !location.hash.startsWith("#/welcome") && !skippedSetup()) go("/welcome", { replace: true });
  } catch {
    // The server cannot be reached: the stored copy is shown.
  }
  loadCounts();
  return true;
}

start();
