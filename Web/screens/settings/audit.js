// Who signed in, and who changed what gives access. For the owner.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { moment, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { sheet } from "../../elements/sheet.js";
import { button, errorNote, withCaption } from "../../elements/ui.js";

export const showAudit = () =>
  sheet(t("audit.title"), () => {
    const list = h("ul.rows");
    const more = h("div");
    load(list, more);
    return h("div.stack", null, h("p.quiet", null, t("audit.text")), list, more);
  });

async function load(list, more, cursor) {
  replace(more);
  try {
    const page = await api.audit(cursor);
    list.append(...page.items.map(row));
    if (page.nextCursor) {
      replace(more, button(t("common.more"), { onclick: () => load(list, more, page.nextCursor) }));
    }
  } catch (error) {
    replace(more, errorNote(error, () => load(list, more, cursor)));
  }
}

function row(entry) {
  const what = t(`audit.${entry.event}`);
  const who = entry.member ?? t("audit.unknown");
  return h(
    "li.kv",
    null,
    icon("person"),
    withCaption(
      entry.subject ? `${what}: ${entry.subject}` : what,
      [who, moment(entry.time), entry.address, entry.more && t("audit.more", { n: entry.more })].filter(Boolean).join(
        " · ",
      ),
    ),
  );
}
