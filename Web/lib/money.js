// Amounts of money, in the smallest unit of their currency.
import { region } from "./i18n.js";

/** The number of decimal digits of a currency. @param {string} currency */
function digitsOf(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Returns an amount as people write it. @param {{amount: number, currency: string}} money */
export const moneyInWords = ({ amount, currency }) =>
  new Intl.NumberFormat(region(), { style: "currency", currency }).format(amount / 10 ** digitsOf(currency));

/** Returns an amount as it is typed: `12.50`. @param {{amount: number, currency: string}} money */
export const numberOf = ({ amount, currency }) => (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/**
 * Reads an amount.
 *
 * @param {string} text with a decimal point or comma
 * @param {string} currency
 * @returns {{amount: number, currency: string} | null} null for an empty text
 */
export function moneyFrom(text, currency) {
  const number = text.trim().replace(",", ".");
  return number ? { amount: Math.round(Number(number) * 10 ** digitsOf(currency)), currency } : null;
}
