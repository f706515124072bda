// The form of a book of the queue, on a screen of its own or in the book's card.
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { keepDraft, takeDraft } from "../../lib/review.js";
import { authorOf, titleOf } from "../../elements/book.js";
import { bookForm } from "../../elements/book-form.js";

/** The form that was opened last. @type {any} */
let latest;

/** Returns the form of an item, with what was typed about it and refused by the server. */
export function itemForm(item) {
  const draft = takeDraft(item), form = bookForm(draft ?? item);
  if (draft && draft.etag !== item.etag) replace(form.say, conflictNote(item));
  const inputs = Object.values(form.inputs), text = () => inputs.map((input) => input.value).join("\n");
  const before = text();
  const isChanged = () => Boolean(draft) || text() !== before;
  /** What was typed, right or not. */
  const typed = () => ({
    title: form.inputs.title.value,
    author: form.inputs.author.value,
    isbn: form.inputs.isbn.value,
  });
  latest = { ...form, item, isChanged, typed };
  return latest;
}

/** Whether a form has text of another item that was not sent. */
export const hasTextOfOther = (item) =>
  latest !== undefined && latest.item.id !== item.id && latest.say.isConnected && latest.isChanged();

/** Keeps what was typed on a screen that is left. Returns the id of its item, if there is one. @param {Element} screen */
export function keepTyped(screen) {
  if (!latest || !screen.contains(latest.say) || !latest.isChanged()) return null;
  keepDraft(latest.item, latest.typed());
  return latest.item.id;
}

/** What the book says now, beside what was typed. */
const conflictNote = (item) =>
  h(
    "div.note",
    null,
    icon("info"),
    h("p", null, t("correct.conflict", { title: titleOf(item), author: authorOf(item) })),
  );
