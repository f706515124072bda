// The photo with an outline per book: tap to choose; pinch, drag, wheel and double tap to zoom and pan.
import { h, reducedMotion, replace, s } from "../lib/dom.js";
import {
  areaView,
  arrow,
  bounds,
  centre,
  clampView,
  fitView,
  hit,
  quadOf,
  viewOn,
  zoomAbout,
} from "../lib/geometry.js";
import { icon } from "../lib/icons.js";
import { tierOfBook, TIERS } from "../lib/tiers.js";
import { define } from "./ui.js";

const REACH = 22; // half of 44 px

class Stage extends HTMLElement {
  /**
   * Each may have a point `to` in fractions of the photo, to which an arrow leads. One that `isPlain` has an outline only
   * while it is chosen, and one whose `hasBadge` is false a badge.
   *
   * @type {any[]}
   */
  books = [];
  photo = { width: 4, height: 3 };
  insets = { top: 0, right: 0, bottom: 0, left: 0 };
  /** "cover" fills the height with the photo, "fit" shows it whole. */
  mode = "fit";
  outlines = true;
  /** The part of the photo that "cover" opens on, in fractions; without it, the middle. @type {number[][] | null} */
  area = null;
  /** Dims the photo except for the books that were read. */
  lights = false;
  /** @type {string | null} */ chosen = null;
  #view = { x: 0, y: 0, scale: 1 };
  #img;
  #svg;
  #pointers = new Map();
  #moved = false;
  #frame = 0;
  #watch;
  /** @type {{x: number, y: number, scale: number} | null} */ #rest = null;

