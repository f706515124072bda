// The viewfinder: the picture of the camera with its checks, the outlines of spines, torch and zoom.
import { announce, h, replace } from "../../lib/dom.js";
import { vibrate } from "../../lib/haptics.js";
import { t } from "../../lib/i18n.js";
import * as camera from "../../lib/camera.js";
import { remember, remembered } from "../../lib/memory.js";
import { round } from "../../elements/ui.js";
import { Hints } from "./hints.js";
import { LiveOverlay } from "./live.js";
import { noCamera, primer } from "./primer.js";

export class Viewfinder {
  /** Whether it shows the camera. */ live = false;
  element = h("div.finder");
  #cam;
  #video;
  #hints = new Hints();
  /** @type {LiveOverlay | undefined} */ #overlay;

  /**
   * @param {AbortSignal} signal ends the viewfinder
   * @param {{takePhoto: () => void, choose: () => void, phone: () => void}} choices without a camera
   * @param {() => void} onChange is called when `live` has changed
   */
  constructor(signal, choices, onChange) {
    this.signal = signal;
    this.choices = choices;
    this.onChange = onChange;
    this.#video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": t("scan.viewfinder") });
    this.#video.muted = true;
    const pressed = (name, key, on, run) =>
      round(name, t(key), { "aria-pressed": String(on), hidden: true, onclick: run });
    /** The buttons for outlines and torch. */
    this.eye = pressed("eye", "scan.live", remembered("scan-live") === "yes", () => this.#toggleOutlines());
    this.torch = pressed("torch", "scan.torch", false, () => this.#toggleTorch());
    signal.addEventListener("abort", () => {
      this.stop();
      this.#hints.close();
    }, { once: true });
  }

  /** Starts the camera if it is allowed, else asks for it. */
  async open() {
    const why = camera.unavailable();
    if (why) return this.#fail(why);
    const state = await camera.permission();
    if (state === "denied") return this.#fail("denied");
    if (state === "granted" || remembered("camera-ok") === "yes") return this.#start();
    replace(this.element, primer({ allow: () => this.#start(), ...this.choices }));
  }

  stop() {
    this.#hints.stop();
    this.#cam?.stream.getTracks().forEach((track) => track.stop());
    this.#cam = undefined;
  }

  /** Starts the camera again after `stop`. */
  resume() {
    if (this.live && !this.#cam) this.#start();
  }

  /** Takes a picture, with a flash on the screen. */
  shoot() {
    this.element.classList.remove("flash");
    void this.element.offsetWidth;
    this.element.classList.add("flash");
    vibrate("shutter");
    return camera.takePicture(this.#video);
  }

  /** @param {DeviceOrientationEvent} event */
  tilted(event) {
    this.#hints.tilted(event);
  }

  #fail(why) {
    this.live = false;
    replace(this.element, noCamera(why, this.choices));
    this.onChange();
  }

  async #start() {
    try {
      this.#cam = await camera.startCamera();
    } catch (error) {
      if (this.signal.aborted) return;
      const why = { NotFoundError: "none", OverconstrainedError: "none", NotReadableError: "busy" };
      return this.#fail(why[error?.name] ?? "denied");
    }
    if (this.signal.aborted) return this.stop();
    remember("camera-ok", "yes");
    this.#video.srcObject = this.#cam.stream;
    this.#overlay = new LiveOverlay(this.#video, this.signal);
    replace(
      this.element,
      this.#video,
      this.#overlay.element,
      h("div.guide", { "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")),
      this.#hints.checks,
      this.#hints.words,
      this.#zoomControl(),
    );
    this.torch.hidden = !this.#cam.torch;
    this.eye.hidden = false;
    this.live = true;
    this.onChange();
    try {
      await this.#video.play();
    } catch {
      // Autoplay was blocked; the shutter starts it.
    }
    this.#hints.run(this.#video);
    this.#outline();
    this.#cam?.track.addEventListener("ended", () => !this.signal.aborted && this.#fail("busy"), { once: true });
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

  get #isOutlining() {
    return this.eye.getAttribute("aria-pressed") === "true";
  }

  #outline() {
    this.#overlay?.run(() => this.live && Boolean(this.#cam) && this.#isOutlining);
  }

  #toggleOutlines() {
    const on = !this.#isOutlining;
    this.eye.setAttribute("aria-pressed", String(on));
    remember("scan-live", on ? "yes" : "no");
    announce(t(on ? "scan.liveOn" : "scan.liveOff"));
    if (on) this.#outline();
    else this.#overlay?.clear();
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
}
