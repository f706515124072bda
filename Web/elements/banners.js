// Status above every screen: offline, photos being read, details being looked up, a new version.
import { announce, h } from "../lib/dom.js";
import { day, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { redraw } from "../lib/redraw.js";
import { scans, waitingPhotos } from "../lib/scans.js";
import { accountText } from "../lib/openid.js";
import { remember, remembered } from "../lib/memory.js";
import { enriching, online, updateReady, user } from "../lib/state.js";
import { button } from "./ui.js";

/** Shows the banners and keeps them up to date. @param {HTMLElement} place */
export function draw(place) {
  for (const value of [online, enriching, scans, updateReady, user]) value.watch(() => fill(place));
  addEventListener("hashchange", () => fill(place));
  let was = true;
  online.watch((is) => {
    if (is !== was) announce(t(is ? "offline.back" : "offline.banner", { n: waitingPhotos() }));
    was = is;
  });
}

const LINK_SEEN = "openid-link";
/** How long a session lasts without use: each one that existed when an account was connected says so. */
const LINK_IS_NEW = 30 * 24 * 3600 * 1000;

/** Whether an account was connected to the member lately, and this browser has not said so. @param {string | null} at */
const isNewLink = (at) => Boolean(at && Date.now() - Date.parse(at) < LINK_IS_NEW && remembered(LINK_SEEN) !== at);

function fill(place) {
  const list = [];
  const waiting = waitingPhotos();
  if (!online.get()) {
    list.push(h("div.banner", null, icon("offline"), h("span", null, t("offline.banner", { n: waiting }))));
  }
  const running = scans.get().filter((s) => s.state === "uploading" || s.state === "reading");
  const e = enriching.get();
  if (e && e.total && e.done < e.total) {
    list.push(
      h(
        "div.banner",
        null,
        icon("clock"),
        h("span", null, t("enrich.banner", { done: e.done, n: e.total }), e.outage && ` ${e.outage}`),
      ),
    );
  } else if (running.length && !location.hash.startsWith("#/scans")) {
    const photos = running.reduce((sum, s) => sum + s.photos.length, 0);
    list.push(
      h(
        "div.banner",
        null,
        icon("clock"),
        h("span", null, t("scans.running", { n: photos })),
        h("a.btn.link", { href: "#/scans" }, t("scans.show")),
      ),
    );
  }
  const account = user.get()?.openIdAccount;
  if (account && isNewLink(account.linkedAt)) {
    list.push(
      h(
        "div.banner",
        null,
        icon("key"),
        h("span", null, t("openid.notice", { account: accountText(account), day: day(account.linkedAt) })),
        h("a.btn.link", { href: "#/settings/account" }, t("nav.settings")),
        button(t("common.dismiss"), {
          kind: "link",
          onclick: () => {
            remember(LINK_SEEN, account.linkedAt);
            fill(place);
          },
        }),
      ),
    );
  }
  const fresh = updateReady.get();
  if (fresh) {
    list.push(
      h(
        "div.banner",
        null,
        icon("info"),
        h("span", null, t("update.ready")),
        button(t("update.now"), { kind: "link", onclick: () => fresh.postMessage("now") }),
      ),
    );
  }
  const key = list.map((b) => b.textContent).join("|");
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  redraw(place, list);
}
