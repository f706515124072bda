// The pieces that every screen is made of.
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";

/** A round button with an icon; the label is its name. */
export const round = (name, label, props = {}, ...more) =>
  h("button.round", { type: "button", "aria-label": label, title: label, ...props }, icon(name), ...more);

/** A button with words, and an icon if one helps. */
export const button = (label, props = {}, iconName = "") => {
  const { kind = "", ...rest } = props;
  return h("button.btn", { type: "button", class: kind, ...rest }, iconName && icon(iconName), h("span", null, label));
};

export const link = (label, href, props = {}, iconName = "") => {
  const { kind = "", ...rest } = props;
  return h("a.btn", { href, class: kind, ...rest }, iconName && icon(iconName), h("span", null, label));
};

/** A tier: icon and word, never colour alone. */
export const tier = (name, { small = false, word = t(`tier.${name}`) } = {}) =>
  h("span.tier", { class: `${name}${small ? " small" : ""}` }, icon(`${name}_tier`), h("span", null, word));

/** A labelled field. */
export function field(label, input, hint) {
  const id = input.id || `f${++fields}`;
  const control = input.matches("input, select, textarea") ? input : input.querySelector("input, select, textarea");
  control.id = id;
  return h("div.field", null, h("label.label", { for: id }, label), input, hint && h("p.caption", null, hint));
}
let fields = 0;

/** One of a few: a radio group that looks like one control. @param {Array<[string, string]>} options */
export function segmented(label, options, value, onChange, props = {}) {
  const name = `s${++fields}`;
  return h(
    "div.seg",
    { role: "radiogroup", "aria-label": label, ...props },
    options.map(([key, word]) =>
      h(
        "label",
        null,
        h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onChange(key) }),
        h("span", null, word),
      )
    ),
  );
}

/** A native select in our clothes. @param {Array<[string, string]>} options */
export const select = (options, value, onChange, props = {}) =>
  h(
    "div.select",
    null,
    h(
      "select.input",
      { onchange: (e) => onChange(e.target.value), ...props },
      options.map(([key, word]) => h("option", { value: key, selected: key === value }, word)),
    ),
    icon("down"),
  );

export const toggle = (label, value, onChange, hint) =>
  h(
    "label.switch",
    null,
    h("span.grow", null, h("span", null, label), hint && h("span.caption", { style: { display: "block" } }, hint)),
    h("input", { type: "checkbox", role: "switch", checked: value, onchange: (e) => onChange(e.target.checked) }),
  );

export const bar = (label, share) =>
  h("div.bar", {
    role: "progressbar",
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Math.round(share * 100),
  }, h("i", { style: { transform: `scaleX(${share})` } }));

export const empty = (sentence, action) => h("div.empty", null, h("p", null, sentence), action);

/** What went wrong, what is kept, what to do. */
export function trouble(error, retry) {
  return h(
    "div.note.bad",
    { role: "alert" },
    icon("info"),
    h(
      "div.stack.grow",
      null,
      h("p", null, wordsFor(error)),
      retry && h("div", null, button(t("common.tryAgain"), { kind: "small", onclick: retry })),
    ),
  );
}

/** An error in words for people. */
export function wordsFor(error) {
  if (error?.offline || error?.code === "offline") return t("error.offline");
  if (error?.message) return error.message;
  if (error?.detail) return error.detail;
  return t("error.unknown");
}

/**
 * Opens a sheet (a panel on wide screens) and resolves with what it was closed with. The browser keeps the focus
 * inside and gives it back.
 *
 * @param {string} title
 * @param {(close: (value?: any) => void, dialog: any) => any} build
 * @param {{class?: string, hideTitle?: boolean}} [options]
 * @returns {Promise<any>}
 */
