// Sheets over the screen: forms, questions, menus.
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { fold } from "../lib/search.js";
import * as layers from "./layers.js";
import { button, errorNote, newId, round } from "./ui.js";

/**
 * Opens a sheet (a panel on wide screens) and resolves with the value it was closed with. The browser keeps the focus
 * inside and restores it.
 *
 * Back, Escape, a tap beside it and a drag down close it. A form that was changed asks before.
 *
 * @param {string} title
 * @param {(close: (value?: any) => void, dialog: any) => any} build
 * @param {{class?: string, hideTitle?: boolean}} [options]
 * @returns {Promise<any>}
 */
export function sheet(title, build, options = {}) {
  const closed = new Promise((resolve) => {
    let result, asks = false;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    /** Closes the sheet without a result, if nothing is lost or the user agrees. */
    const dismiss = async () => {
      if (asks) return;
      asks = true;
      const mayClose = !isChanged() || await confirm(t("sheet.discardTitle"), "", t("sheet.discard"), {
        danger: true,
        cancel: t("sheet.keep"),
      });
      asks = false;
      if (mayClose && dialog.open) close();
    };
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const id = newId();
    const dialog = h("dialog.sheet", {
      class: options.class,
      "aria-labelledby": id,
      oncancel: (e) => {
        e.preventDefault();
        dismiss();
      },
      onclose: async () => {
        dialog.remove();
        if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
        await layers.pop(layer);
        resolve(result);
      },
      onclick: (e) => {
        if (e.target === dialog && outside(dialog, e)) dismiss();
        const to = e.target.closest("a[href^='#']")?.getAttribute("href");
        if (!to || e.ctrlKey || e.metaKey || e.shiftKey) return;
        // The entry of the sheet goes before the screen comes.
        e.preventDefault();
        asks = true;
        dialog.close();
        closed.then(() => (location.hash = to));
      },
    });
    const isChanged = watchForm(dialog);
    const grab = h("div.grab", { "aria-hidden": "true" });
    dialog.append(
      grab,
      h(
        "div.sheet-head",
        { class: options.hideTitle ? "sr" : "" },
        h("h2", { id, tabindex: -1 }, title),
        round("close", t("common.close"), { class: "bare", onclick: dismiss }),
      ),
    );
    const content = build(close, dialog);
    if (content) dialog.append(content);
    document.body.append(dialog);
    const layer = layers.push(dismiss);
    dialog.showModal();
    dragToClose(dialog, grab, dismiss);
  });
  return closed;
}

/** Returns a function that returns whether a field of the dialog's form differs from what it was. */
function watchForm(dialog) {
  const before = new Map();
  const value = (field) => ["checkbox", "radio"].includes(field.type) ? field.checked : field.value;
  const note = (e) => {
    const field = e.target;
    if (field.form && field.type !== "search" && !before.has(field)) before.set(field, value(field));
  };
  // Before the first change of each field.
  for (const event of ["focusin", "pointerdown", "beforeinput"]) dialog.addEventListener(event, note, true);
  return () => [...before].some(([field, was]) => field.isConnected && value(field) !== was);
}

const outside = (dialog, event) => {
  const box = dialog.getBoundingClientRect();
  return event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
};

/** The sheet follows the finger down, and closes after a long enough drag. */
function dragToClose(dialog, grab, close) {
  let from = null;
  const zone = [grab, dialog.querySelector(".sheet-head")].filter(Boolean);
  for (const part of zone) {
    part.style.setProperty("touch-action", "none");
    part.addEventListener("pointerdown", (e) => {
      if (e.target.closest("button")) return;
      from = e.clientY;
      part.setPointerCapture(e.pointerId);
    });
    part.addEventListener("pointermove", (e) => {
      if (from !== null) dialog.style.setProperty("transform", `translateY(${Math.max(0, e.clientY - from)}px)`);
    });
    const up = (e) => {
      if (from === null) return;
      const moved = e.clientY - from;
      from = null;
      dialog.style.removeProperty("transform");
      if (moved > 90) close();
    };
    part.addEventListener("pointerup", up);
    part.addEventListener("pointercancel", up);
  }
}

/** Asks for confirmation of an action without undo. @returns {Promise<boolean>} */
export const confirm = (title, text, yes, { danger = false, cancel = t("common.cancel") } = {}) =>
  sheet(
    title,
    (close) =>
      h(
        "div",
        null,
        text && h("p.quiet", null, text),
        h(
          "div.actions",
          null,
          button(cancel, { onclick: () => close(false) }),
          button(yes, { kind: danger ? "main danger-main" : "main", onclick: () => close(true), autofocus: true }),
        ),
      ),
  ).then(Boolean);

/** The number of items from which a menu can be searched. */
const MANY = 15;

/**
 * Opens a menu.
 *
 * @param {string} title
 * @param {Array<{label: string, also?: string, icon?: string, danger?: boolean, run: () => void} | false>} items
 *   `also`: what is searched for besides the label
 */
export const menu = (title, items) =>
  sheet(title, (close) => {
    const buttons = items.filter(Boolean).map((item) => {
      const i = /** @type {any} */ (item);
      return h(
        "button",
        {
          type: "button",
          class: i.danger ? "danger" : "",
          "data-words": fold(`${i.label} ${i.also ?? ""}`),
          onclick: () => close(i),
        },
        icon(i.icon ?? "next"),
        h("span.grow", { dir: "auto" }, i.label),
      );
    });
    const search = h("input.input", {
      type: "search",
      "aria-label": t("common.searchMenu"),
      placeholder: t("common.searchMenu"),
      autocomplete: "off",
      oninput: () => {
        const words = fold(search.value).split(" ");
        for (const one of buttons) one.hidden = !words.every((word) => one.dataset.words.includes(word));
      },
    });
    return h("div.menu", null, buttons.length > MANY && search, buttons);
  }).then((item) => item?.run());

/**
 * Opens a form in a sheet. It closes with the result of `save`; when that fails, the sheet stays and shows the error.
 *
 * @param {string} title
 * @param {any[]} content its fields
 * @param {() => any} save
 * @param {{submit?: string, also?: (close: (value?: any) => void) => any}} [options] `submit`: the button's label;
 *   `also`: another button before it
 * @returns {Promise<any>} undefined when it was closed without saving
 */
export const formSheet = (title, content, save, { submit = t("common.save"), also } = {}) =>
  sheet(title, (close) => {
    const say = h("div");
    return h(
      "form.stack",
      {
        style: { "--gap": "16px" },
        onsubmit: async (e) => {
          e.preventDefault();
          try {
            close(await save());
          } catch (error) {
            replace(say, errorNote(error));
          }
        },
      },
      content,
      say,
      h("div.actions", null, also?.(close), h("button.btn.main", { type: "submit" }, submit)),
    );
  });
