// Widgets shared by all screens.
import { h, replace } from "../lib/dom.js";
import { number, percent, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { redraw } from "../lib/redraw.js";
import { back } from "../lib/router.js";

/** A round button with an icon; the label is its name. */
export const round = (name, label, props = {}, ...more) =>
  h("button.round", { type: "button", "aria-label": label, title: label, ...props }, icon(name), ...more);

/** A button with a label, and optionally an icon. */
export const button = (label, props = {}, iconName = "") => {
  const { kind = "", ...rest } = props;
  return h("button.btn", { type: "button", class: kind, ...rest }, iconName && icon(iconName), h("span", null, label));
};

export const link = (label, href, props = {}, iconName = "") => {
  const { kind = "", ...rest } = props;
  return h("a.btn", { href, class: kind, ...rest }, iconName && icon(iconName), h("span", null, label));
};

/** The bar of a subscreen: back, its title, and optionally one button. */
export const topbar = (name, backTo, more = h("span")) =>
  h(
    "div.topbar",
    null,
    round("back", t("common.back"), { class: "bare", onclick: () => back(backTo) }),
    h("h1", { tabindex: -1 }, name),
    more,
  );

/**
 * How sure a book is. A person's decision replaces the percentage; a book that was not checked has none, and nothing is said
 * of one that was not read.
 */
export function sureness({ reviewStatus, agreed, checked, confidence }) {
  if (reviewStatus === "userEdited") return t("book.edited");
  if (agreed) return t("book.verified");
  if (confidence === null) return "";
  return checked === false ? t("book.notChecked") : t("book.sure", { p: percent(confidence ?? 0) });
}

/** A tier: icon and word, never colour alone. */
export const tier = (name, { small = false, word = t(`tier.${name}`) } = {}) =>
  h("span.tier", { class: `${name}${small ? " small" : ""}` }, icon(`${name}_tier`), h("span", null, word));

/**
 * A section with its number of items; nothing without items.
 *
 * @param {any} heading
 * @param {any[]} items
 * @param {(items: any[]) => any} draw
 * @param {Record<string, any>} [props]
 * @param {number} [count] of all items, if these are not all
 */
export function section(heading, items, draw, props = {}, count = items.length) {
  const id = newId();
  return items.length > 0 && h(
    "section",
    { "aria-labelledby": id, ...props },
    h("div.section-head", null, h("h2", { id }, heading), h("span.nums.quiet", null, number(count))),
    draw(items),
  );
}

/** Outlines of the cards of a list that is loaded. */
export const ghostCards = (n) =>
  Array.from({ length: n }, () => h("div.queue-card.ghost-card", null, h("div.spine-strip")));

let ids = 0;
/** Returns a unique id. */
export const newId = () => `n${++ids}`;

/** A labelled field. */
export function field(label, input, hint) {
  const id = input.id || newId();
  const control = input.matches("input, select, textarea") ? input : input.querySelector("input, select, textarea");
  control.id = id;
  return h("div.field", null, h("label.label", { for: id }, label), input, hint && h("p.caption", null, hint));
}

/**
 * A field for a title, as high as its lines. Enter sends the form, as in a field of one line.
 *
 * @param {Record<string, any>} props
 */
export function titleInput(props) {
  const input = h("textarea.input.serif.title-input", {
    rows: 1,
    autocomplete: "off",
    dir: "auto",
    onkeydown: (e) => {
      if (e.key !== "Enter" || e.isComposing) return;
      e.preventDefault();
      const isSending = [...input.form?.elements ?? []].some((one) => one.type === "submit" && one.disabled);
      if (!isSending) input.form?.requestSubmit();
    },
    ...props,
  });
  // Pasted lines.
  input.addEventListener("input", () => {
    if (/[\r\n]/.test(input.value)) input.value = input.value.replace(/[\r\n]+/g, " ");
  }, { capture: true });
  return input;
}

/** A segmented control: a radio group. @param {Array<[string, string]>} options */
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

/** A styled native select. @param {Array<[string, string]>} options */
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

/** A text in a row, with a smaller one below it. */
export const withCaption = (text, caption) =>
  h("span.grow.stacked", null, h("span", null, text), caption && h("span.caption", null, caption));

export const toggle = (label, value, onChange, hint) =>
  h(
    "label.switch",
    null,
    withCaption(label, hint),
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

/**
 * A screen without content: what is not there, how it comes about, and the action for it.
 *
 * @param {string} sentence
 * @param {any} [action]
 * @param {{picture?: any, text?: string, more?: any}} [options] `more`: other ways to begin
 */
export const empty = (sentence, action, { picture, text, more } = {}) =>
  h("div.empty", null, picture, h("p", null, sentence), text && h("p.quiet", null, text), action, more);

/**
 * A line about what waits, with a way to it.
 *
 * @param {any} mark
 * @param {any} words
 * @param {{label?: string | false, run?: () => any, key?: string}} [way]
 */
export const waitingLine = (mark, words, { label, run, key } = {}) =>
  h(
    "div.changed-line.scraps",
    null,
    mark,
    words,
    label && button(label, { kind: "link", "data-key": key, onclick: run }),
  );

/** Shows an error, what is kept, and what to do. Retries a busy server automatically, with a countdown. */
export function errorNote(error, retry) {
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

/**
 * Fills a place with what the server answers, else with the error and a way to ask again.
 *
 * @template Answer
 * @param {any} place
 * @param {() => Promise<Answer>} load
 * @param {(answer: Answer, reload: () => Promise<void>) => any} draw returns the children
 */
export function loadInto(place, load, draw) {
  const reload = async () => {
    place.setAttribute("aria-busy", "true");
    try {
      redraw(place, draw(await load(), reload));
    } catch (error) {
      redraw(place, errorNote(error, reload));
    }
    place.removeAttribute("aria-busy");
  };
  reload();
  return place;
}

/** A warning where passwords are typed, for a page that was not loaded over HTTPS. */
export const unencryptedNote = () =>
  !globalThis.isSecureContext && h("div.note", null, icon("info"), h("p.grow", null, t("welcome.unencrypted")));

/** Counts down the server's retry delay, then retries if the note is still shown. */
function countDown(words, note, error, retry) {
  error.until ??= Date.now() + (error.retryAfterMs || 5000); // a screen may show the same error again
  const left = () => Math.max(0, Math.ceil((error.until - Date.now()) / 1000));
  // Announced once; screen readers do not read every second.
  replace(words, t("error.busy"), " ", h("span.nums", { "aria-hidden": "true" }, t("error.busyLeft", { n: left() })));
  const timer = setInterval(() => {
    if (!note.isConnected) return clearInterval(timer);
    if (left()) return void (words.lastElementChild.textContent = t("error.busyLeft", { n: left() }));
    clearInterval(timer);
    retry();
  }, 500);
}

/** Returns the text of an error. */
export function wordsFor(error) {
  if (error?.offline || error?.code === "offline") return t("error.offline");
  if (error?.code === "confirmation_needed") return t("confirm.needed");
  if (error?.code === "disk_failed") return t("error.diskFailed");
  if (error?.message) return error.message;
  if (error?.detail) return error.detail;
  return t("error.unknown");
}

/** Base class of screens. Removes its listeners with the screen. */
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
  /** Replaces the content. @param {...any} children */
  show(...children) {
    return replace(this, ...children);
  }
  /** Adds a listener that is removed with the screen. */
  on(target, name, work, options = {}) {
    target.addEventListener(name, work, { ...options, signal: this.signal });
  }
}

export function define(name, type) {
  if (!customElements.get(name)) customElements.define(name, type);
  return name;
}
