// One series: its books and gaps in the order of volumes.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { refreshLibrary } from "../../lib/library.js";
import { go } from "../../lib/router.js";
import { check } from "../../elements/book-form.js";
import { cover } from "../../elements/cover.js";
import { formSheet } from "../../elements/sheet.js";
import { button, define, errorNote, field, link, round, Screen, toggle, topbar } from "../../elements/ui.js";
import { act } from "../../elements/undo.js";
import { wordsFor } from "../series.js";
import { inOrder } from "./order.js";

class OneSeriesScreen extends Screen {
  async build() {
    this.body = h("div.page");
    this.show(this.body);
    await this.#load();
  }

  async #load() {
    if (this.signal.aborted) return;
    try {
      this.#draw(await api.oneSeries(this.params.id));
    } catch (error) {
      replace(this.body, topbar(t("series.title"), "/series"), errorNote(error, () => this.#load()));
    }
  }

  #draw(series) {
    const edit = round("edit", t("series.edit"), { class: "bare", onclick: () => this.#edit(series) });
    replace(
      this.body,
      topbar(series.name, "/series", edit),
      h("p.quiet.nums", null, wordsFor(series)),
      h(
        "ul.volumes",
        null,
        inOrder(series).map((one) => h("li", null, one.book ? volume(one.book) : this.#gap(series, one.number))),
      ),
      h(
        "div.line.wrap",
        null,
        series.missing.length > 1 &&
          button(t("series.wishAll"), { onclick: () => this.#wish(series, series.missing) }, "plus"),
        link(t("series.inLibrary"), `#/library?series=${encodeURIComponent(series.name)}`, { kind: "link" }, "library"),
      ),
    );
  }

  #gap(series, number) {
    return h(
      "button.volume",
      {
        type: "button",
        "aria-label": t("series.volumeMissing", { n: number }),
        onclick: () => this.#wish(series, [number]),
      },
      h("span.gap.nums", null, number),
      h("span.caption", null, icon("plus"), t("series.wishOne")),
    );
  }

  #wish(series, numbers) {
    return this.#change(({ changed }) => t("series.wished", { n: changed }), api.wishVolumes(series.id, numbers));
  }

  async #edit(series) {
    const name = h("input.input", { value: series.name, required: true, autocomplete: "off", dir: "auto" });
    const volumes = h("input.input", {
      value: String(series.volumes ?? ""),
      maxlength: 4,
      inputmode: "numeric",
      autocomplete: "off",
    });
    let { complete } = series;
    const change = await formSheet(t("series.edit"), [
      field(t("series.name"), name, t("series.nameHint")),
      field(t("series.volumes"), volumes, t("series.volumesHint")),
      toggle(t("series.complete"), complete, (on) => (complete = on), t("series.completeHint")),
    ], () => {
      const count = volumes.value.trim();
      const isRight = !count || /^\d+$/.test(count) && Number(count) >= 1 && Number(count) <= 1000;
      check(volumes, isRight, "series.badVolumes");
      const text = name.value.trim();
      return { ...(text === series.name ? {} : { name: text }), volumes: count ? Number(count) : null, complete };
    });
    if (!change) return;
    const now = await this.#change(t("series.saved"), api.changeSeries(series.id, change));
    // The name of another series joined both.
    if (now && now.id !== series.id) go(`/series/${encodeURIComponent(now.id)}`, { replace: true });
  }

  /** Makes a change that can be undone, and shows the series as it is then. */
  #change(words, request) {
    return act(words, request, {
      restore: () => this.#load(),
      changed: () => {
        refreshLibrary();
        this.#load();
      },
    });
  }
}

const volume = (book) =>
  h(
    "a.volume",
    { href: `#/library/${encodeURIComponent(book.id)}` },
    cover(book),
    h("span.title.clip", { dir: "auto" }, book.title),
    h(
      "span.caption",
      null,
      [
        book.seriesNumber && t("series.volume", { n: book.seriesNumber }),
        book.ownership === "wishlist" && t("series.isWished"),
      ].filter(Boolean).join(" · "),
    ),
  );

export default define("sl-one-series", OneSeriesScreen);
export const title = () => t("series.title");
