// Scan: the viewfinder, the shutter and the tray of photos.
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { remember, remembered } from "../lib/memory.js";
import { ACCEPT, photosIn, prepare } from "../lib/photos.js";
import * as queue from "../lib/queue.js";
import { hints } from "../lib/quality.js";
import { redraw } from "../lib/redraw.js";
import { go } from "../lib/router.js";
import { online, shelves } from "../lib/state.js";
import { emptyTray, keepTray, loadTray, tray } from "../lib/tray.js";
import { chooseShelf } from "../elements/shelves.js";
import { define, round, Screen } from "../elements/ui.js";
import { undoBar, undoPlace } from "../elements/undo.js";
import { below } from "./scan/below.js";
import { continueOnPhone, isDesktop } from "./scan/phone.js";
import { askAbout, traySheet } from "./scan/tray.js";
import { Viewfinder } from "./scan/viewfinder.js";

class ScanScreen extends Screen {
  /** @type {Viewfinder} */ finder = /** @type {any} */ (null);
  #mode = remembered("scan-mode") ?? "one";
  #shelfId = remembered("scan-shelf") ?? "";
  #busy = 0;
  #reading = false;
  #undoPlace = undoPlace();
  /** The last photo that was read, which leads to all. @type {{url?: string} | null} */ #earlier = null;

