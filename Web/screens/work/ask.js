// What a person says about a book: its words, tags, stars, and to whom it is lent. Each asks in a sheet.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { button, field, menu, sheet, trouble } from "../../elements/ui.js";

/** Asks for title, authors and notes, and saves them. @returns {Promise<boolean>} whether something was saved */
export function editWords(e, w) {
  const titleInput = h("input.input.serif", { value: e.title, required: true, autocomplete: "off" });
  const authors = h("input.input", { value: (e.authors ?? []).join(", "), autocomplete: "off" });
  const notes = h("textarea.input", { value: e.notes ?? "", rows: 5 });
  return sheet(t("work.edit"), (close) => {
    const say = h("div");
    return h(
      "form.stack",
      {
        style: { "--gap": "16px" },
        onsubmit: async (ev) => {
          ev.preventDefault();
          try {
            const names = api.authorsFrom(authors.value);
            if (w && (titleInput.value.trim() !== e.title || names.join() !== (e.authors ?? []).join())) {
              await api.changeWork(w.id, { title: titleInput.value.trim(), authors: names }, w.etag);
            }
            if (notes.value !== (e.notes ?? "")) {
              await api.changeBook(e.id, { notes: notes.value || null }, (await api.book(e.id)).etag);
            }
            close(true);
          } catch (error) {
            replace(say, trouble(error));
          }
        },
      },
      field(t("book.title"), titleInput),
      field(t("book.authors"), authors),
      field(t("work.notes"), notes),
      say,
      h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
    );
  });
}

/** @returns {Promise<string[] | undefined>} */
export function askForTags(entry) {
  const input = h("input.input", {
    value: (entry.tags ?? []).join(", "),
    autocomplete: "off",
    autofocus: true,
    maxlength: 400,
  });
  return sheet(t("work.tags"), (close) =>
    h(
      "form",
      {
        onsubmit: (e) => {
          e.preventDefault();
          close([...new Set(input.value.split(",").map((x) => x.trim()).filter(Boolean))]);
        },
      },
      field(t("work.tagsHint"), input),
      h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
    ));
}

/** @param {(stars: number | null) => void} put */
export function askForStars(entry, put) {
  menu(
    t("work.rating"),
    [5, 4, 3, 2, 1].map((n) => ({
      label: "★".repeat(n),
      icon: entry.rating === n ? "check" : "next",
      run: () => put(n),
    }))
      .concat([{ label: t("common.none"), icon: "minus", run: () => put(null) }]),
  );
}

/** To whom, and until when; or only wished for. @returns {Promise<{loan?: any, ownership?: string} | undefined>} */
export function askForLoan(e) {
  const who = h("input.input", { required: true, maxlength: 200, autocomplete: "off", autofocus: true });
  const due = h("input.input", { type: "date" });
  return sheet(t("work.lend"), (close) =>
    h(
      "form.stack",
      {
        onsubmit: (ev) => {
          ev.preventDefault();
          close({
            loan: { to: who.value.trim(), since: new Date().toISOString().slice(0, 10), due: due.value || null },
          });
        },
      },
      field(t("work.lendTo"), who),
      field(t("work.due"), due),
      h(
        "div.actions",
        null,
        e.ownership !== "wishlist" && button(t("ownership.wishlist"), {
          onclick: () => {
            close({ ownership: "wishlist" });
          },
        }),
        h("button.btn.main", { type: "submit" }, t("work.lend")),
      ),
    ));
}
