/** One event of a stream of server-sent events. */
export interface StreamEvent {
  event: string;
  data: string;
}

/** Puts server-sent events together from pieces of text, wherever the pieces are cut. */
export class EventReader {
  #rest = "";
  #event = "";
  #data: string[] = [];

  /** Takes a piece and returns the events that it completes. */
  push(piece: string): StreamEvent[] {
    const found: StreamEvent[] = [];
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        if (this.#data.length > 0)
          found.push({ event: this.#event || "message", data: this.#data.join("\n") });
        this.#event = "";
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") this.#event = value;
      else if (name === "data") this.#data.push(value);
    }
    return found;
  }
}
