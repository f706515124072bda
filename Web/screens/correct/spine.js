// The spine, full screen.
import { h, replace } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { sheet } from "../../elements/sheet.js";
import { button } from "../../elements/ui.js";
import { spine } from "../../elements/spine.js";

/** @param {any} picture of the spine @param {number} turn degrees */
export function showSpine(picture, turn) {
  sheet(t("correct.spine"), () => {
    const place = h("div.big-spine");
    const draw = () =>
      replace(place, spine({ ...picture, rotate: turn }, turn % 180 ? { lie: true, long: 560 } : { long: 620 }));
    draw();
    return h(
      "div",
      null,
      place,
      h(
        "div.actions",
        null,
        button(t("correct.rotate"), {
          onclick: () => {
            turn += 90;
            draw();
          },
        }, "rotate"),
      ),
    );
  }, { class: "dark" });
}