export function sheet(title, build, options = {}) {
  return new Promise((resolve) => {
    let result;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const id = `d${++fields}`;
    const dialog = h("dialog.sheet", {
      class: options.class,
      "aria-labelledby": id,
      onclose: () => {
        dialog.remove();
        if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
        resolve(result);
      },
      onclick: (e) => e.target === dialog && outside(dialog, e) && close(),
    });
    const grab = h("div.grab", { "aria-hidden": "true" });
    dialog.append(
      grab,
      h(
        "div.sheet-head",
        { class: options.hideTitle ? "sr" : "" },
        h("h2", { id, tabindex: -1 }, title),
        round("close", t("common.close"), { class: "bare", onclick: () => close() }),
      ),
    );
    const content = build(close, dialog);
    if (content) dialog.append(content);
    document.body.append(dialog);
    dialog.showModal();
    dragToClose(dialog, grab, close);
  });
}

const outside = (dialog, event) => {
  const box = dialog.getBoundingClientRect();
  return event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
};

/** The sheet follows the finger down, and closes when it was meant. */
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

/** Asks before something that undo cannot bring back. @returns {Promise<boolean>} */
export const confirm = (title, text, yes, { danger = false } = {}) =>
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
          button(t("common.cancel"), { onclick: () => close(false) }),
          button(yes, { kind: danger ? "main danger-main" : "main", onclick: () => close(true), autofocus: true }),
        ),
      ),
  ).then(Boolean);

/** A short list of things to do. @param {Array<{label: string, icon?: string, danger?: boolean, run: () => void} | false>} items */
export const menu = (title, items) =>
  sheet(title, (close) =>
    h(
      "div.menu",
      null,
      items.filter(Boolean).map((item) => {
        const i = /** @type {any} */ (item);
        return h(
          "button",
          {
            type: "button",
            class: i.danger ? "danger" : "",
            onclick: () => close(i),
          },
          icon(i.icon ?? "next"),
          h("span.grow", null, i.label),
        );
      }),
    )).then((item) => item?.run());

let undoTimer = 0;

/** Tells what was done and offers the way back. It stays until the next thing, or 12 seconds after it was last touched. */
export function undoBar(text, back) {
  clearTimeout(undoTimer);
  document.querySelector(".undo")?.remove();
  const bar = h(
    "div.undo",
    { role: "region", "aria-label": t("common.lastAction") },
    h("span", null, text),
    back && button(t("common.undo"), {
      onclick: async () => {
        bar.remove();
        await back();
        announce(t("common.undone"));
      },
    }),
  );
  const leave = () => {
    clearTimeout(undoTimer);
    undoTimer = setTimeout(() => bar.matches(":hover, :focus-within") ? leave() : bar.remove(), 12_000);
  };
  document.body.append(bar);
  announce(back ? `${text} ${t("common.undoHint")}` : text);
  leave();
}

/** Presses the undo of the bar, if there is one. */
export function undoLast() {
  const button = /** @type {HTMLElement | null} */ (document.querySelector(".undo .btn"));
  button?.click();
  return Boolean(button);
}

/** Shows `place` only when the work takes longer than 400 ms. */
export async function patiently(element, work) {
  const timer = setTimeout(() => element.setAttribute("aria-busy", "true"), 400);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    element.removeAttribute("aria-busy");
  }
}

/** A screen: built once, its listeners end with it. */
export class Screen extends HTMLElement {
  /** @type {Record<string, string>} */
  params = {};
  query = new URLSearchParams();
  #life = new AbortController();
  get signal() {
    return this.#life.signal;
  }
  connectedCallback() {
    if (this.#life.signal.aborted) this.#life = new AbortController();
    this.build();
  }
  disconnectedCallback() {
    this.#life.abort();
  }
  build() {}
  /** Puts new content in place. @param {...any} children */
  show(...children) {
    return replace(this, ...children);
  }
  /** A listener that ends with the screen. */
  on(target, name, work, options = {}) {
    target.addEventListener(name, work, { ...options, signal: this.signal });
  }
}

export function define(name, type) {
  if (!customElements.get(name)) customElements.define(name, type);
  return name;
}
