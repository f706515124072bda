// Which records are worth offering for a spine, and where they come from.
import { translated } from "./i18n.js";

/** The name of a source. @param {string | null | undefined} source */
export const sourceName = (source) => source ? translated(`source.${source}`, source) : "";

/** Below this chance, set by hand, a candidate is not shown: it is hardly ever right and hides the others. */
const LEAST_CHANCE = 0.05;

/** The candidates that a person may choose instead of what was read. @param {any} book @param {number} [most] */
export const offered = (book, most = Infinity) =>
  (book.matches ?? [])
    .filter((m) => m.confidence >= LEAST_CHANCE && (m.title !== book.title || m.author !== book.author))
    .slice(0, most);

/** Sources that are models: they read a spine, and have no record of the book. */
const MODELS = new Set(["gemini", "openai"]);

/** What a model read on the spine, where it is not what the book shows. @param {any} book */
export const otherOpinion = (book) =>
  (book.matches ?? []).find((m) => MODELS.has(m.source) && (m.title !== book.title || m.author !== book.author));

/** The chance, 0 to 1, of the best candidate. @param {any} book */
export const bestChance = (book) => Math.max(0, ...(book.matches ?? []).map((m) => m.confidence));
