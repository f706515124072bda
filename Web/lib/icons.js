// Line icons on a 24 px grid, as SVG nodes. `.solid` is filled, `.hole` shows the background.
import { s } from "./dom.js";

/** @type {Record<string, Array<[string, string, string?]>>} */
const SHAPES = {
  library: [["path", "M4 4.5h3.2v15H4zM9.2 7h3.2v12.5H9.2z"], ["path", "M14.2 8.2l3-.8 3.3 11.6-3 .8z"], [
    "path",
    "M3 19.6h18",
  ]],
  scan: [["path", "M4 8.2h3.4L9 5.8h6l1.6 2.4H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z"], [
    "circle",
    "12 13.2 3.4",
  ]],
  review: [["path", "M6 3.5h8.5L19 8v12.5H6z"], ["path", "M14 3.5V8.3h5"], ["path", "M9.2 14l2.1 2.1 3.9-4.2"]],
  settings: [["path", "M4 7h9M18.5 7H20M4 16.5h1.5M11 16.5h9"], ["circle", "15.7 7 2.4"], ["circle", "8.2 16.5 2.4"]],
  search: [["circle", "10.8 10.8 6"], ["path", "M15.4 15.4L20 20"]],
  close: [["path", "M6 6l12 12M18 6L6 18"]],
  back: [["path", "M14.5 5.5L8 12l6.5 6.5"]],
  next: [["path", "M9.5 5.5L16 12l-6.5 6.5"]],
  down: [["path", "M6 9.5l6 6 6-6"]],
  up: [["path", "M6 14.5l6-6 6 6"]],
  arrow: [["path", "M5 12h14M13 6l6 6-6 6"]],
  more: [["circle", "5.5 12 1.6", "solid"], ["circle", "12 12 1.6", "solid"], ["circle", "18.5 12 1.6", "solid"]],
  sort: [["path", "M7 5v14M3.8 15.8L7 19l3.2-3.2M13 6.5h8M13 11.5h6M13 16.5h4"]],
  check: [["path", "M5 12.8l4.5 4.5L19 7.5"]],
  plus: [["path", "M12 5v14M5 12h14"]],
  minus: [["path", "M5 12h14"]],
  phone: [[
    "path",
    "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3z",
  ], ["path", "M10.8 18h2.4"]],
  edit: [["path", "M5 19l.9-3.9L16 5l3 3L8.9 18.1z"], ["path", "M13.8 7.2l3 3"]],
  photo: [["path", "M4 4.5h16v15H4z"], ["circle", "9 9.4 1.6"], ["path", "M4.5 17l5-4.6 3.2 3 3.3-3.4 4 4.2"]],
  place: [["path", "M12 21s-6.5-5.8-6.5-11A6.5 6.5 0 0 1 12 3.5 6.5 6.5 0 0 1 18.5 10c0 5.2-6.5 11-6.5 11z"], [
    "circle",
    "12 10 2.4",
  ]],
  torch: [["path", "M13 3L5.5 13.5H11L10 21l8-11h-5.8z"]],
  steady: [["path", "M7 4.5h10v15H7zM3.5 8v8M20.5 8v8"]],
  light: [["circle", "12 12 4"], [
    "path",
    "M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",
  ]],
  level: [["path", "M3 12h6M15 12h6"], ["circle", "12 12 3"]],
  undo: [["path", "M9 7L4.5 11.5 9 16"], ["path", "M5 11.5h9a5 5 0 0 1 0 10h-2"]],
  trash: [["path", "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.9 13h9.2l.9-13"]],
  grid: [["path", "M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z"]],
  list: [["path", "M9 6h11M9 12h11M9 18h11M4.5 6h.5M4.5 12h.5M4.5 18h.5"]],
  chart: [["path", "M4.5 19.5h15M7 16v-5M12 16V6M17 16v-7.5"]],
  tag: [["path", "M4 4h8l8.5 8.5-8 8L4 12z"], ["circle", "8 8 1.2"]],
  lent: [["path", "M4 16.5v3h16v-3M12 4v11M7.5 8.5L12 4l4.5 4.5"]],
  download: [["path", "M4 16.5v3h16v-3M12 4v11M7.5 10.5L12 15l4.5-4.5"]],
  offline: [[
    "path",
    "M3.5 3.5l17 17M8.5 13.5a5 5 0 0 1 5-1.3M5.5 10.3a10 10 0 0 1 3.4-2M12 6.8c2.5 0 4.8 1 6.5 2.8M12 17.5h.01",
  ]],
  clock: [["circle", "12 12 8"], ["path", "M12 7.5V12l3 2"]],
  sending: [["path", "M12 19V6M6.5 11L12 5.5 17.5 11"]],
  cog: [["circle", "12 12 3.2"], [
    "path",
    "M12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2.1 2.1M15.9 15.9L18 18M6 18l2.1-2.1M15.9 8.1L18 6",
  ]],
  eye: [["path", "M2.8 12S6 6 12 6s9.2 6 9.2 6-3.2 6-9.2 6-9.2-6-9.2-6z"], ["circle", "12 12 2.6"]],
  person: [["circle", "12 8 3.8"], ["path", "M4.5 20a7.5 7.5 0 0 1 15 0"]],
  key: [["circle", "8 15.5 3.8"], ["path", "M10.8 12.8L19.5 4M15.5 8l2.6 2.6"]],
  rotate: [["path", "M19.5 12A7.5 7.5 0 1 1 16.8 6.2L19.5 8.5M19.5 4v4.5H15"]],
  box: [["path", "M7 4v13h13M4 7h13v13"]],
  alert: [["path", "M12 5v9M12 18.4h.01"]],
  info: [["circle", "12 12 8.5"], ["path", "M12 11v5M12 7.8h.01"]],
  barcode: [["path", "M4 5.5v13M7 5.5v13M10.5 5.5v13M12.5 5.5v13M16 5.5v13M18 5.5v13M20.5 5.5v13"]],
  keyboard: [["path", "M3 6.5h18v11H3z"], ["path", "M6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8"]],
  needsReview_tier: [["path", "M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2z", "solid"], [
    "path",
    "M12 7.6v5.2",
    "hole",
  ], [
    "circle",
    "12 16.2 1.15",
    "hole-dot",
  ]],
  verify_tier: [["path", "M12 3.8L21.3 20H2.7z"], ["path", "M12 10.6l4 6.8H8z", "solid"]],
  notChecked_tier: [["circle", "12 12 8.8", "dots"], [
    "path",
    "M9.6 9.6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.8M12 16.4h.01",
  ]],
  ready_tier: [["circle", "12 12 8.8"], ["path", "M8 12.3l2.8 2.8 5.2-5.6"]],
};

/**
 * Returns an icon. It is decorative unless `label` is given.
 *
 * @param {string} name
 * @param {{label?: string, class?: string}} [options]
 * @returns {SVGElement}
 */
export function icon(name, options = {}) {
  const shapes = (SHAPES[name] ?? SHAPES.info).map(([kind, data, look]) => {
    if (kind === "path") return s("path", { d: data, class: look });
    const [cx, cy, r] = data.split(" ");
    return s("circle", { cx, cy, r, class: look });
  });
  return s("svg.icon", {
    viewBox: "0 0 24 24",
    class: options.class,
    ...(options.label ? { role: "img", "aria-label": options.label } : { "aria-hidden": "true" }),
  }, ...shapes);
}
