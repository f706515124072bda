// The pieces that every screen is made of.
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { back } from "../lib/router.js";

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

/** The bar over a screen that is gone into: the way back, its name, and one button or none. */
export const topbar = (name, backTo, more = h("span")) =>
  h(
    "div.topbar",
    null,
    round("back", t("common.back"), { class: "bare", onclick: () => back(backTo) }),
    h("h1", { tabindex: -1 }, name),
    more,
  );

/** A tier: icon and word, never colour alone. */
export const tier = (name, { small = false, word = t(`tier.${name}`) } = {}) =>
  h("span.tier", { class: `${name}${small ? " small" : ""}` }, icon(`${name}_tier`), h("span", null, word));

let ids = 0;
/** An id that nothing else in the page has. */
export const newId = () => `n${++ids}`;

/** A labelled field. */
export function field(label, input, hint) {
  const id = input.id || newId();
  const control = input.matches("input, select, textarea") ? input : input.querySelector("input, select, textarea");
  control.id = id;
  return h("div.field", null, h("label.label", { for: id }, label), input, hint && h("p.caption", null, hint));
}

/** One of a few: a radio group that looks like one control. @param {Array<[string, string]>} options */
export function segmented(label, options, value, onChange, props = {}) {
  const name = newId();
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

/** What went wrong, what is kept, what to do. A busy server is asked again by itself, in sight. */
export function trouble(error, retry) {
  const words = h("p", null, wordsFor(error));
  const note = h(
    "div.note.bad",
    { role: "alert" },
    icon("info"),
    h(
      "div.stack.grow",
      null,
      words,
      retry && h("div", null, button(t("common.tryAgain"), { kind: "small", onclick: retry })),
    ),
  );
  if (retry && error?.status === 429) countDown(words, note, error, retry);
  return note;
}

/** Says how long the server wants to be left alone, and goes on then, if the note is still there. */
function countDown(words, note, error, retry) {
  error.until ??= Date.now() + (error.retryAfterMs || 5000); // a screen may draw the same error again
  const left = () => Math.max(0, Math.ceil((error.until - Date.now()) / 1000));
  // Said once to those who listen; the seconds are for the eye.
  replace(words, t("error.busy"), " ", h("span.nums", { "aria-hidden": "true" }, t("error.busyLeft", { n: left() })));
  const timer = setInterval(() => {
    if (!note.isConnected) return clearInterval(timer);
    if (left()) return void (words.lastElementChild.textContent = t("error.busyLeft", { n: left() }));
    clearInterval(timer);
    retry();
  }, 500);
}

/** An error in words for people. */
export function wordsFor(error) {
  if (error?.offline || error?.code === "offline") return t("error.offline");
  if (error?.message) return error.message;
  if (error?.detail) return error.detail;
  return t("error.unknown");
}

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
