// The pages of the settings. Parts have names, so that a link can lead to one: `#/settings/server/apps`.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { redraw } from "../../lib/redraw.js";
import { user } from "../../lib/state.js";
import { aboutSections } from "./about.js";
import { accountSection } from "./account.js";
import { appsSection } from "./apps.js";
import { backupSection } from "./backup.js";
import { catalogSection } from "./catalog.js";
import { lookSection } from "./look.js";
import { membersSection } from "./members.js";
import { networkSection } from "./network.js";
import { serverParts } from "./server.js";
import { storageSection } from "./storage.js";
import { tokensSection } from "./tokens.js";

/** @type {Record<string, {icon: string, parts: (signal: AbortSignal) => any[]}>} */
export const PAGES = {
  account: {
    icon: "person",
    parts: (signal) => [part("sign-in", forMember(accountSection, signal)), part("look", lookSection())],
  },
  reading: {
    icon: "scan",
    parts: () => {
      const { reading, providers, threshold, reader } = serverParts();
      return [
        part("adding", reading),
        part("providers", providers),
        part("catalog", catalogSection()),
        advanced(part("threshold", threshold), part("reader", reader)),
      ];
    },
  },
  library: {
    icon: "library",
    parts: () => [part("backup", backupSection()), part("storage", storageSection())],
  },
  server: {
    icon: "phone",
    parts: (signal) => {
      const { about, models } = aboutSections();
      return [
        part("members", forMember((me) => me.role === "owner" && membersSection(), signal)),
        part("network", forMember((me) => me.role === "owner" && networkSection(), signal)),
        part("apps", forMember((me) => me.role !== "viewer" && appsSection(), signal)),
        part("about", about),
        advanced(part("tokens", forMember(tokensSection, signal)), part("models", models)),
      ];
    },
  },
};

const part = (name, content) => h("div", { "data-part": name }, content);

/** What few people need. Hidden while it has no section. */
const advanced = (...parts) => h("details.advanced", null, h("summary", null, t("settings.advanced")), parts);

/** Draws for the member who is signed in, again when that changes. Draws nothing before there are members. */
function forMember(draw, signal) {
  const place = h("div");
  user.watch((me) => redraw(place, me && draw(me)), signal);
  return place;
}
