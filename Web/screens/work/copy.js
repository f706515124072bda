// What is known of one copy: barcode, condition, price, value, where it came from; and the other copies of its work.
import * as api from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { day, t } from "../../lib/i18n.js";
import { remember, remembered } from "../../lib/memory.js";
import { moneyFrom, moneyInWords, numberOf } from "../../lib/money.js";
import { check } from "../../elements/book-form.js";
import { formSheet } from "../../elements/sheet.js";
import { button, field, select } from "../../elements/ui.js";

const CONDITIONS = ["new", "fine", "good", "worn", "poor", "damaged"];

/**
 * The folded section of a copy. It is open at first only if something is known of the copy.
 *
 * @param {any} entry
 * @param {any} work with all copies; nothing while it is loaded
 * @param {(change: any) => any} change
 */
export function copySection(entry, work, change) {
  const rows = [
    [t("import.field.barcode"), entry.barcode],
    [t("import.field.condition"), entry.condition && t(`condition.${entry.condition}`)],
    [t("import.field.price"), entry.price && moneyInWords(entry.price)],
    [t("import.field.value"), entry.value && [moneyInWords(entry.value), entry.valuedOn].filter(Boolean).join(" · ")],
    [t("copy.acquired"), [entry.acquiredOn, entry.acquiredFrom].filter(Boolean).join(" · ")],
  ].filter(([, value]) => value);
  const others = work?.entries?.length > 1 ? work.entries : [];
  return h(
    "details.section.copy",
    { open: rows.length > 0 || others.length > 0 || Boolean(entry.missingSince), "data-key": "copy" },
    h("summary", null, h("h2", null, t("copy.title"))),
    entry.missingSince && h(
      "p.line.wrap",
      null,
      h("span.missing-count", null, t("copy.missingSince", { day: day(entry.missingSince) })),
      button(t("copy.found"), { kind: "small", onclick: () => change({ missing: false }) }, "check"),
    ),
    rows.length > 0 &&
      h(
        "div.rows",
        null,
        rows.map(([name, value]) => h("div.kv", null, h("span.k", null, name), h("span.v", null, value))),
      ),
    button(t("copy.edit"), { kind: "small", "data-key": "edit-copy", onclick: () => editCopy(entry, change) }, "edit"),
    others.length > 0 && h("h3", null, t("copy.all", { n: others.length })),
    others.length > 0 && h("ul.rows", null, others.map((copy) => row(copy, copy.id === entry.id))),
  );
}

/** One of several copies: its place, barcode and state. */
const row = (copy, isThis) =>
  h(
    "li",
    null,
    h(
      "a.kv",
      { href: `#/library/${encodeURIComponent(copy.id)}`, "aria-current": isThis ? "true" : undefined },
      h("span.k.grow", { dir: "auto" }, copy.shelf?.path ?? t("scan.noShelf")),
      h(
        "span.v",
        null,
        [copy.barcode ?? copy.id, copy.condition && t(`condition.${copy.condition}`), stateOf(copy)].filter(Boolean)
          .join(
            " · ",
          ),
      ),
    ),
  );

const stateOf = ({ missingSince, loan, ownership }) =>
  missingSince ? t("ownership.missing") : loan ? t("work.lentTo", { who: loan.to }) : t(`ownership.${ownership}`);

/** Lets the user change what is known of a copy. */
async function editCopy(entry, change) {
  let condition = entry.condition ?? "";
  const text = (value, more = {}) =>
    h("input.input", { value: value ?? "", autocomplete: "off", maxlength: 200, ...more });
  const amount = (money) => text(money ? numberOf(money) : "", { inputmode: "decimal", maxlength: 20 });
  const coin = (money) => text(money?.currency ?? remembered("currency") ?? "EUR", { maxlength: 3, minlength: 3 });
  const barcode = text(entry.barcode, { name: "barcode" });
  const price = amount(entry.price), currency = coin(entry.price);
  const value = amount(entry.value), valueCurrency = coin(entry.value);
  const valuedOn = text(entry.valuedOn, { maxlength: 10 }), acquiredOn = text(entry.acquiredOn, { maxlength: 10 });
  const acquiredFrom = text(entry.acquiredFrom, { dir: "auto" });
  const conditions = [["", t("common.none")], ...CONDITIONS.map((one) => [one, t(`condition.${one}`)])];
  const save = () => {
    for (const input of [price, value]) check(input, /^\d*([.,]\d+)?$/.test(input.value.trim()), "copy.badAmount");
    for (const input of [valuedOn, acquiredOn]) {
      check(input, /^(\d{4}(-\d{2}(-\d{2})?)?)?$/.test(input.value.trim()), "copy.badDate");
    }
    const money = (input, code) => moneyFrom(input.value, code.value.trim().toUpperCase());
    if (price.value.trim()) remember("currency", currency.value.trim().toUpperCase());
    return {
      barcode: barcode.value.trim() || null,
      condition: condition || null,
      price: money(price, currency),
      value: money(value, valueCurrency),
      valuedOn: valuedOn.value.trim() || null,
      acquiredOn: acquiredOn.value.trim() || null,
      acquiredFrom: acquiredFrom.value.trim() || null,
    };
  };
  const changed = await formSheet(t("copy.title"), [
    field(t("import.field.barcode"), barcode),
    field(
      t("import.field.condition"),
      select(/** @type {[string, string][]} */ (conditions), condition, (chosen) => (condition = chosen)),
    ),
    h("div.edit-pair", null, field(t("import.field.price"), price), field(t("import.field.currency"), currency)),
    h("div.edit-pair", null, field(t("import.field.value"), value), field(t("copy.valueCurrency"), valueCurrency)),
    field(t("copy.valuedOn"), valuedOn, t("copy.dateHint")),
    field(t("import.field.acquired"), acquiredOn, t("copy.dateHint")),
    field(t("import.field.acquiredFrom"), acquiredFrom),
  ], save);
  if (changed) change(changed);
}

/** The worth of the books on each shelf; nothing where no copy has a price. @param {any} value */
export function worthSection(value) {
  if (!value?.total.sums.length) return null;
  const words = (place) =>
    place.sums.map((sum) => moneyInWords({ amount: sum.value, currency: sum.currency })).join(", ") || t("common.none");
  const line = (name, place) =>
    h(
      "li.kv",
      null,
      h("span.k.grow", { dir: "auto" }, name),
      h(
        "span.v.nums",
        null,
        words(place),
        place.withoutPrice > 0 && h("span.caption", null, ` (${t("copy.withoutPrice", { n: place.withoutPrice })})`),
      ),
    );
  return h(
    "section.section",
    { "aria-label": t("copy.worth") },
    h("h2", null, t("copy.worth")),
    h(
      "ul.rows",
      null,
      value.places.map((place) => line(place.shelf?.path ?? t("scan.noShelf"), place)),
      line(t("copy.total"), value.total),
    ),
  );
}

/** Returns what the copies on each shelf cost and are worth; null if it is not known. */
export const loadWorth = () => api.libraryValue().catch(() => null);
