// The photo of the shelf beside the queue on wide screens, with the active spine highlighted.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { quadOf } from "../../lib/geometry.js";
import { t } from "../../lib/i18n.js";
import { placeInWords } from "../../elements/place.js";
import { stage } from "../../elements/stage.js";
import { spine, spineOf } from "../../elements/spine.js";

export class ShelfBeside {
  #photo = "";
  #item = "";

  constructor() {
    this.stage = stage({ class: "review-stage" });
    this.stage.outlines = false;
    this.large = h("div.review-large");
    this.instead = h("div.review-instead", { hidden: true });
    this.element = h(
      "aside.review-side.dark",
      { "aria-label": t("correct.seeShelf") },
      this.stage,
      this.instead,
      this.large,
    );
  }

  /** Shows an item on its photo, or its cover if no picture is stored. @param {any} item */
  async show(item) {
    if (!item || this.#item === item.id + item.etag) return;
    this.#item = item.id + item.etag;
    const picture = spineOf(item);
    replace(this.large, picture && spine(picture, { lie: true, long: 900, short: 120 }));
    this.stage.setBooks([{ id: "here", state: "only", quad: quadOf(item) }]);
    const photo = item.photoId && picture ? api.photoImage(item.photoId) : "";
    if (photo && photo !== this.#photo) await this.stage.show(photo);
    this.#photo = photo;
    const isMissing = !photo || this.stage.classList.contains("missing");
    this.stage.hidden = isMissing;
    this.instead.hidden = !isMissing;
    if (isMissing) replace(this.instead, placeInWords(item, item.shelf?.name, Boolean(item.photoId)));
    if (!isMissing) this.stage.choose("here");
  }
}
