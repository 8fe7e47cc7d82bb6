/** A text that is cut at code points, as the server counts, and not at the units of JavaScript. */
export class Points {
  readonly #points: string[];

  constructor(text: string) {
    this.#points = Array.from(text);
  }

  get length(): number {
    return this.#points.length;
  }

  slice(start: number, end: number): string {
    return this.#points.slice(start, end).join("");
  }
}
