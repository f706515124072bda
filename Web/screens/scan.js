// Scan: camera, hints, shutter, the tray of photos.
import * as api from "../lib/api.js";
import { announce, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import * as camera from "../lib/camera.js";
import { ACCEPT, photosIn, prepare } from "../lib/photos.js";
import { hints } from "../lib/quality.js";
import * as queue from "../lib/queue.js";
import { go } from "../lib/router.js";
import { online, shelves } from "../lib/state.js";
import { button, define, menu, round, Screen, segmented, sheet, undoBar } from "../elements/ui.js";

const SAMPLE_EVERY = 150;
const remembered = (key, fallback) => {
  try {
    return localStorage.getItem(key) ?? fallback;
  } catch {
    return fallback;
  }
};
const remember = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is asked again next time.
  }
};

/** The viewfinder at 1,024 px, for the overlay: about 90 KB. @param {HTMLVideoElement} video @returns {Promise<Blob | null>} */
async function smallFrame(video) {
  if (!video.videoWidth) return null;
  const scale = Math.min(1, 1024 / Math.max(video.videoWidth, video.videoHeight));
  const bitmap = await createImageBitmap(video, {
    resizeWidth: Math.round(video.videoWidth * scale),
    resizeHeight: Math.round(video.videoHeight * scale),
    resizeQuality: "medium",
  });
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d", { alpha: false })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.6));
}

/** iPhones tell how they are held only to pages that ask within a tap. */
function askForLevel() {
  const event = /** @type {any} */ (globalThis.DeviceOrientationEvent);
  event?.requestPermission?.().catch(() => {});
}

/** Photos that were taken and not sent yet survive a look at another screen. */
let tray = [];

class ScanScreen extends Screen {
  #mode = remembered("shelflist.scan-mode", "one");
  #shelfId = remembered("shelflist.scan-shelf", "");
  #cam;
  #sampler = new camera.Sampler();
  #timer = 0;
  /** @type {number | null} */ #level = null;
  #video;
  #busy = 0;

