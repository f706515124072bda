// The languages of books: the codes of library catalogs (MARC), and their names in the user's language.
import { currentLanguage, translated } from "./i18n.js";

/** Those that are offered first. */
export const COMMON = ["eng", "ger"];

/** By MARC code, the code that the browser knows. */
const BROWSER_CODES = {
  afr: "af",
  alb: "sq",
  ara: "ar",
  arm: "hy",
  baq: "eu",
  ben: "bn",
  bul: "bg",
  cat: "ca",
  chi: "zh",
  cze: "cs",
  dan: "da",
  dut: "nl",
  eng: "en",
  epo: "eo",
  est: "et",
  fin: "fi",
  fre: "fr",
  geo: "ka",
  ger: "de",
  gle: "ga",
  glg: "gl",
  grc: "grc",
  gre: "el",
  heb: "he",
  hin: "hi",
  hrv: "hr",
  hun: "hu",
  ice: "is",
  ind: "id",
  ita: "it",
  jpn: "ja",
  kor: "ko",
  lat: "la",
  lav: "lv",
  lit: "lt",
  mac: "mk",
  mar: "mr",
  may: "ms",
  nor: "no",
  per: "fa",
  pol: "pl",
  por: "pt",
  rum: "ro",
  rus: "ru",
  san: "sa",
  slo: "sk",
  slv: "sl",
  spa: "es",
  srp: "sr",
  swa: "sw",
  swe: "sv",
  tam: "ta",
  tel: "te",
  tha: "th",
  tur: "tr",
  ukr: "uk",
  urd: "ur",
  vie: "vi",
  wel: "cy",
  yid: "yi",
};

/** Returns the name of a language: the browser's, else the app's, else its code. @param {string} code */
export function languageName(code, locale = currentLanguage()) {
  const own = translated(`language.${code}`, code);
  try {
    return new Intl.DisplayNames([locale], { type: "language", fallback: "none" }).of(BROWSER_CODES[code] ?? code) ??
      own;
  } catch {
    return own;
  }
}

/** All languages that can be chosen, by name. @returns {Array<[string, string]>} code and name */
export const allLanguages = (locale = currentLanguage()) =>
  Object.keys(BROWSER_CODES)
    .map((code) => /** @type {[string, string]} */ ([code, languageName(code, locale)]))
    .sort(([, a], [, b]) => a.localeCompare(b, locale));

/** The languages that are chosen first: English, and the user's. */
export const firstChoice = (locale = currentLanguage()) =>
  COMMON.filter((code) => code === "eng" || BROWSER_CODES[code] === locale);
