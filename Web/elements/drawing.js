// Drawings of a shelf: what the app does, and an empty library.
import { h, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** Left edge, width, height, colour and title of each spine. @type {Array<[number, number, number, string, string]>} */
const SPINES = [
  [16, 22, 104, "#8a3b1e", "MIDDLEMARCH"],
  [40, 16, 92, "#2d6468", "EMMA"],
  [58, 26, 112, "#26374d", "DER ZAUBERBERG"],
  [86, 18, 86, "#b98332", "MOMO"],
  [106, 24, 106, "#4d5a3a", "MOBY-DICK"],
  [132, 15, 96, "#5a1422", "DUNE"],
  [149, 28, 116, "#e3d8bf", "WALDEN"],
  [179, 18, 90, "#5b5f8a", "UTOPIA"],
];
const FLOOR = 142;
/** The books that were read: the number of the spine, title and author. @type {Array<[number, string, string]>} */
const READ = [[0, "Middlemarch", "George Eliot"], [3, "Momo", "Michael Ende"], [4, "Moby-Dick", "Herman Melville"]];

/** A photo of a shelf that becomes a list of books. */
export const whatItDoes = () =>
  h(
    "div.drawing",
    null,
    s(
      "svg",
      { viewBox: "0 0 404 168", role: "img", "aria-label": t("welcome.picture") },
      s("rect", { x: 0, y: 4, width: 214, height: 160, rx: 16, fill: "#14100b" }),
      SPINES.map(standing),
      s("rect", { x: 8, y: FLOOR, width: 198, height: 7, rx: 2, fill: "#b98352" }),
      READ.map(([n]) => outline(SPINES[n])),
      s("path", { d: "M228 84h20M242 77l7 7-7 7", class: "stroke" }),
      READ.map(([n, title, author], i) => card(SPINES[n][3], title, author, 10 + i * 52)),
    ),
  );

/** A shelf without books, in outlines. */
export const emptyShelf = () =>
  h(
    "div.drawing.empty-shelf",
    { "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: "0 18 214 136" },
      SPINES.map(([x, width, height]) =>
        s("rect", { x, y: FLOOR - height, width, height, rx: 2, class: "stroke dashed" })
      ),
      s("rect", { x: 4, y: FLOOR, width: 206, height: 7, rx: 2, fill: "#b98352" }),
    ),
  );

/** @param {[number, number, number, string, string]} spine */
const standing = ([x, width, height, colour, title]) =>
  s(
    "g",
    null,
    s("rect", { x, y: FLOOR - height, width, height, rx: 2, fill: colour }),
    s("text", {
      transform: `translate(${x + width / 2 - 3} ${FLOOR - height + 8}) rotate(90)`,
      "font-size": Math.min(9, width * 0.5),
      class: "spine-title",
      fill: colour === "#e3d8bf" ? "#221c14" : "#fff9ee",
    }, title),
  );

/** @param {[number, number, number, string, string]} spine */
const outline = ([x, width, height]) =>
  s(
    "g",
    null,
    s("rect", { x, y: FLOOR - height, width, height, rx: 2, fill: "none", stroke: "#9be7b4", "stroke-width": 2 }),
    s("circle", { cx: x + width / 2, cy: FLOOR - height - 9, r: 7, fill: "#14100b", stroke: "#9be7b4" }),
    s("path", {
      d: `M${x + width / 2 - 3} ${FLOOR - height - 9}l2.2 2.4 4-4.6`,
      fill: "none",
      stroke: "#9be7b4",
      "stroke-width": 1.6,
    }),
  );

const card = (colour, title, author, y) =>
  s(
    "g",
    { transform: `translate(260 ${y})` },
    s("rect", { width: 30, height: 44, rx: 3, fill: colour }),
    s("text", { x: 40, y: 20, "font-size": 14, class: "card-title" }, title),
    s("text", { x: 40, y: 36, "font-size": 11, class: "card-by" }, author),
  );
