// One book of the queue: its spine beside the fields, the text read, and possible matches.
import * as api from "../lib/api.js";
import { announce, h, isTyping, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { offered } from "../lib/matches.js";
import { icon } from "../lib/icons.js";
import { validIsbn } from "../lib/isbn.js";
import {
  correctItem,
  decide,
  drafts,
  items,
  loadReview,
  matchItem,
  rejectItem,
  reload,
  tierOfItem,
  verifyItem,
} from "../lib/review.js";
import { go } from "../lib/router.js";
import { menu } from "../elements/sheet.js";
import { button, define, errorNote, field, round, Screen, sureness, tier, topbar, wordsFor } from "../elements/ui.js";
import { placeUndo, undoBar, undoPlace } from "../elements/undo.js";
import { cover } from "../elements/cover.js";
import { sourceName } from "../elements/match.js";
import { spineOrCover } from "../elements/place.js";
import { spine } from "../elements/spine.js";
import { reportDetection } from "../elements/report.js";
import { showOnShelf, spineOnShelf } from "../elements/shelf-view.js";
import { askForBox } from "./correct/box.js";
import { showSpine } from "./correct/spine.js";
import { findMatchFor, spineOf } from "./review/item.js";
import { moveOn, position, shownBooks } from "./review/position.js";

/** On wide screens the shelf is beside the form. */
const beside = matchMedia("(min-width: 1000px)");

class CorrectScreen extends Screen {
  #item;
  #turn = 0;

  async build() {
    this.classList.add("correct");
    this.undoPlace = undoPlace();
    this.body = h("div.page.correct-page");
    this.side = h("aside.correct-side.dark", { "aria-label": t("correct.seeShelf") });
    this.show(this.side, this.body);
    this.on(beside, "change", () => this.#item && this.#drawSide());
    this.on(globalThis, "keydown", (e) => this.#keys(e));
    if (items.get() === null) await loadReview();
    let item = items.get()?.find((i) => i.id === this.params.id);
    if (!item) {
      try {
        item = await api.detection(this.params.id);
      } catch (error) {
        return replace(
          this.body,
          this.#top(),
          error.status === 404 ? h("p", null, t("correct.gone")) : errorNote(error, () => this.build()),
        );
      }
    }
    if (this.signal.aborted) return;
    this.#item = item;
    position.activeId = item.id;
    const draft = drafts.get(item.id);
    drafts.delete(item.id);
    this.#draw(draft && { ...draft, author: draft.authors.join(", ") });
    if (draft) replace(this.say, conflictNote(item));
  }

  #top() {
    const more = () => round("more", t("common.more"), { class: "bare", onclick: () => this.#more() });
    return topbar(t("correct.title"), "/review", this.#item && more());
  }

  #draw(fill) {
    const item = this.#item;
    const list = items.get() ?? [];
    const same = list.filter((i) => tierOfItem(i) === tierOfItem(item));
    this.titleInput = h("input.input.serif", {
      name: "title",
      value: fill?.title ?? item.title ?? "",
      autocomplete: "off",
      required: true,
    });
    this.author = h("input.input", { name: "author", value: fill?.author ?? item.author ?? "", autocomplete: "off" });
    this.isbn = h("input.input", {
      name: "isbn",
      value: fill?.isbn ?? item.isbn ?? "",
      placeholder: t("common.optional"),
      inputmode: "numeric",
      autocomplete: "off",
    });
    this.say = h("div", { role: "alert" });
    const lines = (item.text ?? []).map((l) => l.text).filter(Boolean);
    const picture = spineOf(item);
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
          onsubmit: (e) => {
            e.preventDefault();
            this.#save();
          },
        },
        this.frame,
        h(
          "div.correct-fields",
          null,
          h(
            "div.line.between",
            null,
            tier(tierOfItem(item)),
            h(
              "span.quiet.nums",
              null,
              same.length > 1 || same[0]?.id === item.id
                ? t("correct.of", { n: Math.max(1, same.findIndex((i) => i.id === item.id) + 1), of: same.length })
                : item.confidence !== null
                ? sureness(item)
                : "",
            ),
          ),
          field(t("book.title"), this.titleInput),
          field(t("book.author"), this.author),
          field(t("book.isbnWord"), this.isbn),
          lines.length > 0 && h(
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
            item.confidence !== null && h("p.caption", null, sureness(item)),
          ),
          item.photoId &&
            button(t("correct.seeShelf"), { kind: "link left see-shelf", onclick: () => this.#onShelf() }, "photo"),
          this.say,
        ),
      ),
      this.#could(),
      h(
        "div.dock",
        null,
        this.undoPlace,
        button(t("book.findMatch"), { onclick: () => this.#match() }, "search"),
        h(
          "button.btn.main",
          { type: "submit", form: "correct" },
          list.length > 1 ? t("correct.next") : t("common.save"),
        ),
      ),
    );
    placeUndo();
    this.titleInput.focus({ preventScroll: true });
    this.titleInput.setSelectionRange(this.titleInput.value.length, this.titleInput.value.length);
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

  #could() {
    const matches = offered(this.#item, 4);
    if (!matches.length) return null;
    return h(
      "section.section",
      null,
      h("h2", null, t("book.couldBe")),
      h(
        "ul.rows",
        null,
        matches.map((m) =>
          h(
            "li.could-row",
            null,
            cover(m, { size: "xs" }),
            h(
              "span.grow",
              null,
              h("span.title", null, m.title, m.subtitle && h("span.quiet", null, `: ${m.subtitle}`)),
              h("span.caption", null, [m.author, m.publisher, m.year].filter(Boolean).join(" · ")),
              h("span.caption", null, sourceName(m.source)),
            ),
            button(t("book.use"), {
              kind: "small",
              "aria-label": t("correct.useName", { title: m.title }),
              onclick: () => this.#use(m),
            }),
          )
        ),
      ),
    );
  }

  /** A candidate is saved by one tap; Undo brings the book back. */
  #use({ title, author, isbn }) {
    const change = { title, authors: api.authorsFrom(author), ...(isbn ? { isbn } : {}) };
    this.#run((i) => correctItem(i, change), t("match.used", { title }));
  }

  #useLine(line) {
    const words = line === line.toUpperCase()
      ? line.toLowerCase().replace(/(^|[\s\-–])\p{L}/gu, (c) => c.toUpperCase())
      : line;
    const target = this.titleInput.value.trim()
      ? (this.author.value.trim() ? this.titleInput : this.author)
      : this.titleInput;
    target.value = words;
    target.focus();
  }

  /** @param {any} [draft] what was typed */
  #run(work, words, draft) {
    const item = this.#item, next = moveOn(item);
    const { done, back: undo } = decide([item], work);
    undoBar(words, undo);
    done.catch(async (error) => {
      if (error.status === 409) {
        await reload(item).catch(() => {});
        if (draft) drafts.set(item.id, draft);
        undoBar(t("error.conflict"));
        go(`/review/${encodeURIComponent(item.id)}`);
      } else undoBar(wordsFor(error));
    });
    go(next ? `/review/${encodeURIComponent(next.id)}` : "/review", { replace: true });
  }

  #save() {
    const title = this.titleInput.value.trim();
    if (!title) {
      this.titleInput.setAttribute("aria-invalid", "true");
      replace(this.say, t("correct.needTitle"));
      return this.titleInput.focus();
    }
    const isbn = this.isbn.value.replace(/[\s-]/g, "");
    if (isbn && !validIsbn(isbn)) {
      this.isbn.setAttribute("aria-invalid", "true");
      replace(this.say, t("correct.badIsbn"));
      return this.isbn.focus();
    }
    const change = { title, authors: api.authorsFrom(this.author.value), ...(isbn ? { isbn } : {}) };
    this.#run((i) => correctItem(i, change), t("correct.saved", { title }), change);
  }

  async #match() {
    const item = this.#item;
    const found = await findMatchFor(item, [this.titleInput.value, this.author.value]);
    if (found) this.#run((i) => matchItem(i, found), t("match.used", { title: found.title }));
  }

  #more() {
    const item = this.#item;
    menu(t("common.more"), [
      {
        label: t("correct.verify"),
        icon: "check",
        run: () => this.#run(verifyItem, t("review.verified", { title: item.title || t("book.unread") })),
      },
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
      { label: t("book.notABook"), icon: "close", danger: true, run: () => this.#run(rejectItem, t("book.removed")) },
    ]);
  }

  #onShelf() {
    showOnShelf(t("correct.seeShelf"), this.#item.photoId, this.#item, this.#item, this.#item.shelf?.name);
  }

  async #box() {
    const fresh = await askForBox(this.#item);
    if (!fresh) return;
    this.#item = fresh;
    items.update((list) => (list ?? []).map((i) => i.id === fresh.id ? fresh : i));
    this.#turn = 0;
    this.#draw();
    announce(t("correct.readAgainDone", { title: fresh.title || t("book.unread") }));
  }

  #keys(event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      return go("/review");
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return this.#save();
    }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    const list = shownBooks().flat;
    const at = list.findIndex((i) => i.id === this.#item?.id);
    const key = event.key.toLowerCase();
    const to = key === "j" ? list[at + 1] : key === "k" ? list[at - 1] : null;
    if (to) go(`/review/${encodeURIComponent(to.id)}`, { replace: true });
    else if (key === "v") this.#run(verifyItem, t("review.verified", { title: this.#item.title || t("book.unread") }));
    else if (key === "m") this.#match();
  }
}

/** What the book says now, beside what was typed. */
const conflictNote = ({ title: now, author }) =>
  h(
    "div.note",
    null,
    icon("info"),
    h("p", null, t("correct.conflict", { title: now || t("book.unread"), author: author || t("book.noAuthor") })),
  );

export default define("sl-correct", CorrectScreen);
export const title = () => t("correct.title");
