// Import and export of lists: preview, mapping of columns, progress, and rows that failed.
import * as api from "../lib/api.js";
import { download } from "../lib/csv.js";
import { h, replace } from "../lib/dom.js";
import { FORMATS } from "../lib/export.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { redraw } from "../lib/redraw.js";
import { shelfSelect } from "../elements/shelves.js";
import { bar, button, define, errorNote, field, link, Screen, select, topbar } from "../elements/ui.js";
import { act } from "../elements/undo.js";
import { columnList } from "./import/columns.js";
import { failedList } from "./import/failed.js";

class ImportScreen extends Screen {
  /** The list that is being imported. @type {File | undefined} */ #list;

  build() {
    this.file = h("input", {
      type: "file",
      accept: ".csv,.tsv,.txt,.ris,.json,text/csv",
      hidden: true,
      onchange: (e) => this.#take(e.target.files[0]),
    });
    this.place = h("div");
    this.show(
      h(
        "div.page.narrow",
        null,
        topbar(t("import.title"), "/library"),
        this.place,
        h(
          "section.section",
          null,
          h("h2", null, t("export.title")),
          h("p.quiet", null, t("export.text")),
          h(
            "div.line.wrap.export",
            null,
            FORMATS.map(([key, word]) =>
              link(word, api.exportAddress(key), { kind: "small", download: "" }, "download")
            ),
          ),
        ),
        this.file,
      ),
    );
    this.#first();
    this.on(this, "dragover", (e) => e.preventDefault());
    this.on(this, "drop", (e) => {
      e.preventDefault();
      this.#take(e.dataTransfer?.files[0]);
    });
  }

