// State shared by several screens. A value notifies its listeners when it changes.

/** @template T */
export class Value {
  /** @type {T} */ #value;
  #listeners = new Set();
  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }
  get() {
    return this.#value;
  }
  /** @param {T} value */
  set(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.tell();
  }
  /** @param {(value: T) => T} change */
  update(change) {
    this.set(change(this.#value));
  }
  /** Notifies the listeners after a change inside of the value. */
  tell() {
    for (const listener of [...this.#listeners]) listener(this.#value);
  }
  /**
   * Calls `listener` now and at every change, until the signal aborts.
   *
   * @param {(value: T) => any} listener
   * @param {AbortSignal} [signal]
   */
  watch(listener, signal) {
    if (signal?.aborted) return;
    this.#listeners.add(listener);
    signal?.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
    listener(this.#value);
  }
}

export const online = new Value(typeof navigator === "undefined" ? true : navigator.onLine !== false);
export const reviewCount = new Value(0);
/** The number of books that were changed without a decision, and that the user has not seen since. */
export const changedCount = new Value(0);
/** The number of books that may be second copies, and wait for an answer. */
export const questionCount = new Value(0);
export const libraryCount = new Value(/** @type {number | null} */ (null));
export const shelves = new Value(/** @type {any[]} */ ([]));
export const user = new Value(/** @type {any} */ (null));
/** Progress of looking up details; `outage` names unavailable sources. */
export const enriching = new Value(/** @type {{done: number, total: number, outage?: string} | null} */ (null));
export const updateReady = new Value(/** @type {ServiceWorker | null} */ (null));
