// The browsers in which the member is signed in.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, loadInto, withCaption } from "../../elements/ui.js";

export const showSessions = () =>
  sheet(t("settings.sessions"), () => {
    const place = h("div.stack");
    return loadInto(place, api.sessions, (all, reload) => {
      const end = (work) => work().then(reload, (error) => place.append(errorNote(error)));
      return [
        h("ul.rows", null, all.map((one) => row(one, end))),
        h("p.caption", null, t("sessions.copies")),
        all.length > 1 &&
        h("div.actions", null, button(t("sessions.endOthers"), { onclick: () => end(api.endOtherSessions) })),
      ];
    });
  });

function row(one, end) {
  const used = one.current ? t("sessions.current") : t("settings.lastUsed", { day: day(one.lastUsedAt) });
  const name = browserName(one.agent);
  return h(
    "li.kv",
    null,
    icon("phone"),
    withCaption(name, [used, one.address].filter(Boolean).join(" · ")),
    !one.current && button(t("settings.signOut"), {
      kind: "small",
      "aria-label": t("sessions.end", { name }),
      onclick: () => end(() => api.endSession(one.id)),
    }),
  );
}

// The first match counts: Edge also calls itself Chrome, and Chrome calls itself Safari.
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
];
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** @param {string | null} agent */
function browserName(agent) {
  const find = (names) => names.find(([part]) => agent?.includes(part))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return t("sessions.browser", { browser, system });
  return browser ?? system ?? t("sessions.unknown");
}
