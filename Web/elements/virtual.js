// A virtual list or grid: only items near the viewport are in the page. All rows have the same height; the window scrolls.
import { h, replace } from "../lib/dom.js";

const AHEAD = 600; // CSS px

export class Virtual {
  #items = [];
  #drawn = new Map();
  #columns = 1;
  #rowHeight = 100;
  #frame = 0;
  /** On paper, all items are drawn. */
  #printing = false;
  /**
   * @param {{layout: (width: number) => {columns: number, rowHeight: number, gap: number}, draw: (item: any, index: number) => HTMLElement,
   *   key: (item: any) => string, label: string, signal: AbortSignal}} options
   */
  constructor(options) {
    this.options = options;
    this.element = h("ul.virtual", { "aria-label": options.label });
    addEventListener("scroll", () => this.#later(), { passive: true, signal: options.signal });
    for (const [name, begins] of [["beforeprint", true], ["afterprint", false]]) {
      addEventListener(/** @type {string} */ (name), () => {
        this.#printing = Boolean(begins);
        this.#place();
      }, { signal: options.signal });
    }
    this.watch = new ResizeObserver(() => this.layout());
    this.watch.observe(this.element);
    options.signal.addEventListener("abort", () => this.watch.disconnect());
    this.element.addEventListener("keydown", (e) => this.#keys(e));
  }

  #later() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#place());
  }

  /** Shows these items, and reuses the elements of unchanged ones. */
  set(items) {
    const same = items.length === this.#items.length && items.every((item, i) => item === this.#items[i]);
    this.#items = items;
    this.layout(!same);
  }

  /** Draws every visible item again. */
  redraw() {
    this.#keepingFocus(() => {
      this.#drawn.clear();
      replace(this.element);
      this.#place();
    });
  }

  /** Leaves the focus on the item that has it, although its element is moved or replaced. */
  #keepingFocus(work) {
    const focused = /** @type {any} */ (document.activeElement);
    const [key] = [...this.#drawn].find(([, element]) => element.contains(focused)) ?? [];
    work();
    if (key === undefined || document.activeElement === focused) return;
    const again = focused.isConnected ? focused : this.#drawn.get(key)?.querySelector("a, button");
    again?.focus({ preventScroll: true });
  }

  layout(force = false) {
    const width = this.element.clientWidth;
    if (!width) {
      return requestAnimationFrame(() => this.element.isConnected && this.element.clientWidth && this.layout(force));
    }
    const { columns, rowHeight, gap } = this.options.layout(width);
    if (
      columns !== this.#columns || rowHeight !== this.#rowHeight || gap !== this.gap || width !== this.width || force
    ) {
      this.#columns = columns;
      this.#rowHeight = rowHeight;
      this.gap = gap;
      this.width = width;
      this.element.style.setProperty("height", `${Math.ceil(this.#items.length / columns) * rowHeight}px`);
      this.redraw();
    } else this.#place();
  }

  #place() {
    if (!this.element.isConnected || !this.width) return;
    const top = this.element.getBoundingClientRect().top;
    // Draws visible items first, and those nearby in the next frame.
    const ahead = this.#drawn.size ? AHEAD : 0;
    if (!ahead && this.#items.length) this.#later();
    const all = this.#printing;
    const first = all ? 0 : Math.max(0, Math.floor((-top - ahead) / this.#rowHeight)) * this.#columns;
    const last = all
      ? this.#items.length
      : Math.min(this.#items.length, Math.ceil((innerHeight - top + ahead) / this.#rowHeight) * this.#columns);
    const wanted = new Set();
    const cell = (this.width - this.gap * (this.#columns - 1)) / this.#columns;
    const fresh = [];
    for (let i = first; i < last; i++) {
      const item = this.#items[i], key = this.options.key(item);
      wanted.add(key);
      if (this.#drawn.has(key)) continue;
      const element = this.options.draw(item, i);
      element.setAttribute("aria-setsize", String(this.#items.length));
      element.setAttribute("aria-posinset", String(i + 1));
      element.dataset.index = String(i);
      const column = i % this.#columns, row = Math.floor(i / this.#columns);
      element.style.setProperty("width", `${cell}px`);
      element.style.setProperty("transform", `translate(${column * (cell + this.gap)}px, ${row * this.#rowHeight}px)`);
      this.#drawn.set(key, element);
      fresh.push(element);
    }
    for (const [key, element] of this.#drawn) {
      if (wanted.has(key) || element.contains(document.activeElement)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    if (!fresh.length) return;
    // Elements are in list order, for screen readers.
    const index = (e) => Number(e.dataset.index);
    const kids = [...this.element.children];
    if (!kids.length || index(fresh[0]) > index(kids[kids.length - 1])) this.element.append(...fresh);
    else if (index(fresh[fresh.length - 1]) < index(kids[0])) this.element.prepend(...fresh);
    else this.#keepingFocus(() => this.element.append(...[...kids, ...fresh].sort((a, b) => index(a) - index(b))));
  }

  #keys(event) {
    const from = event.target.closest?.("[data-index]");
    if (!from || event.target.matches("input")) return;
    const at = Number(from.dataset.index);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + this.#columns,
      ArrowUp: at - this.#columns,
      Home: 0,
      End: this.#items.length - 1,
    }[event.key];
    if (to === undefined || to < 0 || to >= this.#items.length) return;
    event.preventDefault();
    this.focus(to);
  }

  focus(index) {
    const top = this.element.getBoundingClientRect().top + Math.floor(index / this.#columns) * this.#rowHeight;
    if (top < 80 || top + this.#rowHeight > innerHeight - 120) scrollBy(0, top - innerHeight / 3);
    this.#place();
    const item = this.#drawn.get(this.options.key(this.#items[index]));
    item?.querySelector("a, button")?.focus({ preventScroll: true });
  }
}
