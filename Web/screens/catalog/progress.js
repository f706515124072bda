// A running download.
import { h, replace } from "../../lib/dom.js";
import { bytes, t } from "../../lib/i18n.js";
import { bar, button } from "../../elements/ui.js";
import { kept } from "./contents.js";

/** Whether a download is running, here or in another program. @param {any} catalog */
export const isActive = (catalog) => ["running", "stopping", "elsewhere"].includes(catalog?.download?.state);

/** @param {any} download @param {any} cancel stops it; falsy for members who may not */
export function progressView(download, cancel) {
  const state = download.state === "running" ? download.progress.stage : download.state;
  return h(
    "section.section.stack",
    null,
    h("h2", null, t(`catalog.state.${state}`)),
    download.languages && h("p.quiet", null, kept(download)),
    download.progress && bar(t(`catalog.state.${state}`), download.progress.fraction),
    h("p.nums.catalog-figures", null, figures(download)),
    h("p.quiet.catalog-interruption", null, interruption(download)),
    h("p.caption", null, t("catalog.continues")),
    download.state === "running" && cancel &&
      h("div", null, button(t("common.cancel"), { kind: "small", onclick: cancel })),
  );
}

/** Writes new figures into a view of the same state. */
export function updateProgress(place, download) {
  const share = download.progress?.fraction ?? 0;
  const line = place.querySelector(".bar");
  line?.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  line?.firstElementChild.style.setProperty("transform", `scaleX(${share})`);
  replace(place.querySelector(".catalog-figures"), figures(download));
  replace(place.querySelector(".catalog-interruption"), interruption(download));
}

function figures({ state, progress }) {
  if (state !== "running" || !progress || progress.stage !== "downloading") return "";
  return [
    progress.totalBytes
      ? t("catalog.bytes", { done: bytes(progress.bytes), of: bytes(progress.totalBytes) })
      : bytes(progress.bytes),
    progress.bytesPerSecond && t("catalog.speed", { speed: bytes(progress.bytesPerSecond) }),
    progress.secondsLeft && t("catalog.left", { time: duration(progress.secondsLeft) }),
    progress.editions > 0 && t("catalog.editions", { n: progress.editions }),
  ].filter(Boolean).join(" · ");
}

const interruption = ({ progress }) => progress?.interruption ? t("catalog.interrupted") : "";

/** Minutes, or hours from two of them. @param {number} seconds */
export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 120 ? t("catalog.minutes", { n: minutes }) : t("catalog.hours", { n: Math.round(minutes / 60) });
}
