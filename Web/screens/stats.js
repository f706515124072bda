// Statistics of the library. Charts are SVG with a text alternative for screen readers.
import * as api from "../lib/api.js";
import { h, replace, s } from "../lib/dom.js";
import { bytes, listed, number, percent, region, t, translated } from "../lib/i18n.js";
import { loadWorth, worthSection } from "./work/copy.js";
import { define, empty, errorNote, link, Screen, topbar } from "../elements/ui.js";

/** Shelves in the chart; *Shelves* lists all. */
const MOST_SHELVES = 12;
/** Months in a chart, the latest ones. */
const MOST_MONTHS = 18;
/** Decades in a row without a book that are shown as empty; more would hide the others. */
const MOST_EMPTY = 10;

/** Adds the decades without books between others. @param {Array<{key: string, count: number}>} counts in order */
function decades(counts) {
  return counts.flatMap((one, i) => {
    const before = Number(counts[i - 1]?.key), n = (Number(one.key) - before) / 10 - 1;
    if (!(n > 0 && n <= MOST_EMPTY)) return [one];
    return [...Array.from({ length: n }, (_, k) => ({ key: String(before + 10 * (k + 1)), count: 0 })), one];
  });
}

class StatsScreen extends Screen {
  async build() {
    this.body = h("div.page");
    this.show(this.body);
    const top = topbar(t("stats.title"), "/library");
    replace(this.body, top);
    let stats, review, worth;
    try {
      [stats, review, worth] = await Promise.all([api.stats(), api.reviewStats().catch(() => null), loadWorth()]);
    } catch (error) {
      return replace(this.body, top, errorNote(error, () => this.build()));
    }
    if (this.signal.aborted) return;
    if (!stats.entries) {
      return replace(
        this.body,
        top,
        empty(t("library.empty"), link(t("scans.new"), "#/scan", { kind: "main" }, "scan")),
      );
    }
    const figure = (n, name) => h("div.figure", null, h("b.nums", null, number(n)), h("span", null, t(name, { n })));
    replace(
      this.body,
      top,
      h(
        "div.figures",
        null,
        figure(stats.entries, "stats.books"),
        figure(stats.authors, "stats.authors"),
        figure(stats.shelves, "stats.shelves"),
        figure(stats.photos, "stats.photos"),
      ),
      h(
        "div.charts",
        null,
        this.#bars(t("stats.byDecade"), decades(stats.byDecade).map((c) => [t("stats.decade", { d: c.key }), c.count])),
        this.#rank(t("stats.byAuthor"), stats.byAuthor.slice(0, 10)),
        this.#rank(
          t("stats.byShelf"),
          stats.byShelf.slice(0, MOST_SHELVES).map((c) => ({ ...c, key: c.key || t("scan.noShelf") })),
          stats.byShelf.length > MOST_SHELVES && link(t("shelves.all"), "#/shelves", { kind: "link" }),
        ),
        this.#rank(t("stats.byStatus"), stats.byStatus.map((c) => ({ ...c, key: this.#status(c.key) }))),
        this.#bars(t("stats.added"), this.#months(stats.addedByMonth.slice(-MOST_MONTHS))),
        this.#rank(
          t("stats.bySource"),
          stats.bySource.map((c) => ({ ...c, key: translated(`stats.source.${c.key}`, c.key) })),
        ),
        this.#scans(stats.scansByMonth),
        review && review.reviewed > 0 && this.#accuracy(review),
      ),
      worthSection(worth),
      h(
        "p.caption.section",
        null,
        t("stats.storage", {
          parts: listed(
            ["photos", "covers", "database"].filter((part) => stats.storageBytes[part] > 0).map((part) =>
              t(`stats.stored.${part}`, { size: bytes(stats.storageBytes[part]) })
            ),
          ),
        }),
      ),
    );
  }

  #status(key) {
    for (const kind of ["reading", "ownership"]) {
      if (t(`${kind}.${key}`) !== `${kind}.${key}`) return t(`${kind}.${key}`);
    }
    return key === "none" || !key ? t("stats.noStatus") : key;
  }

  /** Bars with the month and its year; among many bars the year is shown only in January. */
  #months(counts) {
    return counts.map((c) => {
      const isNarrow = counts.length > 6, isJanuary = c.key.endsWith("-01");
      /** @type {Intl.DateTimeFormatOptions} */
      const style = !isNarrow
        ? { month: "short", year: "numeric" }
        : isJanuary
        ? { year: "numeric" }
        : { month: "short" };
      return [month(c.key, style), c.count, month(c.key)];
    });
  }

  /** The scans of each month, and how many of all were read to the end. */
  #scans(months) {
    const sum = (name) => months.reduce((all, one) => all + one[name], 0);
    return this.#bars(
      t("stats.scans"),
      this.#months(months.slice(-MOST_MONTHS).map((one) => ({ key: one.month, count: one.started }))),
      t("stats.scansText", { done: sum("completed"), n: sum("started") }),
    );
  }

  /**
   * A column chart.
   *
   * @param {string} title
   * @param {Array<any[]>} pairs of label and number; the third value is a longer label for screen readers
   * @param {string} [text]
   */
  #bars(title, pairs, text) {
    if (!pairs.length) return null;
    const most = Math.max(1, ...pairs.map((p) => p[1]));
    return h(
      "figure.chart",
      null,
      h("figcaption", null, h("h2", null, title), text && h("p.quiet", null, text)),
      h(
        "ol.spine-bars",
        { class: pairs.length > 9 ? "many" : "" },
        pairs.map(([word, n, whole = word], i) =>
          h(
            "li",
            { title: `${whole}: ${number(n)}` },
            h(
              "div.track",
              { "aria-hidden": "true" },
              h("span.nums.caption", null, n ? number(n) : ""),
              n > 0 && h("i", { class: `tone${i % 5}`, style: { height: `${Math.max(2, n / most * 90)}%` } }),
            ),
            h("span.caption.under", { "aria-hidden": "true" }, word),
            h("span.sr", null, `${whole}: ${number(n)}`),
          )
        ),
      ),
    );
  }

  /** A bar chart with labels, and what leads to more. */
  #rank(title, counts, more) {
    if (!counts.length) return null;
    const most = Math.max(1, ...counts.map((c) => c.count));
    return h(
      "figure.chart",
      null,
      h("figcaption", null, h("h2", null, title)),
      h(
        "ol.rank",
        null,
        counts.map((c, i) =>
          h(
            "li",
            null,
            h("span.clip", null, c.key),
            h("i", { class: `tone${i % 5}`, style: { width: `${Math.max(1, c.count / most * 100)}%` } }),
            h("span.nums.caption", null, number(c.count)),
          )
        ),
      ),
      more,
    );
  }

  #accuracy(review) {
    const points = review.byMonth.filter((m) => m.reviewed > 0);
    const w = 320, hgt = 120;
    const x = (i) => points.length > 1 ? i / (points.length - 1) * w : w / 2,
      y = (m) => hgt - m.correct / m.reviewed * hgt;
    const path = points.map((m, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(m).toFixed(1)}`).join("");
    const all = percent(review.correct / review.reviewed);
    return h(
      "figure.chart",
      null,
      h(
        "figcaption",
        null,
        h("h2", null, t("stats.accuracy")),
        h("p.quiet", null, t("stats.accuracyText", { p: all, n: review.reviewed })),
      ),
      points.length > 1 &&
        s(
          "svg.linechart",
          {
            viewBox: `-6 -6 ${w + 12} ${hgt + 12}`,
            role: "img",
            "aria-label": points.map((m) => `${month(m.month)}: ${percent(m.correct / m.reviewed)}`).join(", "),
          },
          s("path", { d: `M0 0H${w}M0 ${hgt / 2}H${w}M0 ${hgt}H${w}`, class: "grid" }),
          s("path", { d: path, class: "line" }),
          points.map((m, i) => s("circle", { cx: x(i), cy: y(m), r: 3.5 })),
        ),
      h(
        "ul.rows",
        null,
        review.byTier.filter((x2) => x2.reviewed).map((x2) =>
          h(
            "li.kv",
            null,
            h("span", null, t(`tier.${x2.tier}`)),
            h("span.nums", null, t("stats.right", { p: percent(x2.correct / x2.reviewed), n: x2.reviewed })),
          )
        ),
      ),
    );
  }
}

/** @param {string} key such as `2026-11` @param {Intl.DateTimeFormatOptions} [style] */
function month(key, style = { month: "long", year: "numeric" }) {
  const date = new Date(`${key}-01T00:00:00`);
  return Number.isNaN(date.getTime()) ? key : date.toLocaleDateString(region(), style);
}

export default define("sl-stats", StatsScreen);
export const title = () => t("stats.title");
