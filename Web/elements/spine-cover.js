// The part of a made cover that needs the picture of the spine.
import { coverColours, css } from "../lib/colours.js";
import { spine } from "./spine.js";

/** The length of a spine on a cover, in CSS px. */
const LENGTH = 180;

/** The colours of spines that were drawn before, by URL. @type {Map<string, ReturnType<typeof coverColours>>} */
const colours = new Map();

/** Shows the spine at the cover's left edge, and takes its colours. `otherwise` runs if there is no picture of it. */
export function addSpine(element, crop, otherwise) {
  const address = new URL(crop);
  address.searchParams.set("size", "320");
  const picture = spine({ source: address.href }, { long: LENGTH, short: LENGTH / 3 });
  element.append(picture);
  const known = colours.get(crop);
  if (known) paint(element, known);
  picture.addEventListener("drawn", () => {
    if (!colours.has(crop)) colours.set(crop, coverColours(middle(picture)));
    paint(element, /** @type {any} */ (colours.get(crop)));
  });
  picture.addEventListener("missing", () => {
    picture.remove();
    otherwise();
  });
}

/** The pixels of a spine's picture without its edges, where the neighbours and shadows are. */
function middle(canvas) {
  const side = Math.floor(canvas.width * 0.2), end = Math.floor(canvas.height * 0.05);
  const width = Math.max(1, canvas.width - 2 * side), height = Math.max(1, canvas.height - 2 * end);
  return canvas.getContext("2d").getImageData(side, end, width, height).data;
}

function paint(element, { ground, ink, mark }) {
  for (const [name, colour] of Object.entries({ "--g": ground, "--i": ink, "--m": mark })) {
    element.style.setProperty(name, css(colour));
  }
}
