// Builds DOM nodes. Strings are always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set([
  "value",
  "checked",
  "disabled",
  "hidden",
  "indeterminate",
  "selected",
  "srcObject",
  "files",
]);

/**
 * Creates an element: `h("button.btn.main", { onclick: save }, "Save")`.
 *
 * @param {string} spec tag with classes, as in a selector
 * @param {Record<string, any> | null} [props] attributes; `on…` are listeners, `style` an object of CSS properties
 * @param {...any} children nodes, strings (always text), arrays of them; null and false are left out
 * @returns {any} the element
 */
export function h(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.classList.add(...classes);
  return fill(element, props, children);
}

/**
 * The same for SVG.
 *
 * @param {string} spec
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 * @returns {any}
 */
export function s(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.classList.add(...classes);
  return fill(element, props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false && !PROPERTIES.has(name)) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "style") { for (const [k, v] of Object.entries(value)) element.style.setProperty(k, String(v)); }
    else if (name === "class") element.classList.add(...String(value).split(" ").filter(Boolean));
    else if (name === "ref") value(element);
    else if (name === "aria" || name === "data") {
      for (const [k, v] of Object.entries(value)) if (v != null) element.setAttribute(`${name}-${k}`, String(v));
    } else if (PROPERTIES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

/** Returns children as `h` takes them as a flat list of nodes. @param {any[]} children @returns {Node[]} */
export const nodesOf = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && typeof child !== "boolean")
    .map((child) => child instanceof Node ? child : document.createTextNode(String(child)));

/** Replaces all children. Where a person may be typing, scrolling or have the focus, use `redraw`. */
export function replace(element, ...children) {
  element.replaceChildren(...nodesOf(children));
  return element;
}

/** Returns a URL if it is on this server (or a blob of this page), else undefined. */
export function ownAddress(address) {
  if (typeof address !== "string" || !address) return undefined;
  try {
    const url = new URL(address, location.href);
    if (url.protocol === "blob:") return url.href;
    return url.origin === location.origin ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs the shortcut of a key, unless it is typed into a field, held with others, or a sheet is open.
 *
 * @param {KeyboardEvent} event
 * @param {Record<string, () => any>} shortcuts by key, letters in lower case
 */
export function runShortcut(event, shortcuts) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (document.querySelector("dialog[open]")) return;
  const run = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.composedPath?.()[0] ?? event.target);
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  return target.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=button])");
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Whether the screen is wide enough for two columns. */
export const isWide = () => matchMedia("(min-width: 960px)").matches;
export const wide = () => matchMedia("(min-width: 700px)").matches;

/** Debounces: calls `work` after `ms` without another call. */
export function debounce(ms, work) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...args), ms);
  };
}

/** Announces a text to screen readers without moving the focus. */
export function announce(text, urgent = false) {
  const region = document.getElementById(urgent ? "live-urgent" : "live");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 60);
}