  #first(error) {
    replace(
      this.place,
      h(
        "section.drop",
        null,
        icon("lent"),
        h("h2", null, t("import.drop")),
        h("p.quiet", null, t("import.formats")),
        button(t("import.choose"), { kind: "main", onclick: () => this.file.click() }),
        error && errorNote(error),
      ),
    );
  }

  /** @param {File} [file] @param {string} [encoding] the user's choice */
  async #take(file, encoding) {
    this.file.value = "";
    if (!file) return;
    this.#list = file;
    replace(this.place, h("p.quiet", { role: "status" }, t("import.reading", { name: file.name })));
    try {
      this.#preview(await api.importFile(file, encoding));
    } catch (error) {
      this.#first(error);
    }
  }

  /** @param {any} job @param {any} [chosen] the user's choices of an import that did not start, and its error */
  #preview(job, chosen = {}) {
    const mapping = chosen.mapping ?? { ...job.mapping };
    let { duplicates = "skip", shelf = null } = chosen;
    const start = button(job.hasMoreRows ? t("import.startAll") : t("import.start", { n: job.rows }), {
      kind: "main grow",
      onclick: () => this.#run(job, { mapping, duplicates, shelf }),
    });
    const missing = h("p", { role: "status" }), used = h("summary");
    const check = () => {
      const fields = job.columns.map((column) => mapping[column]).filter(Boolean);
      used.textContent = t("import.columnsUsed", { n: fields.length, of: job.columns.length });
      start.disabled = !fields.includes("title");
      replace(missing, start.disabled ? t("import.needTitle") : null);
    };
    check();
    replace(
      this.place,
      h(
        "section",
        null,
        h("h2", { tabindex: -1 }, t(job.hasMoreRows ? "import.foundMore" : "import.found", { n: job.rows })),
        h("p.quiet", null, t(`import.kind.${job.format}`)),
        this.#encoding(job),
        // The columns of a known list need no look.
        job.format === "csv" ? columnList(job, mapping, check) : h(
          "details.import-used",
          { open: start.disabled || Boolean(chosen.error) },
          used,
          columnList(job, mapping, check),
        ),
        h(
          "div.stack.import-options",
          null,
          field(
            t("import.twice"),
            select(
              [["skip", t("import.skip")], ["addCopy", t("import.addCopy")]],
              duplicates,
              (v) => (duplicates = v),
            ),
          ),
          field(
            t("work.shelf"),
            shelfSelect(t("import.shelfFromFile"), shelf ?? "", (v) => (shelf = v || null)),
          ),
        ),
        missing,
        chosen.error && errorNote(chosen.error),
        h(
          "div.line",
          null,
          button(t("common.cancel"), {
            onclick: () => {
              api.stopImport(job.id).catch(() => {});
              this.#first();
            },
          }),
          start,
        ),
      ),
    );
    this.place.querySelector("h2")?.focus();
  }

  /** The choice of the encoding, by which the list is read again. */
  #encoding(job) {
    const names = job.encodings.map((name) => /** @type {[string, string]} */ ([name, name]));
    return h(
      "div.stack.import-options",
      null,
      field(
        t("import.encoding"),
        select(names, job.encoding, (name) => {
          api.stopImport(job.id).catch(() => {});
          this.#take(this.#list, name);
        }),
      ),
      job.otherEncoding && h("p.note", null, t("import.uncertain", { other: job.otherEncoding })),
    );
  }

  async #run(job, how) {
    const figures = h("div.stack"), stop = () => api.stopImport(job.id);
    try {
      let state = await api.startImport(job.id, how);
      redraw(
        this.place,
        h(
          "section.stack",
          null,
          h("h2", null, t("import.running")),
          figures,
          h("div", null, button(t("import.stop"), { kind: "small", onclick: stop })),
        ),
      );
      // It is followed on other screens, too, so that it can be undone there.
      while (state.status === "running") {
        replace(
          figures,
          bar(t("progress.bar"), state.rows ? state.done / state.rows : 0),
          h("p.quiet.nums", null, t("import.done", { n: state.done, of: state.rows })),
        );
        await new Promise((r) => setTimeout(r, 400));
        state = await api.importState(job.id);
      }
      act(t("import.added", { n: state.added }), state, { restore: () => this.#first() });
      redraw(this.place, this.#outcome(job, how, state));
    } catch (error) {
      // The choices are kept, so that they can be corrected.
      this.#preview(job, { ...how, error });
    }
  }

  #outcome(job, how, state) {
    const again = (label, duplicates) =>
      button(label, { kind: "small", onclick: () => this.#run(job, { ...how, duplicates }) });
    const named = state.skippedRows.length; // they are below, one by one
    return h(
      "section.stack",
      null,
      h("h2", null, state.status === "failed" ? t("error.title") : t("import.added", { n: state.added })),
      state.problem && h("p", { role: "alert" }, state.problem),
      state.skipped > named && h("p", null, t("import.skipped", { n: state.skipped - named })),
      state.notFound > 0 && h("p", null, t("import.notFound", { n: state.notFound, findAll: t("review.findAll") })),
      rowList("import.incomplete", state.incompleteRows),
      rowList(
        "import.notAdded",
        state.skippedRows,
        h(
          "div.line.wrap",
          null,
          again(t("import.different"), "different"),
          again(t("import.addCopy"), "addCopy"),
        ),
      ),
      rowList(
        "import.failed",
        state.failedRows,
        // The rows of references are not lines of the file.
        !["ris", "csl"].includes(state.format) &&
          button(t("import.saveFailed"), { kind: "small", onclick: () => this.#saveFailed(state) }, "download"),
      ),
      h(
        "div.line.wrap",
        null,
        link(t("results.toLibrary"), "#/library", { kind: "main" }),
        state.notFound > 0 && link(t("nav.review"), "#/review"),
      ),
    );
  }

  /** Saves the rows that were not imported. */
  async #saveFailed({ failedRows, encoding }) {
    const text = decoded(await this.#list?.arrayBuffer(), encoding);
    download("not-imported.csv", failedList(failedRows, text));
  }
}

/** Returns the text of a list; "" if this browser does not know its encoding. */
function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return "";
  }
}

/** Rows of a list by line, the first 200, with what can be done about them. */
const rowList = (words, rows, actions = null) =>
  rows.length > 0 && h(
    "details",
    null,
    h("summary", null, t(words, { n: rows.length })),
    actions,
    h(
      "ul.rows",
      null,
      rows.slice(0, 200).map(({ line, content, reason }) =>
        h(
          "li.kv",
          null,
          h("span.k.nums", null, t("import.line", { n: line })),
          h("span.v", null, content, " ", h("span.quiet", null, reason)),
        )
      ),
    ),
  );

export default define("sl-import", ImportScreen);
export const title = () => t("import.title");