  build() {
    this.classList.add("scan", "dark");
    this.below = h("div.scan-below");
    const input = (props) =>
      h("input", { type: "file", hidden: true, onchange: (e) => this.#take([...e.target.files], e.target), ...props });
    this.files = input({ accept: ACCEPT, multiple: true });
    this.native = input({ accept: "image/*", capture: "environment" });
    this.finder = new Viewfinder(this.signal, {
      takePhoto: () => this.native.click(),
      choose: () => this.files.click(),
      phone: continueOnPhone,
    }, () => this.#drawBelow());
    this.shelfName = h("span.clip");
    this.show(
      h("h1.sr", { tabindex: -1 }, t("scan.title")),
      h(
        "div.scan-top",
        null,
        round("close", t("scan.leave"), { onclick: () => go("/library") }),
        h(
          "button.scan-shelf",
          { type: "button", onclick: () => this.#chooseShelf() },
          icon("place"),
          this.shelfName,
          icon("down"),
        ),
        h(
          "div.line",
          { style: { "--gap": "4px" } },
          isDesktop() && round("phone", t("scan.phone"), { onclick: () => continueOnPhone() }),
          this.finder.eye,
          this.finder.torch,
        ),
      ),
      this.finder.element,
      this.below,
      this.files,
      this.native,
    );
    shelves.watch(() => this.#nameShelf(), this.signal);
    this.#listen();
    this.#drawBelow();
    this.finder.open();
    this.#showEarlier();
    loadTray().then(() => {
      if (this.signal.aborted || !tray.length) return;
      if (tray.length > 1) this.#mode = "five";
      this.#drawBelow();
    });
  }

  async #showEarlier() {
    const [latest] = queue.scans.get();
    if (!latest) return;
    this.#earlier = {};
    const blob = await queue.photoBlob(latest.photos[0]).catch(() => undefined);
    if (blob && !this.signal.aborted) {
      const url = URL.createObjectURL(blob);
      this.#earlier = { url };
      this.signal.addEventListener("abort", () => setTimeout(() => URL.revokeObjectURL(url), 1000));
    }
    this.#drawBelow();
  }

  #listen() {
    this.on(document, "paste", (e) => {
      const files = photosIn(e.clipboardData);
      if (!files.length) return;
      e.preventDefault();
      this.#take(files);
    });
    this.on(this, "dragover", (e) => {
      e.preventDefault();
      this.classList.add("dropping");
    });
    this.on(this, "dragleave", () => this.classList.remove("dropping"));
    this.on(this, "drop", (e) => {
      e.preventDefault();
      this.classList.remove("dropping");
      this.#take(photosIn(e.dataTransfer));
    });
    this.on(
      document,
      "visibilitychange",
      () => document.visibilityState === "visible" ? this.finder.resume() : this.finder.stop(),
    );
    this.on(globalThis, "deviceorientation", (e) => this.finder.tilted(e));
    this.on(globalThis, "keydown", (e) => {
      if (e.key === " " && e.target === document.body || e.key === "Enter" && e.target.matches?.("h1")) {
        e.preventDefault();
        this.#shoot();
      }
    });
  }

  // ---- photos

  get #limit() {
    return this.#mode === "one" ? 1 : queue.LIMIT;
  }

  async #shoot() {
    if (!this.finder.live) return this.native.click();
    if (tray.length + this.#busy >= this.#limit) return this.#full();
    this.#busy++;
    try {
      await this.#add(await this.finder.shoot());
    } catch {
      announce(t("scan.failedShot"), true);
    } finally {
      this.#busy--;
      this.#drawBelow();
    }
    if (this.#mode === "one" && tray.length === 1) this.#readOrAsk();
  }

  /** Reads a single photo at once where the checks pass; else the user judges it. */
  #readOrAsk() {
    const [photo] = tray;
    // A picture that the browser cannot decode cannot be judged either; the server checks it.
    const isGood = photo.measured ? !this.#faults(photo).length : !photo.width;
    return isGood ? this.#read() : this.#preview(0);
  }

  /** What the checks of the viewfinder find in a photo. @param {import("../lib/tray.js").TrayPhoto} photo */
  #faults({ measured }) {
    return measured ? hints(measured).list : [];
  }

  #full() {
    if (this.#mode === "one" && tray.length) return this.#preview(0);
    announce(t("scan.full", { n: queue.LIMIT }), true);
  }

  /** @param {Blob | VideoFrame} file */
  async #add(file) {
    const photo = await prepare(file);
    tray.push({ ...photo, url: URL.createObjectURL(photo.blob) });
    keepTray();
    this.#drawBelow();
    announce(t("scan.added", { n: tray.length, max: this.#limit }));
  }

  async #take(files, input) {
    const list = files.slice(0, Math.max(0, queue.LIMIT - tray.length));
    if (input) input.value = "";
    if (!list.length) return;
    if (list.length + tray.length > 1 && this.#mode === "one") this.#setMode("five");
    this.setAttribute("aria-busy", "true");
    const failed = [];
    for (const file of list) {
      this.#busy++;
      this.#drawBelow();
      try {
        await this.#add(file);
      } catch {
        failed.push(file.name || t("scan.thisFile"));
      }
      this.#busy--;
      this.#drawBelow();
    }
    this.removeAttribute("aria-busy");
    if (failed.length) undoBar(t("scan.unreadable", { names: failed.join(", ") }));
    else if (files.length > list.length) undoBar(t("scan.full", { n: queue.LIMIT }));
    if (this.#mode === "one" && tray.length === 1) this.#readOrAsk();
  }

  #setMode(mode) {
    this.#mode = mode;
    remember("scan-mode", mode);
    this.#drawBelow();
  }

  async #preview(index) {
    const photo = tray[index];
    if (!photo) return;
    const single = this.#mode === "one" && tray.length === 1;
    const answer = await askAbout(photo, index, { isSingle: single, faults: this.#faults(photo) });
    if (answer === "retake") {
      tray.splice(index, 1);
      keepTray();
      this.#drawBelow();
    } else if (answer === "use" && single) this.#read();
  }

  #openTray() {
    if (tray.length === 1) return this.#preview(0);
    traySheet(tray, {
      look: (i) => this.#preview(i),
      remove: (i) => this.#remove(i),
      changed: () => {
        keepTray();
        this.#drawBelow();
      },
    });
  }

  #remove(index) {
    const [photo] = tray.splice(index, 1);
    keepTray();
    this.#drawBelow();
    undoBar(t("scan.removed"), () => {
      tray.splice(index, 0, photo);
      keepTray();
      this.#drawBelow();
    });
  }

  async #read() {
    if (!tray.length || this.#reading) return;
    this.#reading = true;
    const photos = tray.map(({ blob, width, height }) => ({ blob, width, height }));
    const shelf = shelves.get().find((s) => s.id === this.#shelfId);
    try {
      const scan = await queue.addScan(photos, { shelfId: shelf?.id ?? null, shelfName: shelf?.path });
      await emptyTray();
      go(online.get() ? `/scans/${scan.id}` : "/scans");
    } catch {
      undoBar(t("scan.noRoom"));
    } finally {
      this.#reading = false;
    }
  }

  #drawBelow() {
    const actions = {
      setMode: (mode) => this.#setMode(mode),
      openTray: () => this.#openTray(),
      shoot: () => this.#shoot(),
      read: () => this.#read(),
      choose: () => this.files.click(),
    };
    redraw(
      this.below,
      this.#undoPlace,
      below(
        { photos: tray, mode: this.#mode, live: this.finder.live, busy: this.#busy, earlier: this.#earlier },
        actions,
      ),
    );
  }

  // ---- the shelf

  #nameShelf() {
    const shelf = shelves.get().find((s) => s.id === this.#shelfId);
    replace(this.shelfName, shelf?.path ?? t("scan.noShelf"));
  }

  #chooseShelf() {
    chooseShelf(t("scan.whichShelf"), this.#shelfId, (shelf) => {
      this.#shelfId = shelf?.id ?? "";
      remember("scan-shelf", this.#shelfId);
      this.#nameShelf();
    });
  }
}

export default define("sl-scan", ScanScreen);
export const title = () => t("scan.title");
