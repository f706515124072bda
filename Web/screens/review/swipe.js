// Decides a card by swiping: right verifies, left says that it is not a book. Labels say so while the finger moves.
import { h } from "../../lib/dom.js";
import { t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";

const DECIDES = 90; // px that a card has to be swiped

/** @param {any} card positioned; the labels are added to it @param {{right: () => void, left: () => void}} actions */
export function swipe(card, { right, left }) {
  let from = null, moved = 0, live = false;
  card.append(
    h("span.swipe-label.yes", { "aria-hidden": "true" }, icon("check"), t("book.yes")),
    h("span.swipe-label.no", { "aria-hidden": "true" }, icon("close"), t("book.notABook")),
  );
  card.addEventListener("pointerdown", (e) => {
    // A tap right after a swipe is a tap.
    from = null;
    live = false;
    if (e.pointerType === "mouse" || e.target.closest("input")) return;
    from = [e.clientX, e.clientY];
    moved = 0;
  });
  card.addEventListener("pointermove", (e) => {
    if (!from) return;
    const dx = e.clientX - from[0], dy = e.clientY - from[1];
    if (!live && Math.abs(dy) > 12 && Math.abs(dy) > Math.abs(dx)) return void (from = null);
    if (!live && Math.abs(dx) < 14) return;
    if (!live) card.setPointerCapture(e.pointerId);
    live = true;
    moved = dx;
    card.style.setProperty("transform", `translateX(${dx}px)`);
    card.classList.toggle("to-right", dx > 0);
    card.classList.toggle("to-left", dx < 0);
    card.classList.toggle("will-verify", dx > DECIDES);
    card.classList.toggle("will-reject", dx < -DECIDES);
  });
  const end = (e) => {
    if (!from) return;
    from = null;
    card.classList.remove("to-right", "to-left", "will-verify", "will-reject");
    card.style.removeProperty("transform");
    if (e.type === "pointercancel" || !live) return;
    if (moved > DECIDES) right();
    else if (moved < -DECIDES) left();
  };
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
  // The click that ends a swipe opens nothing.
  card.addEventListener("click", (e) => {
    if (!live) return;
    live = false;
    e.preventDefault();
    e.stopPropagation();
  }, { capture: true });
}
