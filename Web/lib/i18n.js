// Strings in the user's language: flat keys in ../i18n, and in ../i18n/first those that the library opens with.
import { remembered } from "./memory.js";

/** @type {Record<string, any>} */
const words = {};
let language = "en";
let plural = new Intl.PluralRules("en");

export const LANGUAGES = { en: "English", de: "Deutsch" };

/** Chooses the saved language, else the browser's, else English, and loads the words that the library opens with. */
export async function chooseLanguage(wanted = remembered("language") ?? navigator.language?.slice(0, 2)) {
  language = wanted && Object.hasOwn(LANGUAGES, wanted) ? wanted : "en";
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  Object.assign(
    words,
    (await (language === "de" ? import("../i18n/first/de.js") : import("../i18n/first/en.js"))).default,
  );
  return language;
}

/** Loads all other words. */
export async function loadOtherWords() {
  Object.assign(words, (await (language === "de" ? import("../i18n/de.js") : import("../i18n/en.js"))).default);
}

export const currentLanguage = () => language;

/** The language as the browser's region writes dates and numbers, such as `en-GB`. */
export const region = () =>
  globalThis.navigator?.languages?.find((one) => one.toLowerCase().split("-")[0] === language) ?? language;

/** "4,680". @param {number} n */
export const number = (n) => numbers(region()).format(n);

/**
 * Returns the string for a key, with `{name}` replaced. Plural forms (`one`, `other`) are chosen by `n`.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return say(words[key], values, plural, region()) ?? key;
}

/** Returns the string for a key that a server may know and this app may not. @param {string} key @param {string} otherwise */
export const translated = (key, otherwise) => key in words ? t(key) : otherwise;

/** Like `t`, for a given language: for tests and other languages. */
export function say(entry, values, rules, locale) {
  if (entry === undefined) return undefined;
  let text = entry;
  if (typeof entry === "object") {
    const n = Number(values.n ?? 0);
    text = entry[`=${n}`] ?? entry[rules.select(n)] ?? entry.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers(locale).format(value) : String(value);
  });
}

/** @type {Map<string, Intl.NumberFormat>} Made once for each language: making one takes longer than all else here. */
const formats = new Map();
function numbers(locale) {
  if (!formats.has(locale)) formats.set(locale, new Intl.NumberFormat(locale));
  return /** @type {Intl.NumberFormat} */ (formats.get(locale));
}

const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
/** "4th" in English, "4." in German. @param {number} n */
export const ordinal = (n) =>
  language === "de" ? `${n}.` : n + ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(n)];

/** "today", "yesterday" or a date. */
export function day(value) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return "";
  const days = Math.round((startOfDay(new Date()) - startOfDay(date)) / 86_400_000);
  if (days === 0) return t("date.today");
  if (days === 1) return t("date.yesterday");
  return date.toLocaleDateString(region(), { day: "numeric", month: "long", year: "numeric" });
}

/** "today, 14:05". */
export const moment = (value) =>
  [day(value), new Date(value).toLocaleTimeString(region(), { hour: "2-digit", minute: "2-digit" })].join(", ");

/** "Open Library and ISBNdb". @param {string[]} names */
export const listed = (names) => new Intl.ListFormat(region(), { type: "conjunction" }).format(names);

const startOfDay = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

export const percent = (value) => number(Math.round(value * 100)) + (language === "de" ? " %" : "%");
export const bytes = (value) => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let i = 0;
  while (value >= 1000 && i < units.length - 1) {
    value /= 1000;
    i++;
  }
  return `${value.toLocaleString(region(), { maximumFractionDigits: value < 10 && i > 0 ? 1 : 0 })} ${units[i]}`;
};
