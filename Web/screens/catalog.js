// The catalog on the server: what it has, its download, and its updates.
import * as api from "../lib/api.js";
import { announce, h, replace } from "../lib/dom.js";
import { day, t } from "../lib/i18n.js";
import { redraw } from "../lib/redraw.js";
import { user } from "../lib/state.js";
import { button, define, errorNote, Screen, toggle, topbar, wordsFor } from "../elements/ui.js";
import { undoBar } from "../elements/undo.js";
import { choiceForm } from "./catalog/choice.js";
import { contents } from "./catalog/contents.js";
import { isActive, progressView, updateProgress } from "./catalog/progress.js";
import { unfinishedView } from "./catalog/unfinished.js";

/** Milliseconds between two questions to the server while a download runs. */
const PAUSE = 1000;

class CatalogScreen extends Screen {
  #timer = 0;
  #catalog;
  #settings;
  /** What the download's part shows, to redraw it only when that changes. */
  #shown = "";

  build() {
    this.#shown = "";
    this.contents = h("div");
    this.download = h("div");
    this.show(
      h(
        "div.page.narrow.settings.catalog",
        null,
        topbar(t("catalog.title"), "/settings/reading"),
        this.contents,
        this.download,
      ),
    );
    this.signal.addEventListener("abort", () => clearTimeout(this.#timer));
    this.on(document, "visibilitychange", () => !document.hidden && this.#load());
    user.watch(() => this.#catalog && this.#draw(), this.signal);
    this.#load();
  }

  get #mayChange() {
    const me = user.get();
    return !me || me.role === "owner"; // before there are accounts, this computer acts as the owner
  }

  async #load() {
    clearTimeout(this.#timer);
    let failed;
    try {
      const [catalog, settings] = await Promise.all([api.catalog(), this.#settings ?? api.settings()]);
      this.#take(catalog, settings);
    } catch (error) {
      failed = error;
    }
    if (this.signal.aborted) return;
    if (failed && !this.#catalog) replace(this.contents, errorNote(failed, () => this.#load()));
    else if (isActive(this.#catalog) && !document.hidden) this.#timer = setTimeout(() => this.#load(), PAUSE);
  }

  /** Shows a new state. @param {any} catalog */
  #take(catalog, settings = this.#settings) {
    if (this.signal.aborted) return;
    const before = this.#catalog;
    this.#catalog = catalog;
    this.#settings = settings;
    this.#draw();
    if (isActive(before) && !catalog.download && catalog.exists) announce(t("catalog.ready"));
  }

  #draw() {
    const catalog = this.#catalog, download = catalog.download;
    replace(this.contents, contents(catalog));
    const shown = [
      download?.state,
      download?.progress?.stage,
      catalog.downloaded?.finishedAt,
      catalog.checkedAt,
      this.#mayChange,
    ].join();
    if (shown === this.#shown && isActive(catalog)) updateProgress(this.download, download);
    else {
      this.#shown = shown;
      redraw(this.download, this.#downloadView());
    }
  }

  #downloadView() {
    const catalog = this.#catalog, download = catalog.download, mayChange = this.#mayChange;
    const act = (work) => () => this.#act(work);
    if (isActive(catalog)) {
      return [progressView(download, mayChange && act(() => api.cancelDownload())), mayChange && this.#monthly()];
    }
    if (!mayChange) return catalog.exists || h("p.quiet", null, t("catalog.ownerOnly"));
    if (download) {
      const actions = {
        resume: act(() => api.startDownload(download)),
        cancel: act(() => api.cancelDownload()),
        discard: act(() => api.cancelDownload({ keep: false })),
      };
      return [unfinishedView(download, actions), this.#monthly()];
    }
    return [
      catalog.downloaded && this.#newerView(act(() => api.updateCatalog())),
      choiceForm(catalog, (choice) => this.#act(() => api.startDownload(choice))),
    ];
  }

  #newerView(check) {
    const last = this.#catalog.checkedAt;
    return h(
      "section.section.stack",
      null,
      h("h2", null, t("catalog.newer")),
      h("p.quiet", null, last ? t("catalog.checked", { day: day(last) }) : t("catalog.neverChecked")),
      h("div", null, button(t("catalog.check"), { kind: "main", onclick: check }, "rotate")),
      this.#monthly(),
    );
  }

  #monthly() {
    return toggle(
      t("catalog.monthly"),
      this.#settings.updateCatalog,
      (updateCatalog) => this.#change({ updateCatalog }),
      t("catalog.monthlyText"),
    );
  }

  async #change(what) {
    try {
      this.#settings = await api.changeSettings(what, this.#settings.etag);
    } catch (error) {
      undoBar(error.status === 409 ? t("settings.conflict") : wordsFor(error));
      this.#settings = undefined;
      await this.#load();
    }
  }

  /** Sends a request that answers with the new state. @param {() => Promise<any>} work */
  async #act(work) {
    try {
      this.#shown = ""; // a repeated failure is shown again
      this.#take(await work());
    } catch (error) {
      undoBar(wordsFor(error));
    }
    await this.#load();
  }
}

export default define("sl-catalog", CatalogScreen);
export const title = () => t("catalog.title");