  build() {
    this.classList.add("scan", "dark");
    this.#video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": t("scan.viewfinder") });
    this.#video.muted = true;
    this.stage = h("div.finder");
    this.below = h("div.scan-below");
    this.files = h("input", {
      type: "file",
      accept: ACCEPT,
      multiple: true,
      hidden: true,
      onchange: (e) => this.#take([...e.target.files], e.target),
    });
    this.native = h("input", {
      type: "file",
      accept: "image/*",
      capture: "environment",
      hidden: true,
      onchange: (e) => this.#take([...e.target.files], e.target),
    });
    this.eye = round("eye", t("scan.live"), {
      "aria-pressed": String(remembered("shelflist.scan-live", "no") === "yes"),
      hidden: true,
      onclick: () => this.#toggleLive(),
    });
    this.torch = round("torch", t("scan.torch"), {
      "aria-pressed": "false",
      hidden: true,
      onclick: () => this.#toggleTorch(),
    });
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
        h("div.line", { style: { "--gap": "4px" } }, this.eye, this.torch),
      ),
      this.stage,
      this.below,
      this.files,
      this.native,
    );
    shelves.watch(() => this.#nameShelf(), this.signal);
    this.on(document, "paste", (e) => this.#paste(e));
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
    this.on(document, "visibilitychange", () => document.visibilityState === "visible" ? this.#resume() : this.#stop());
    this.on(globalThis, "deviceorientation", (e) => this.#tilted(e));
    this.on(globalThis, "keydown", (e) => {
      if (e.key === " " && e.target === document.body || e.key === "Enter" && e.target.matches?.("h1")) {
        e.preventDefault();
        this.#shoot();
      }
    });
    this.#drawBelow();
    this.#open();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
    this.#sampler.stop();
  }

  // ---- the camera

  async #open() {
    const why = camera.unavailable();
    if (why) return this.#noCamera(why);
    const state = await camera.permission();
    if (state === "denied") return this.#noCamera("denied");
    if (state === "granted" || remembered("shelflist.camera-ok", "") === "yes") return this.#start();
    this.#primer();
  }

  #primer() {
    replace(
      this.stage,
      h(
        "div.primer",
        null,
        icon("scan"),
        h("h2", null, t("scan.primer.title")),
        h("p", null, t("scan.primer.text")),
        button(t("scan.primer.allow"), {
          kind: "main",
          onclick: () => {
            askForLevel();
            this.#start();
          },
        }),
        button(t("scan.choose"), { kind: "link", onclick: () => this.files.click() }, "photo"),
      ),
    );
  }

  #noCamera(why) {
    this.#live = false;
    replace(
      this.stage,
      h(
        "div.primer",
        null,
        icon("scan"),
        h("h2", null, t(`scan.no.${why}.title`)),
        h("p", null, t(`scan.no.${why}.text`)),
        button(t("scan.native"), { kind: "main", onclick: () => this.native.click() }, "scan"),
        button(t("scan.choose"), { kind: "link", onclick: () => this.files.click() }, "photo"),
        why !== "missing" && why !== "none" &&
          button(t(`scan.no.${why}.how`), { kind: "link", onclick: () => this.#howTo(why) }, "info"),
      ),
    );
    this.#drawBelow();
  }

  #howTo(why) {
    sheet(
      t(`scan.no.${why}.how`),
      () => h("ol.steps", null, t(`scan.no.${why}.steps`).split("\n").map((step) => h("li", null, step))),
    );
  }

  #live = false;

  async #start() {
    try {
      this.#cam = await camera.startCamera();
    } catch (error) {
      if (this.signal.aborted) return;
      return this.#noCamera(
        error?.name === "NotFoundError" || error?.name === "OverconstrainedError"
          ? "none"
          : error?.name === "NotReadableError"
          ? "busy"
          : "denied",
      );
    }
    if (this.signal.aborted) return this.#stop();
    remember("shelflist.camera-ok", "yes");
    this.#video.srcObject = this.#cam.stream;
    this.checks = h(
      "div.checks.photo-glass",
      { "aria-hidden": "true" },
      ["sharp", "light", "level"].map((key) =>
        h("span", { "data-check": key }, icon("check"), h("span", null, t(`scan.check.${key}`)))
      ),
    );
    this.hint = h("div.hint.photo-glass", { role: "status", hidden: true });
    this.overlay = h("canvas.live-overlay", { "aria-hidden": "true" });
    replace(
      this.stage,
      this.#video,
      this.overlay,
      h("div.guide", { "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")),
      this.checks,
      this.hint,
      this.#zoomControl(),
    );
    this.torch.hidden = !this.#cam.torch;
    this.eye.hidden = false;
    if (this.eye.getAttribute("aria-pressed") === "true") this.#look();
    this.#live = true;
    this.#drawBelow();
    try {
      await this.#video.play();
    } catch {
      // Autoplay was refused; the shutter starts it.
    }
    this.#sampleSoon();
    this.#cam.track.addEventListener("ended", () => !this.signal.aborted && this.#noCamera("busy"), { once: true });
  }

  #zoomControl() {
    const zoom = this.#cam.zoom;
    if (!zoom) return null;
    return h(
      "label.zoom.photo-glass",
      null,
      h("span.sr", null, t("scan.zoom")),
      h("input", {
        type: "range",
        min: zoom.min,
        max: zoom.max,
        step: zoom.step,
        value: zoom.min,
        oninput: (e) => camera.setZoom(this.#cam.track, Number(e.target.value)).catch(() => {}),
      }),
    );
  }

  // ---- the live overlay: the server reads small frames and says where it sees spines

  #toggleLive() {
    const on = this.eye.getAttribute("aria-pressed") !== "true";
    this.eye.setAttribute("aria-pressed", String(on));
    remember("shelflist.scan-live", on ? "yes" : "no");
    announce(t(on ? "scan.liveOn" : "scan.liveOff"));
    if (on) this.#look();
    else this.overlay?.getContext("2d")?.clearRect(0, 0, this.overlay.width, this.overlay.height);
  }

  #looking = false;

  /** One frame after another, as fast as the server answers and not faster than three a second. */
  async #look() {
    if (this.#looking) return;
    this.#looking = true;
    while (!this.signal.aborted && this.#live && this.#cam && this.eye.getAttribute("aria-pressed") === "true") {
      const began = performance.now();
      let rest = 330;
      try {
        const frame = await smallFrame(this.#video);
        if (frame) this.#outline(await api.preview(frame, this.signal));
      } catch (error) {
        // Busy with real photos, or away: the viewfinder stays useful without outlines.
        rest = Math.max(1500, error?.retryAfterMs ?? 0);
        this.overlay?.getContext("2d")?.clearRect(0, 0, this.overlay.width, this.overlay.height);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(60, rest - (performance.now() - began))));
    }
    this.#looking = false;
  }

  #outline({ spines = [] }) {
    const canvas = this.overlay, video = this.#video;
    if (this.signal.aborted || !canvas || this.eye.getAttribute("aria-pressed") !== "true") return;
    const dense = Math.min(2, devicePixelRatio || 1);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== width * dense) canvas.width = width * dense;
    if (canvas.height !== height * dense) canvas.height = height * dense;
    const context = canvas.getContext("2d");
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    // The viewfinder shows the video as 'cover'.
    const scale = Math.max(width / video.videoWidth, height / video.videoHeight);
    const left = (width - video.videoWidth * scale) / 2, top = (height - video.videoHeight * scale) / 2;
    context.lineJoin = "round";
    for (
      const [colour, thick] of /** @type {Array<[string, number]>} */ ([["rgb(16 12 8 / 0.7)", 4], ["#fff9ee", 1.8]])
    ) {
      context.strokeStyle = colour;
      context.lineWidth = thick;
      for (const { quad } of spines) {
        context.beginPath();
        quad.forEach(([x, y], i) =>
          context[i ? "lineTo" : "moveTo"](left + x * video.videoWidth * scale, top + y * video.videoHeight * scale)
        );
        context.closePath();
        context.stroke();
      }
    }
    canvas.dataset.spines = String(spines.length);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#cam?.stream.getTracks().forEach((track) => track.stop());
    this.#cam = undefined;
  }

  #resume() {
    if (this.#live && !this.#cam) this.#start();
  }

  async #toggleTorch() {
    const on = this.torch.getAttribute("aria-pressed") !== "true";
    try {
      await camera.setTorch(this.#cam.track, on);
      this.torch.setAttribute("aria-pressed", String(on));
      this.torch.classList.toggle("on", on);
    } catch {
      this.torch.hidden = true;
    }
  }

  #tilted(event) {
    if (event.gamma === null || event.beta === null) return;
    // Upright phone: gamma is its roll. Flat on its back it says nothing.
    this.#level = Math.abs(event.beta) > 40 ? Math.max(-45, Math.min(45, event.gamma)) : null;
  }

  #sampleSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (this.signal.aborted || !this.#live) return;
      await this.#sample();
      this.#sampleSoon();
    }, SAMPLE_EVERY);
  }

  #held = { key: "", since: 0, shown: "" };

  async #sample() {
    const measured = await this.#sampler.sample(this.#video);
    if (!measured || this.signal.aborted) return;
    const state = hints(measured, this.#level);
    for (const check of this.checks.children) check.classList.toggle("good", state[check.dataset.check]);
    // A hint must hold for half a second before it is said, or it would flicker.
    const key = state.list[0] ?? "";
    const now = performance.now();
    if (key !== this.#held.key) this.#held = { ...this.#held, key, since: now };
    if (now - this.#held.since < 600 || key === this.#held.shown) return;
    this.#held.shown = key;
    this.hint.hidden = !key;
    if (key) {
      replace(
        this.hint,
        icon({ dark: "light", glare: "light", blur: "steady" }[key] ?? "level"),
        h("div", null, h("strong", null, t(`scan.hint.${key}.title`)), h("span", null, t(`scan.hint.${key}.text`))),
      );
    }
  }

  // ---- photos

  async #shoot() {
    if (!this.#live) return this.native.click();
    if (tray.length + this.#busy >= this.#limit()) return this.#full();
    this.#busy++;
    this.stage.classList.remove("flash");
    void this.stage.offsetWidth;
    this.stage.classList.add("flash");
    navigator.vibrate?.(8);
    try {
      const blob = await camera.takePicture(this.#video);
      await this.#add(blob);
    } catch {
      announce(t("scan.failedShot"), true);
    } finally {
      this.#busy--;
      this.#drawBelow();
    }
    if (this.#mode === "one" && tray.length) this.#preview(0);
  }

  #limit() {
    return this.#mode === "one" ? 1 : queue.LIMIT;
  }

  #full() {
    if (this.#mode === "one" && tray.length) return this.#preview(0);
    announce(t("scan.full", { n: queue.LIMIT }), true);
  }

  async #add(file) {
    const photo = await prepare(file);
    const entry = { ...photo, url: URL.createObjectURL(photo.blob) };
    tray.push(entry);
    this.#drawBelow();
    announce(t("scan.added", { n: tray.length, max: this.#limit() }));
    return entry;
  }

  async #take(files, input) {
    const list = files.slice(0, queue.LIMIT - tray.length);
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
    if (this.#mode === "one" && tray.length === 1) this.#preview(0);
  }

  #paste(event) {
    const files = photosIn(event.clipboardData);
    if (!files.length) return;
    event.preventDefault();
    this.#take(files);
  }

  #setMode(mode) {
    this.#mode = mode;
    remember("shelflist.scan-mode", mode);
    this.#drawBelow();
  }

  #remove(index) {
    const [photo] = tray.splice(index, 1);
    this.#drawBelow();
    undoBar(t("scan.removed"), () => {
      tray.splice(index, 0, photo);
      this.#drawBelow();
    });
  }

  #preview(index) {
    const photo = tray[index];
    if (!photo) return;
    const single = this.#mode === "one" && tray.length === 1;
    sheet(
      t("scan.preview"),
      (close) =>
        h(
          "div.preview",
          null,
          h("img", { src: photo.url, alt: t("scan.previewAlt", { n: index + 1 }) }),
          h(
            "div.actions",
            null,
            button(t("scan.retake"), { onclick: () => close("retake") }, "rotate"),
            button(single ? t("scan.use") : t("scan.keep"), {
              kind: "main",
              autofocus: true,
              onclick: () => close("use"),
            }, "check"),
          ),
        ),
      { class: "dark full" },
    ).then((what) => {
      if (what === "retake") {
        tray.splice(index, 1);
        this.#drawBelow();
      } else if (what === "use" && single) this.#read();
    });
  }

  #openTray() {
    if (tray.length === 1) return this.#preview(0);
    sheet(t("scan.tray"), (close, dialog) => {
      const list = h("ol.tray");
      const draw = () =>
        replace(
          list,
          tray.map((photo, i) =>
            h(
              "li",
              null,
              h("button", {
                type: "button",
                "aria-label": t("scan.look", { n: i + 1 }),
                onclick: () => {
                  close();
                  this.#preview(i);
                },
              }, h("img", { src: photo.url, alt: "" })),
              h("span.nums", null, i + 1),
              round("up", t("scan.earlier", { n: i + 1 }), {
                class: "bare",
                disabled: i === 0,
                onclick: () => swap(i, i - 1),
              }),
              round("down", t("scan.later", { n: i + 1 }), {
                class: "bare",
                disabled: i === tray.length - 1,
                onclick: () => swap(i, i + 1),
              }),
              round("trash", t("scan.remove", { n: i + 1 }), {
                class: "bare",
                onclick: () => {
                  this.#remove(i);
                  tray.length ? draw() : close();
                },
              }),
            )
          ),
        );
      const swap = (a, b) => {
        [tray[a], tray[b]] = [tray[b], tray[a]];
        draw();
        this.#drawBelow();
        /** @type {any} */ (list.children[b]?.querySelector("button:nth-of-type(2)"))?.focus();
      };
      draw();
      void dialog;
      return list;
    }, { class: "dark" });
  }

  async #read() {
    if (!tray.length || this.#reading) return;
    this.#reading = true;
    const photos = tray.map(({ blob, width, height }) => ({ blob, width, height }));
    const shelf = shelves.get().find((s) => s.id === this.#shelfId);
    try {
      const scan = await queue.addScan(photos, { shelfId: shelf?.id ?? null, shelfName: shelf?.name });
      tray.forEach((p) => URL.revokeObjectURL(p.url));
      tray = [];
      go(online.get() ? `/scans/${scan.id}` : "/scans");
    } catch {
      undoBar(t("scan.noRoom"));
    } finally {
      this.#reading = false;
    }
  }
  #reading = false;

  // ---- below the viewfinder

  #drawBelow() {
    const n = tray.length, last = tray[n - 1];
    const keep = this.below.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    replace(
      this.below,
      segmented(
        t("scan.mode"),
        [["one", t("scan.one")], ["five", t("scan.five")]],
        this.#mode,
        (m) => this.#setMode(m),
        { class: "scan-mode" },
      ),
      h(
        "div.shutter-row",
        null,
        n
          ? h(
            "button.thumb",
            {
              type: "button",
              "data-key": "tray",
              "aria-label": t("scan.openTray", { n }),
              onclick: () => this.#openTray(),
            },
            h("img", { src: last.url, alt: "" }),
            h("b", null, n),
          )
          : h("span.thumb.none"),
        h("button.shutter", {
          type: "button",
          "data-key": "shutter",
          "aria-label": this.#live ? t("scan.shutter") : t("scan.native"),
          onclick: () => this.#shoot(),
        }, h("i")),
        n && (this.#mode === "five" || n > 1 || !this.#live)
          ? h("button.read", {
            type: "button",
            "data-key": "read",
            "aria-label": t("scan.read", { n }),
            onclick: () => this.#read(),
          }, icon("arrow"))
          : h("span.read.none"),
      ),
      h(
        "div.under-row",
        null,
        this.#busy
          ? h("span.pstate.preparing", null, icon("cog"), h("span", null, t("pstate.preparing")))
          : h("span.nums", null, n && this.#mode === "five" ? t("scan.count", { n, max: queue.LIMIT }) : ""),
        h(
          "button.choose",
          {
            type: "button",
            "data-key": "choose",
            onclick: () => this.files.click(),
          },
          icon("photo"),
          h("span", null, t("scan.choose")),
        ),
        h(
          "span.strong",
          { "aria-hidden": "true" },
          n && (this.#mode === "five" || n > 1 || !this.#live) ? t("scan.read", { n }) : "",
        ),
      ),
    );
    if (keep) /** @type {any} */ (this.below.querySelector(`[data-key="${keep}"]`))?.focus();
  }

  #nameShelf() {
    const shelf = shelves.get().find((s) => s.id === this.#shelfId);
    replace(this.shelfName, shelf?.name ?? t("scan.noShelf"));
  }

  #chooseShelf() {
    const choose = (id) => {
      this.#shelfId = id;
      remember("shelflist.scan-shelf", id);
      this.#nameShelf();
    };
    menu(t("scan.whichShelf"), [
      { label: t("scan.noShelf"), icon: this.#shelfId ? "minus" : "check", run: () => choose("") },
      ...shelves.get().map((s) => ({
        label: s.name,
        icon: s.id === this.#shelfId ? "check" : "place",
        run: () => choose(s.id),
      })),
      {
        label: t("shelf.new"),
        icon: "plus",
        run: async () => {
          const { newShelf } = await import("../lib/library.js");
          const shelf = await newShelf();
          if (shelf) choose(shelf.id);
        },
      },
    ]);
  }
}

export default define("sl-scan", ScanScreen);
export const title = () => t("scan.title");
