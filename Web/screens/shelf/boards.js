// The boards of a shelf: its spines, cut from the photos, and the gaps of missing books.
import { h, wide } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { hash } from "../../elements/cover.js";
import { spine } from "../../elements/spine.js";
import { columns, photoScales } from "./sizes.js";
import { volumeSlot } from "./volumes.js";

/** The least height of a spine and the least width of a gap, in CSS px. */
const LOW = 44, GAP = 58;
const PALETTES = 12;

/**
 * @param {any[][]} boards
 * @param {any[]} photos of the shelf with their detections
 * @param {(spine: any) => void} ask opens the menu of a spine that is missing, lent, out of order, or belongs elsewhere
 * @param {Map<any, any[]>} volumes missing volumes of series, by the spine to their left
 * @param {(series: any, number: number) => any} wishFor puts a missing volume on the wish list
 */
export function drawBoards(boards, photos, ask, volumes, wishFor) {
  const scales = photoScales(photos);
  const scale = (one) => scales.get(one.photoId) ?? 1;
  const tallest = Math.max(1, ...boards.flat().map((one) => one.height * scale(one)));
  const room = wide() ? 232 : 184;
  const scaleOf = (one) => scale(one) * room / tallest;
  return boards.map((board, i) =>
    h(
      "div.board.shelf-board",
      {
        role: "group",
        "data-scroll": i,
        "aria-label": t("shelf.board", { n: i + 1, of: boards.length }),
        onkeydown: step,
      },
      h(
        "ul.board-spines",
        null,
        columns(board, scaleOf, photos).map((stack) => [
          h("li", null, stack.map((one) => place(one, ask))),
          stack.flatMap((one) => volumes.get(one.spine) ?? []).map((slot) =>
            h("li", null, volumeSlot(slot, Math.max(LOW * 2, ...stack.map((one) => one.height)), wishFor))
          ),
        ]),
      ),
    )
  ).map(roving);
}

/** One stop for the Tab key in each board; arrows step through its spines. */
function roving(board) {
  board.querySelectorAll("a, button").forEach((one, i) => one.setAttribute("tabindex", i ? "-1" : "0"));
  return board;
}

function step(event) {
  const all = [...event.currentTarget.querySelectorAll("a, button")], at = all.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined || !all[to]) return;
  event.preventDefault();
  all[at]?.setAttribute("tabindex", "-1");
  all[to].setAttribute("tabindex", "0");
  all[to].focus();
  all[to].scrollIntoView({ block: "nearest", inline: "nearest" });
}

function place(sized, ask) {
  const { entry, state, isNew } = sized.spine;
  const author = entry.authors.join(", ");
  const name = author ? t("book.by", { title: entry.title, author }) : entry.title;
  if (state === "missing" || state === "lent") return gap(sized, name, ask);
  const props = { "data-state": state, title: entry.title };
  const mark = marked(sized.spine);
  return mark
    ? h(
      "button.shelf-spine",
      { ...props, type: "button", "aria-label": t(mark.words, { name }), onclick: () => ask(sized.spine) },
      picture(sized),
      h("span.spine-badge", null, icon(mark.icon)),
    )
    : h(
      "a.shelf-spine",
      {
        ...props,
        href: `#/library/${encodeURIComponent(entry.id)}`,
        "aria-label": state === "found" ? t("gap.foundName", { name }) : isNew ? t("gap.newName", { name }) : name,
      },
      picture(sized),
      (state === "found" || isNew) && h("span.spine-badge", null, icon(isNew ? "plus" : "check")),
    );
}

/** What is to be asked about a spine that the photos show, with its icon; undefined if nothing is. */
function marked({ entry, state, outOfOrder }) {
  if (state === "elsewhere") return { words: "gap.elsewhereName", icon: "place" };
  if (entry.ownership === "lent") return { words: "gap.lentHereName", icon: "lent" };
  if (outOfOrder) return { words: "gap.strayName", icon: "arrow" };
}

function gap({ spine: one, width, height, lies }, name, ask) {
  const { entry, state } = one;
  return h(
    "button.shelf-gap",
    {
      type: "button",
      class: lies ? `${state} lies` : state,
      "data-state": state,
      "aria-label": t(`gap.${state}Name`, { name }),
      style: { width: `${Math.max(GAP, width)}px`, height: `${Math.max(lies ? LOW : LOW * 2, height)}px` },
      onclick: () => ask(one),
    },
    h("span.gap-title", { dir: "auto" }, entry.title),
    h("span.gap-state", null, t(`gap.${state}`)),
  );
}

/** The spine from its photo; without a picture, one with the book's title. */
function picture(sized) {
  const { spine: one, width, lies } = sized, height = Math.max(lies ? 0 : LOW, sized.height);
  if (!one.cropUrl) return made(one.entry, width, height);
  const source = `${one.cropUrl}${one.cropUrl.includes("?") ? "&" : "?"}size=640`;
  const canvas = spine({ source }, { lie: lies, long: Math.max(width, height), short: Math.min(width, height) });
  canvas.addEventListener("missing", () => canvas.replaceWith(made(one.entry, width, height)));
  return canvas;
}

const made = (entry, width, height) =>
  h(
    "span.made-spine",
    {
      class: `p${hash(`${entry.authors.join(", ")}|${entry.title}`) % PALETTES}${width > height ? " lies" : ""}`,
      style: { width: `${Math.max(18, width)}px`, height: `${Math.max(18, height)}px` },
    },
    h("span", { dir: "auto" }, entry.title),
  );
