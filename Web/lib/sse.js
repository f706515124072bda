// Parses server-sent events from a byte stream, because EventSource cannot send a token in a header.

/** Parses chunks of text into events: `{ id, event, data }`. */
export class EventParser {
  #rest = "";
  #event = fresh();
  lastId = "";

  /** @param {string} text @returns {Array<{id: string, event: string, data: string}>} */
  push(text) {
    this.#rest += text;
    const out = [];
    for (;;) {
      const end = this.#rest.search(/\r\n|\n|\r/);
      // A lone CR at the end may be the first half of CRLF.
      if (end < 0 || (this.#rest[end] === "\r" && end === this.#rest.length - 1)) return out;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + (this.#rest.startsWith("\r\n", end) ? 2 : 1));
      if (line === "") {
        if (this.#event.data.length) {
          out.push({ id: this.lastId, event: this.#event.name || "message", data: this.#event.data.join("\n") });
        }
        this.#event = fresh();
      } else this.#line(line);
    }
  }

  #line(line) {
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#event.data.push(value);
    else if (field === "event") this.#event.name = value;
    else if (field === "id" && !value.includes("\0")) this.lastId = value;
  }
}

const fresh = () => ({ name: "", data: /** @type {string[]} */ ([]) });