  connectedCallback() {
    this.#img ??= h("img", { alt: "", draggable: "false" });
    this.#svg ??= s("svg", { "aria-hidden": "true" });
    this.replaceChildren(this.#img, this.#svg);
    this.#build();
    this.#watch = new ResizeObserver(() => this.layout());
    this.#watch.observe(this);
    if (this.dataset.listening) return;
    this.dataset.listening = "";
    this.addEventListener("pointerdown", (e) => this.#down(e));
    this.addEventListener("pointermove", (e) => this.#move(e));
    this.addEventListener("pointerup", (e) => this.#up(e));
    this.addEventListener("pointercancel", (e) => this.#up(e));
    this.addEventListener("wheel", (e) => this.#wheel(e), { passive: false });
    this.addEventListener("dblclick", (e) => this.#double(e));
  }
  disconnectedCallback() {
    this.#watch?.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** @param {string} source @param {number} [width] @param {number} [height] */
  async show(source, width, height) {
    if (this.#img.src !== source) this.#img.src = source;
    if (width && height) this.photo = { width, height };
    this.layout();
    try {
      await this.#img.decode();
    } catch {
      this.classList.add("missing");
      this.dispatchEvent(new Event("missing"));
      return;
    }
    this.classList.remove("missing");
    this.photo = { width: this.#img.naturalWidth, height: this.#img.naturalHeight };
    this.layout();
    this.classList.add("ready");
  }

  setBooks(books) {
    this.books = books;
    this.#build();
    this.#place();
  }

  #room() {
    const { top, right, bottom, left } = this.insets;
    return {
      left,
      top,
      width: Math.max(1, this.clientWidth - left - right),
      height: Math.max(1, this.clientHeight - top - bottom),
    };
  }
  #limits() {
    const room = this.#room();
    const fit = Math.min(room.width / this.photo.width, room.height / this.photo.height);
    return { min: fit, max: Math.max(fit * 8, 1.5) };
  }

  layout() {
    if (!this.clientWidth) return;
    const room = this.#room();
    if (this.mode === "cover") {
      const scale = Math.max(room.height / this.photo.height, room.width / this.photo.width);
      if (this.area) this.#rest = areaView(this.area, room, this.photo, scale);
      else {this.#rest = clampView(
          {
            scale,
            x: room.left + (room.width - this.photo.width * scale) / 2,
            y: room.top + (room.height - this.photo.height * scale) / 2,
          },
          room,
          this.photo,
          { min: 0, max: scale },
        );}
    } else this.#rest = fitView(room, this.photo);
    if (this.#rest) this.#view = this.#rest;
    if (this.chosen) this.#view = this.#on(this.chosen) ?? this.#view;
    this.#place();
  }

  #on(id) {
    const book = this.books.find((b) => b.id === id);
    if (!book) return undefined;
    const { min, max } = this.#limits();
    const rest = this.#rest?.scale ?? min;
    // Zooms in only if the spine would be too small.
    const size = bounds(quadOf(book));
    const across = Math.min(size.width * this.photo.width, size.height * this.photo.height);
    const long = Math.max(size.width * this.photo.width, size.height * this.photo.height);
    const room = this.#room();
    const wanted = Math.min(
      max,
      Math.max(rest, 40 / Math.max(1, across)),
      Math.max(rest, Math.min(room.width, room.height) * 1.1 / Math.max(1, long)),
    );
    return viewOn(quadOf(book), room, this.photo, { min: wanted, max: wanted });
  }

  /** Chooses a book: dims the rest and pans to it. */
  choose(id, { pan = true } = {}) {
    this.chosen = id;
    this.#build();
    if (!pan) {
      if (id && this.#rest) this.#view = this.#on(id) ?? this.#view;
      return this.#place();
    }
    this.#glide(id ? this.#on(id) ?? this.#view : this.#rest ?? this.#view);
  }

  reset() {
    this.#glide(this.#rest);
  }

  zoom(factor) {
    const room = this.#room(), { min, max } = this.#limits();
    this.#glide(
      clampView(
        zoomAbout(this.#view, factor, [room.left + room.width / 2, room.top + room.height / 2], min, max),
        room,
        this.photo,
        { min, max },
      ),
    );
  }

  #glide(to) {
    cancelAnimationFrame(this.#frame);
    if (reducedMotion() || !to) {
      this.#view = to ?? this.#view;
      return this.#place();
    }
    const from = this.#view, began = performance.now();
    const step = (now) => {
      const p = Math.min(1, (now - began) / 280), e = 1 - (1 - p) ** 3;
      this.#view = {
        x: from.x + (to.x - from.x) * e,
        y: from.y + (to.y - from.y) * e,
        scale: from.scale + (to.scale - from.scale) * e,
      };
      this.#place();
      if (p < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** The outlines as SVG nodes, placed afterwards. */
  #build() {
    if (!this.#svg) return;
    const groups = this.books.map((book) => {
      const name = book.state ?? tierOfBook(book), isChosen = book.id === this.chosen;
      const g = s(
        "g",
        { class: `mark ${name}${isChosen ? " chosen" : book.isPlain ? " plain" : ""}`, "data-id": book.id },
        s("polygon.casing"),
        s("polygon.edge"),
        name === "verify" && s("polygon.inner"),
        book.to && [s("path.arrow.casing"), s("path.arrow.edge")],
      );
      if (this.outlines && TIERS.includes(name) && (isChosen || book.hasBadge !== false)) {
        const badge = icon(`${name}_tier`);
        badge.setAttribute("x", "-11");
        badge.setAttribute("y", "-11");
        badge.setAttribute("width", "22");
        badge.setAttribute("height", "22");
        g.append(s("g.badge-mark", null, s("circle", { r: "16" }), badge));
      }
      return g;
    });
    replace(this.#svg, s("path.dim", { "fill-rule": this.lights ? "nonzero" : "evenodd" }), ...groups);
    this.classList.toggle("has-chosen", Boolean(this.chosen));
  }

  #place() {
    if (!this.#img) return;
    const { x, y, scale } = this.#view, { width, height } = this.photo;
    const style = this.#img.style;
    style.setProperty("width", `${width}px`);
    style.setProperty("height", `${height}px`);
    style.setProperty("transform", `translate(${x}px, ${y}px) scale(${scale})`);
    const screen = (p) => [x + p[0] * width * scale, y + p[1] * height * scale];
    const taken = [];
    const marks = this.#svg.querySelectorAll(".mark");
    let hole = "";
    marks.forEach((mark, i) => {
      const quad = quadOf(this.books[i]).map(screen);
      const points = quad.map((p) => `${p[0].toFixed(1)},${p[1].toFixed(1)}`).join(" ");
      for (const polygon of mark.querySelectorAll("polygon")) polygon.setAttribute("points", points);
      const { to } = this.books[i];
      if (to) {
        const top = [(quad[0][0] + quad[1][0]) / 2, quad[0][1] + (quad[3][1] - quad[0][1]) * 0.15];
        const path = arrow(top, screen(to), 12);
        for (const line of mark.querySelectorAll(".arrow")) line.setAttribute("d", path);
      }
      if (this.books[i].id === this.chosen) hole = `M${quad.map((p) => p.join(" ")).join("L")}Z`;
      const badge = mark.querySelector(".badge-mark");
      if (badge) {
        badge.setAttribute(
          "transform",
          `translate(${this.#badgePlace(quad, taken).map((v) => v.toFixed(1)).join(" ")})`,
        );
      }
    });
    const dim = this.#svg.querySelector(".dim");
    if (this.lights) {
      hole = this.books.filter((b) =>
        b.state !== "found"
      ).map((b) => `M${quadOf(b).map(screen).reverse().map((p) => p.join(" ")).join("L")}Z`).join("") || " ";
    }
    dim?.setAttribute("d", hole ? `M0 0H${this.clientWidth}V${this.clientHeight}H0Z${hole}` : "");
  }

  /** Places a badge above an upright spine or at the right end of a horizontal one, without overlapping others. */
  #badgePlace(quad, taken) {
    const box = bounds(quad);
    const lying = box.width > box.height;
    const [cx, cy] = centre(quad);
    let at = lying
      ? [box.x + box.width - 20, cy]
      : [(quad[0][0] + quad[1][0]) / 2, Math.min(quad[0][1], quad[1][1]) - 18];
    if (!lying && at[1] < this.insets.top + 18) at = [cx, Math.max(box.y + 20, this.insets.top + 18)];
    for (let i = 0; i < 4 && taken.some((p) => Math.hypot(p[0] - at[0], p[1] - at[1]) < 30); i++) {
      at = lying ? [at[0] - 34, at[1]] : [at[0], at[1] - (i % 2 ? -1 : 1) * 30 * (i + 1)];
    }
    taken.push(at);
    return at;
  }

  /** @returns {[number, number]} */
  #point(event) {
    const box = this.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (event.button) return;
    cancelAnimationFrame(this.#frame);
    this.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#point(event));
    if (this.#pointers.size === 1) this.#moved = false;
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#point(event);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    if (!this.#moved && others.length === 0 && Math.hypot(now[0] - before[0], now[1] - before[1]) < 6) return;
    this.#moved = true;
    const room = this.#room(), { min, max } = this.#limits();
    let view = this.#view;
    if (others.length) {
      const other = others[0];
      const from = Math.hypot(before[0] - other[0], before[1] - other[1]);
      const to = Math.hypot(now[0] - other[0], now[1] - other[1]);
      view = zoomAbout(view, to / Math.max(1, from), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2], min, max);
      view = { ...view, x: view.x + (now[0] - before[0]) / 2, y: view.y + (now[1] - before[1]) / 2 };
    } else view = { ...view, x: view.x + now[0] - before[0], y: view.y + now[1] - before[1] };
    this.#view = clampView(view, room, this.photo, { min, max });
    this.#pointers.set(event.pointerId, now);
    this.#place();
  }

  #up(event) {
    const single = this.#pointers.size === 1;
    if (!this.#pointers.delete(event.pointerId) || !single || this.#moved || event.type === "pointercancel") return;
    const id = this.bookAt(this.#point(event));
    this.dispatchEvent(new CustomEvent("pick", { detail: { id }, bubbles: true }));
  }

  /** Returns the book at a point of the stage. */
  bookAt(point) {
    const { x, y, scale } = this.#view, { width, height } = this.photo;
    const quads = this.books.map((book) =>
      quadOf(book).map((p) => [x + p[0] * width * scale, y + p[1] * height * scale])
    );
    const index = hit(quads, point, REACH);
    return index < 0 ? null : this.books[index].id;
  }

  /** Returns the current position of a book on the stage, in CSS px: for tests and animations. */
  placeOf(id) {
    const book = this.books.find((b) => b.id === id);
    if (!book) return undefined;
    const { x, y, scale } = this.#view;
    const [cx, cy] = centre(quadOf(book));
    return [x + cx * this.photo.width * scale, y + cy * this.photo.height * scale];
  }

  #wheel(event) {
    event.preventDefault();
    const room = this.#room(), { min, max } = this.#limits();
    const view = event.ctrlKey || !event.shiftKey && Math.abs(event.deltaX) < 1
      ? zoomAbout(this.#view, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), this.#point(event), min, max)
      : { ...this.#view, x: this.#view.x - event.deltaX, y: this.#view.y - event.deltaY };
    this.#view = clampView(view, room, this.photo, { min, max });
    this.#place();
  }

  #double(event) {
    const room = this.#room(), { min, max } = this.#limits();
    const near = this.#view.scale > (this.#rest?.scale ?? min) * 1.3;
    this.#glide(
      near
        ? this.#rest
        : clampView(zoomAbout(this.#view, 2.5, this.#point(event), min, max), room, this.photo, { min, max }),
    );
  }
}

export const stage = (props = {}) => /** @type {any} */ (h(define("sl-stage", Stage), props));
