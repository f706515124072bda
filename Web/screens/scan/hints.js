// Hints in the viewfinder: three checks, and a text when something is wrong.
import { h, replace } from "../../lib/dom.js";
import * as camera from "../../lib/camera.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { hints } from "../../lib/quality.js";

const SAMPLE_EVERY = 150; // ms
const HOLDS = 600; // ms, to avoid flicker
const ICONS = { dark: "light", glare: "light", blur: "steady" };

export class Hints {
  #sampler = new camera.Sampler();
  #timer = 0;
  /** @type {number | null} */ #level = null;
  #held = { key: "", since: 0, shown: "" };

  constructor() {
    this.checks = h(
      "div.checks.photo-glass",
      { "aria-hidden": "true" },
      ["sharp", "light", "level"].map((key) =>
        h("span", { "data-check": key }, icon("check"), h("span", null, t(`scan.check.${key}`)))
      ),
    );
    this.words = h("div.hint.photo-glass", { role: "status", hidden: true });
  }

  /** Measures the video repeatedly until it is stopped. @param {HTMLVideoElement} video */
  run(video) {
    this.stop();
    const next = () => {
      this.#timer = setTimeout(async () => {
        const timer = this.#timer;
        const measured = await this.#sampler.sample(video);
        if (timer !== this.#timer) return; // stopped during the measurement
        if (measured) this.#tell(hints(measured, this.#level));
        next();
      }, SAMPLE_EVERY);
    };
    next();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** Stops permanently. */
  close() {
    this.stop();
    this.#sampler.stop();
  }

  /** @param {DeviceOrientationEvent} event */
  tilted({ gamma, beta }) {
    if (gamma === null || beta === null) return;
    // gamma is the roll of an upright phone; it means nothing if the phone lies flat.
    this.#level = Math.abs(beta) > 40 ? Math.max(-45, Math.min(45, gamma)) : null;
  }

  #tell(state) {
    for (const check of this.checks.children) check.classList.toggle("good", state[check.dataset.check]);
    const key = state.list[0] ?? "", now = performance.now();
    if (key !== this.#held.key) this.#held = { ...this.#held, key, since: now };
    if (now - this.#held.since < HOLDS || key === this.#held.shown) return;
    this.#held.shown = key;
    this.words.hidden = !key;
    if (!key) return;
    replace(
      this.words,
      icon(ICONS[key] ?? "level"),
      h("div", null, h("strong", null, t(`scan.hint.${key}.title`)), h("span", null, t(`scan.hint.${key}.text`))),
    );
  }
}
