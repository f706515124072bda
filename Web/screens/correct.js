// One book of the queue: its spine beside the fields, the text read, and possible matches.
import * as api from "../lib/api.js";
import { announce, h, replace, runShortcut } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { items, loadReview } from "../lib/review.js";
import { go } from "../lib/router.js";
import { tierOfBook } from "../lib/tiers.js";
import { candidates, linesOf, sureBesideTier, titleOf } from "../elements/book.js";
import { spineOrCover } from "../elements/place.js";
import { reportDetection } from "../elements/report.js";
import { menu } from "../elements/sheet.js";
import { showOnShelf, spineOnShelf } from "../elements/shelf-view.js";
import { spine, spineOf } from "../elements/spine.js";
import { button, define, errorNote, round, Screen, tier, topbar } from "../elements/ui.js";
import { placeUndo, undoPlace } from "../elements/undo.js";
import { askForBox } from "./correct/box.js";
import { showSpine } from "./correct/spine.js";
import { applyMatch, correct, findMatchFor, reject, useCandidate, verify } from "./review/decide.js";
import { itemForm, keepTyped } from "./review/form.js";
import { moveOn, position, shownBooks } from "./review/position.js";

/** On wide screens the shelf is beside the form. */
const beside = matchMedia("(min-width: 1000px)");

class CorrectScreen extends Screen {
  /** @type {ReturnType<typeof itemForm>} */ form = /** @type {any} */ (null);
  #item;
  #turn = 0;
  #isDecided = false;

