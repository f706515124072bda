// A photo of a shelf in a shop: the server reads it, and each spine gets its verdict. Nothing is kept of it.
import * as api from "../../lib/api.js";
import { announce, h, replace, s } from "../../lib/dom.js";
import { follow } from "../../lib/follow.js";
import { bounds, quadOf, shelfOrder } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { prepare } from "../../lib/photos.js";
import { redraw } from "../../lib/redraw.js";
import { newId } from "../../lib/scans.js";
import { online } from "../../lib/state.js";
import { titleAndAuthor } from "../../elements/book.js";
import { errorNote } from "../../elements/ui.js";
import { verdictMark, whereabouts } from "../../elements/verdict.js";

/** What is written on a spine beside its number. */
const SIGNS = { have: "✓", otherEdition: "≈", wished: "★", fillsGap: "+", unsure: "?", notYours: "–" };

/**
 * Reads a photo and shows the verdicts in `place`.
 *
 * @param {any} place @param {Blob} file @param {AbortSignal} signal ends it, and deletes the photo on the server
 */
export async function checkPhoto(place, file, signal) {
  if (!online.get()) return replace(place, h("p.quiet", { role: "status" }, t("own.photoOffline")));
  const say = h("p.quiet", { role: "status" }, t("own.sending"));
  replace(place, say);
  let job, problem;
  try {
    const photo = await prepare(file);
    job = await api.openScan({ id: newId(), purpose: "check" }, 1, { signal });
    await api.putPhoto(job, 1, photo, { signal });
    replace(say, t("own.reading"));
    await follow(api.jobSource(job), ({ type, data }) => {
      if (type === "error") problem = { code: data.code, detail: data.message };
    }, { signal });
    if (signal.aborted) return;
    if (problem) throw problem;
    const results = await api.scanResults(job);
    if (!signal.aborted) draw(place, photo, results.photos.flatMap((one) => one.books), signal);
  } catch (error) {
    if (error?.name === "AbortError" || signal.aborted) return;
    replace(place, errorNote(error, () => checkPhoto(place, file, signal)));
  } finally {
    if (job) api.cancelScan(job).catch(() => {});
  }
}

/** @param {any} place @param {{blob: Blob, width: number, height: number}} photo @param {any[]} found */
function draw(place, photo, found, signal) {
  const spines = shelfOrder(found), verdicts = spines.map((spine) => spine.own?.verdict ?? "unsure");
  if (!spines.length) return replace(place, h("p.quiet", { role: "status" }, t("own.nothing")));
  const count = (...wanted) => verdicts.filter((verdict) => wanted.includes(verdict)).length;
  const have = count("have", "otherEdition"), wished = count("wished");
  const gaps = count("fillsGap");
  const summary = [
    t("own.summary", { have, wished, rest: spines.length - have - wished - gaps }),
    gaps > 0 && t("own.gaps", { n: gaps }),
  ].filter(Boolean).join(", ");
  announce(summary);
  redraw(
    place,
    h("p", null, summary),
    photo.width > 0 && picture(photo, spines, verdicts, signal),
    h("div.own-list", { role: "list" }, spines.map((spine, i) => row(spine, verdicts[i], i + 1))),
  );
}

function picture({ blob, width, height }, spines, verdicts, signal) {
  const src = URL.createObjectURL(blob);
  signal.addEventListener("abort", () => URL.revokeObjectURL(src), { once: true });
  const size = Math.max(width, height) / 42;
  const spot = (spine, i) => {
    const quad = quadOf(spine).map(([x, y]) => [x * width, y * height]), box = bounds(quad);
    return s(
      "g",
      { "data-verdict": verdicts[i] },
      s("polygon", { points: quad.map((point) => point.map((v) => v.toFixed(1)).join(",")).join(" ") }),
      s(
        "text",
        { x: box.x + box.width / 2, y: box.y + size * (1.2 + 1.1 * (i % 3)), "font-size": size },
        `${i + 1}${SIGNS[verdicts[i]] ?? "?"}`,
      ),
    );
  };
  return h(
    "div.own-photo",
    null,
    h("img", { src, alt: "", width, height }),
    s("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, spines.map(spot)),
  );
}

function row(spine, verdict, number) {
  const copy = spine.own?.copies[0], series = spine.own?.series;
  const caption = copy ? whereabouts(copy) : series && t("series.of", { series: series.name, n: spine.own.volume });
  const words = [
    h("span.nums.quiet", null, `${number}`),
    h("span.grow", null, titleAndAuthor(spine), caption && h("span.caption.clip", { dir: "auto" }, caption)),
    verdictMark(verdict),
  ];
  const props = { role: "listitem", "data-key": spine.id };
  return copy
    ? h("a.could-row", { ...props, href: `#/library/${encodeURIComponent(copy.id)}` }, words)
    : h("div.could-row", props, words);
}
