/** Lights ranges of the page without touching its nodes. */

const NAME = "pincite-cited";
// Boxes that are drawn for one range, where the browser knows no highlights.
const MOST_BOXES = 400;

/** Lights what it is given until it is cleared. Where the browser knows no highlights, boxes are laid over the words. */
export class Light {
  readonly #boxes: HTMLElement;
  readonly #redraw = (): void => this.#draw();
  #ranges: Range[] = [];
  #watch: ResizeObserver | null = null;

  constructor(into: ShadowRoot) {
    this.#boxes = document.createElement("div");
    this.#boxes.className = "boxes";
    this.#boxes.setAttribute("aria-hidden", "true");
    into.append(this.#boxes);
  }

  show(ranges: Range[]): void {
    this.clear();
    this.#ranges = ranges;
    if (ranges.length === 0) return;
    if (typeof Highlight === "function" && CSS.highlights) {
      sheet();
      CSS.highlights.set(NAME, new Highlight(...ranges));
      return;
    }
    this.#draw();
    this.#watch = new ResizeObserver(this.#redraw);
    this.#watch.observe(document.documentElement);
    // Words in a part of the page that scrolls by itself move on under their boxes.
    addEventListener("scroll", this.#redraw, { capture: true, passive: true });
  }

  clear(): void {
    this.#ranges = [];
    if (typeof Highlight === "function") CSS.highlights?.delete(NAME);
    this.#watch?.disconnect();
    this.#watch = null;
    removeEventListener("scroll", this.#redraw, { capture: true });
    this.#boxes.replaceChildren();
  }

  #draw(): void {
    const origin = this.#boxes.getBoundingClientRect();
    this.#boxes.replaceChildren(
      ...this.#ranges.flatMap((range) =>
        [...range.getClientRects()].slice(0, MOST_BOXES).map((rect) => {
          const box = document.createElement("div");
          Object.assign(box.style, {
            left: `${rect.left - origin.left}px`,
            top: `${rect.top - origin.top}px`,
            width: `${rect.width}px`,
            height: `${rect.height}px`,
          });
          return box;
        }),
      ),
    );
  }
}

let made = false;

/** The style of a highlight has to be one of the page's; it is made by script, so a strict policy lets it through. */
function sheet(): void {
  if (made) return;
  made = true;
  const one = new CSSStyleSheet();
  one.replaceSync(`::highlight(${NAME}) { background-color: #ffe27a; color: #1d1c1a; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, one];
}