  async build() {
    this.classList.add("correct");
    this.undoPlace = undoPlace();
    this.body = h("div.page.correct-page");
    this.side = h("aside.correct-side.dark", { "aria-label": t("correct.seeShelf") });
    this.show(this.side, this.body);
    this.on(beside, "change", () => this.#item && this.#drawSide());
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    await this.#load();
  }

  /** What was typed is there again after Back. */
  disconnectedCallback() {
    super.disconnectedCallback();
    if (!this.#isDecided) keepTyped(this);
  }

  async #load() {
    if (items.get() === null) await loadReview();
    let item = items.get()?.find((i) => i.id === this.params.id);
    if (!item) {
      try {
        item = await api.detection(this.params.id);
      } catch (error) {
        return replace(
          this.body,
          this.#top(),
          error.status === 404 ? h("p", null, t("correct.gone")) : errorNote(error, () => this.#load()),
        );
      }
    }
    if (this.signal.aborted) return;
    this.#item = item;
    position.activeId = item.id;
    this.#draw();
  }

  #top() {
    const more = () => round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
    return topbar(t("correct.title"), "/review", this.#item && more());
  }

  #draw() {
    const item = this.#item, name = tierOfBook(item), picture = spineOf(item);
    const waiting = items.get()?.length ?? 0;
    this.form = itemForm(item);
    // One button says what it does: it confirms the book as it is, or saves what was typed.
    const save = h("button.btn.main", { type: "submit", form: "correct" });
    const label = () => {
      const words = !this.form.isChanged() ? "correct.unchanged" : waiting > 1 ? "correct.next" : "common.save";
      save.textContent = t(words);
    };
    this.frame = h("button.spine-frame", {
      type: "button",
      "aria-label": t("correct.zoom"),
      onclick: () => showSpine(spineOf(item), this.#turn),
    });
    this.#drawSpine(picture);
    this.#drawSide();
    replace(
      this.body,
      this.#top(),
      h(
        "form.correct-form",
        {
          id: "correct",
          oninput: label,
          onsubmit: (e) => {
            e.preventDefault();
            this.#save();
          },
        },
        this.frame,
        h(
          "div.correct-fields",
          null,
          h("div.line.between", null, tier(name), h("span.quiet.nums", null, this.#place())),
          this.form.fields,
          this.#lines(),
          item.photoId &&
            button(t("correct.seeShelf"), { kind: "link left see-shelf", onclick: () => this.#onShelf() }, "photo"),
          this.form.say,
        ),
      ),
      candidates(item, (match) => this.#decide(() => useCandidate(item, match)), 4, "h2"),
      h(
        "div.dock",
        null,
        this.undoPlace,
        button(t("book.findMatch"), { onclick: () => this.#match() }, "search"),
        save,
      ),
    );
    label();
    placeUndo();
    const { title } = this.form.inputs;
    title.focus({ preventScroll: true });
    title.setSelectionRange(title.value.length, title.value.length);
  }

  /** "3 of 18", as the queue counts; how sure a book is that does not wait. */
  #place() {
    const list = shownBooks().flat, at = list.findIndex((i) => i.id === this.#item.id);
    return at < 0 ? sureBesideTier(this.#item) : t("correct.of", { n: at + 1, of: list.length });
  }

  /** The text on the spine. A line that is tapped becomes title or author. */
  #lines() {
    const lines = linesOf(this.#item);
    return lines.length > 0 && h(
      "div.read-quote",
      null,
      h("p.caption", null, t("book.weRead")),
      lines.map((line, i) =>
        h(
          "button.read-word",
          {
            type: "button",
            title: t("correct.useLine"),
            "aria-label": t("correct.useLineName", { line }),
            onclick: () => this.#useLine(line),
          },
          line,
          i < lines.length - 1 ? h("span.quiet", null, " ·") : null,
        )
      ),
      h("p.caption", null, sureBesideTier(this.#item)),
    );
  }

  /** The photo with this spine highlighted, and the spine horizontal and as large as possible. */
  #drawSide() {
    const picture = spineOf(this.#item), { photoId } = this.#item;
    this.classList.toggle("beside", beside.matches && Boolean(picture));
    if (!beside.matches || !picture) return replace(this.side);
    replace(
      this.side,
      spineOnShelf(photoId, this.#item, { class: "correct-stage" }, "fit"),
      h("div.correct-large", null, spine(picture, { lie: true, long: 900, short: 150 })),
    );
  }

  #drawSpine(picture) {
    replace(
      this.frame,
      spineOrCover(
        picture && { ...picture, rotate: this.#turn },
        this.#item,
        this.#turn % 180 ? { lie: true, long: 88, short: 88 } : { long: 366, short: 84 },
      ),
    );
    this.frame.disabled = !picture;
  }

  #useLine(line) {
    const words = line === line.toUpperCase()
      ? line.toLowerCase().replace(/(^|[\s\-–])\p{L}/gu, (c) => c.toUpperCase())
      : line;
    const { title, author } = this.form.inputs;
    const target = title.value.trim() && !author.value.trim() ? author : title;
    target.value = words;
    target.dispatchEvent(new Event("input", { bubbles: true }));
    target.focus();
  }

  #decide(decision) {
    const next = moveOn(this.#item);
    this.#isDecided = true;
    decision();
    go(next ? `/review/${encodeURIComponent(next.id)}` : "/review", { replace: true });
  }

  #save() {
    if (!this.form.isChanged()) return this.#verify();
    this.form.submit((change) => this.#decide(() => correct(this.#item, change)));
  }

  #verify() {
    this.#decide(() => verify(this.#item));
  }

  async #match() {
    const item = this.#item, { title, author } = this.form.inputs;
    const found = await findMatchFor(item, [title.value, author.value]);
    if (found) this.#decide(() => applyMatch(item, found));
  }

  #more() {
    const item = this.#item;
    menu(t("common.more"), [
      {
        label: t("correct.rotate"),
        icon: "rotate",
        run: () => {
          this.#turn = (this.#turn + 90) % 360;
          this.#drawSpine(spineOf(item));
        },
      },
      item.cropUrl && { label: t("correct.moveBox"), icon: "box", run: () => this.#box() },
      item.photoId && { label: t("correct.seeShelf"), icon: "photo", run: () => this.#onShelf() },
      { label: t("results.report"), icon: "info", run: () => reportDetection({ detectionId: item.id }, spineOf(item)) },
      { label: t("book.notABook"), icon: "close", danger: true, run: () => this.#decide(() => reject(item)) },
    ]);
  }

  #onShelf() {
    showOnShelf(t("correct.seeShelf"), this.#item.photoId, this.#item, this.#item, this.#item.shelf?.name);
  }

  async #box() {
    const fresh = await askForBox(this.#item);
    if (!fresh) return;
    keepTyped(this);
    this.#item = fresh;
    items.update((list) => (list ?? []).map((i) => i.id === fresh.id ? fresh : i));
    this.#turn = 0;
    this.#draw();
    announce(t("correct.readAgainDone", { title: titleOf(fresh) }));
  }

  #keys(event) {
    if (event.defaultPrevented) return;
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      return go("/review");
    }
    if (!this.#item) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return this.#save();
    }
    const list = shownBooks().flat, at = list.findIndex((i) => i.id === this.#item.id);
    const to = (item) => item && go(`/review/${encodeURIComponent(item.id)}`, { replace: true });
    runShortcut(event, {
      j: () => to(list[at + 1]),
      k: () => to(list[at - 1]),
      v: () => this.#verify(),
      m: () => this.#match(),
    });
  }
}

export default define("sl-correct", CorrectScreen);
export const title = () => t("correct.title");
