// One stocktake: its progress, what is left to photograph, and the copies that were not seen.
import * as api from "../lib/stocktakes.js";
import { h, replace } from "../lib/dom.js";
import { currentLanguage, day, t } from "../lib/i18n.js";
import { refreshLibrary } from "../lib/library.js";
import { redraw } from "../lib/redraw.js";
import { go } from "../lib/router.js";
import { confirm, menu } from "../elements/sheet.js";
import { bar, define, errorNote, field, link, round, Screen, section, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";
import { scanThis } from "./shelf/compare.js";
import { misplacedCopies, SHOWN, unseenCopies, unsureSpines } from "./stocktake/copies.js";

/** After how long the progress of other phones is shown, in ms. */
const EVERY = 15_000;

class StocktakeScreen extends Screen {
  #stocktake;
  /** @type {any[]} */
  #misplaced = [];
  /** Copies that were not seen: the first ones of each state, and the number of all. @type {{items: any[], total: number}} */
  #waiting = { items: [], total: 0 };
  /** @type {any[]} */
  #spines = [];
  #isLoading = false;
  #isOld = false;

  async build() {
    this.place = h("div");
    this.code = this.#codeForm();
    this.body = h("div.page.narrow", null, topbar(t("stocktake.title"), "/stocktakes"));
    this.show(this.body);
    const timer = setInterval(() => document.visibilityState === "visible" && this.#load(true), EVERY);
    this.signal.addEventListener("abort", () => clearInterval(timer));
    await this.#load();
  }

  /** @param {boolean} [again] whether it is shown already */
  async #load(again = false) {
    // Barcodes may be scanned faster than a large stocktake is counted: one load follows all of them.
    if (this.#isLoading) {
      this.#isOld = true;
      return;
    }
    this.#isLoading = true;
    await this.#loadNow(again);
    this.#isLoading = false;
    if (this.#isOld && !this.signal.aborted) {
      this.#isOld = false;
      await this.#load(true);
    }
  }

  /** @param {boolean} again */
  async #loadNow(again) {
    const id = this.params.id;
    try {
      this.#stocktake = await api.stocktake(id);
      const isOpen = !this.#stocktake.closedAt;
      const [unseen, missing, misplaced, spines] = await Promise.all([
        api.firstCopiesOf(id, "unseen", SHOWN),
        api.firstCopiesOf(id, "missing", SHOWN),
        isOpen ? api.copiesOf(id, { state: "misplaced" }) : [],
        isOpen ? api.spinesOf(id) : [],
      ]);
      this.#waiting = { items: [...unseen.items, ...missing.items], total: unseen.total + missing.total };
      [this.#misplaced, this.#spines] = [misplaced, spines];
    } catch (error) {
      if (again || this.signal.aborted) return;
      return replace(this.body, topbar(t("stocktake.title"), "/stocktakes"), errorNote(error, () => this.#load()));
    }
    if (!this.signal.aborted) this.#draw();
  }

  #draw() {
    const { name, counts, places, closedAt } = this.#stocktake, isOpen = !closedAt;
    if (!this.place.isConnected) {
      const more = round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
      replace(this.body, topbar(name, "/stocktakes", more), this.place);
    }
    const said = [
      t("stocktake.progress", { n: counts.seen, of: counts.expected }),
      counts.misplaced > 0 && t("stocktake.nMisplaced", { n: counts.misplaced }),
      counts.lent > 0 && t("stocktake.nLent", { n: counts.lent }),
      counts.missing > 0 && t("stocktake.nMissing", { n: counts.missing }),
    ].filter(Boolean).join(" · ");
    redraw(
      this.place,
      h("p.shelf-sub", { role: "status" }, said),
      bar(said, counts.expected ? counts.seen / counts.expected : 0),
      closedAt && h("p.quiet", null, t("stocktake.closedOn", { day: day(closedAt) })),
      isOpen && this.code,
      isOpen && section(
        t("stocktake.toPhotograph"),
        places.filter((one) => !one.photographed && one.counts.unseen > 0 && one.shelf),
        (list) => h("ul.rows", null, list.map(toPhotograph)),
        { class: "section" },
      ),
      isOpen &&
        unsureSpines(
          this.#spines,
          (copy, spine) => this.#see({ copies: [copy.entryId], detection: spine.detectionId }, copy.title),
        ),
      isOpen &&
        misplacedCopies(
          this.#misplaced.filter((one) => one.seenOn),
          (words, request) => act(words, request, { changed: () => this.#changed() }),
        ),
      unseenCopies(this.#waiting, isOpen && ((copy) => this.#see({ copies: [copy.entryId] }, copy.title))),
      section(t("shelves.title"), places, (list) => h("ul.rows", null, list.map(progress)), { class: "section" }),
    );
  }

  /** The field for a barcode scanner, which types a number and Enter, or for a person. */
  #codeForm() {
    const input = h("input.input", { name: "code", autocomplete: "off", spellcheck: false, maxlength: 100 });
    const say = h("div", { role: "status" });
    return h(
      "form",
      {
        onsubmit: async (e) => {
          e.preventDefault();
          const barcode = input.value.trim();
          if (!barcode) return;
          input.value = "";
          try {
            const answer = await api.see(this.params.id, { barcode });
            const { title } = answer.copies[0];
            replace(say, h("p", null, t(answer.changed ? "stocktake.sawIt" : "stocktake.sawBefore", { title })));
            if (!this.signal.aborted) this.#load(true);
          } catch (error) {
            replace(say, errorNote(error));
          }
        },
      },
      field(t("stocktake.code"), input, t("stocktake.codeHint")),
      say,
    );
  }

  /** @param {any} seen @param {string} title */
  #see(seen, title) {
    return act(t("stocktake.sawIt", { title }), api.see(this.params.id, seen), { changed: () => this.#changed() });
  }

  #changed() {
    refreshLibrary();
    if (!this.signal.aborted) this.#load(true);
  }

  #more() {
    const { id } = this.#stocktake, open = (address) => globalThis.open(address, "_blank", "noopener");
    menu(t("common.more"), [
      { label: t("stocktake.print"), icon: "list", run: () => open(api.pageOf(id, currentLanguage())) },
      { label: t("stocktake.csv"), icon: "list", run: () => open(api.csvOf(id)) },
      !this.#stocktake.closedAt && { label: t("stocktake.close"), icon: "check", run: () => this.#close() },
      { label: t("stocktake.remove"), icon: "trash", danger: true, run: () => this.#remove() },
    ]);
  }

  async #close() {
    const { id, name, counts } = this.#stocktake;
    const text = t("stocktake.closeText", { n: counts.unseen });
    if (!await confirm(t("stocktake.closeTitle", { name }), text, t("stocktake.close"))) return;
    act(({ changed }) => t("stocktake.closed", { n: changed }), api.closeStocktake(id), {
      changed: () => this.#changed(),
    });
  }

  async #remove() {
    const { id, name } = this.#stocktake;
    if (await act(t("stocktake.removed", { name }), api.removeStocktake(id))) go("/stocktakes", { replace: true });
  }
}

const toPhotograph = ({ shelf, counts }) =>
  h(
    "li.could-row.wrap",
    null,
    h("span.grow", { dir: "auto" }, shelf.path),
    h("span.caption.nums", null, t("stocktake.left", { n: counts.unseen })),
    link(t("shelf.photograph"), "#/scan", { kind: "small", onclick: () => scanThis(shelf) }, "scan"),
  );

const progress = ({ shelf, counts }) =>
  h(
    "li.kv",
    null,
    h("span.k.grow", { dir: "auto" }, shelf?.path ?? t("scan.noShelf")),
    h("span.v.nums", null, t("stocktake.progress", { n: counts.seen, of: counts.expected })),
  );

export default define("sl-stocktake", StocktakeScreen);
export const title = () => t("stocktake.title");
