// A book that was changed without a decision: its spine, what was read, what it is now, and Undo.
import { h } from "../../lib/dom.js";
import { moment, t } from "../../lib/i18n.js";
import { sourceName } from "../../lib/matches.js";
import { button, tier } from "../../elements/ui.js";
import { spineOf, spineStrip } from "../../elements/spine.js";

/**
 * @param {any} change
 * @param {((change: any) => void) | null} undo null if the member may not change books
 */
export function changeCard(change, undo) {
  const { before, after, entryId } = change;
  const title = after?.title ?? before.title ?? t("book.unread");
  const isSame = after && after.title === before.title && after.author === before.author;
  return h(
    "li.change-card",
    { "data-change": change.id },
    spineStrip(spineOf(change)),
    after && h("p.caption", null, isSame ? t("automatic.asRead") : t("automatic.before", { book: words(before) })),
    h(
      "p.title",
      { class: after ? "" : "removed", dir: "auto" },
      entryId ? h("a", { href: `#/library/${encodeURIComponent(entryId)}` }, title) : title,
    ),
    h("p.quiet", null, (after ?? before).author || t("book.noAuthor")),
    h("p.change-state", null, state(change)),
    h(
      "p.caption.nums",
      null,
      [
        sourceName(change.source),
        after?.isbn && t("book.isbn", { isbn: after.isbn }),
        moment(change.time),
      ].filter(Boolean).join(" · "),
    ),
    change.undoable
      ? undo && button(t("common.undo"), {
        kind: "small",
        "data-key": "undo",
        "aria-label": t("automatic.undoName", { title }),
        onclick: () => undo(change),
      }, "undo")
      : h("p.caption", null, t(entryId ? "automatic.tooLateOpen" : "automatic.tooLate")),
  );
}

const words = ({ title, author }) =>
  [title ? t("book.quoted", { title }) : t("book.unread"), author || t("book.noAuthor")].join(", ");

function state({ action, entryId, reviewStatus }) {
  if (action === "withdrawn") return t("automatic.removed");
  if (!entryId) return t("automatic.there");
  if (reviewStatus === "needsReview") return tier("needsReview", { small: true });
  return tier("ready", {
    small: true,
    word: t(reviewStatus === "userEdited" ? "history.corrected" : "automatic.verified"),
  });
}
