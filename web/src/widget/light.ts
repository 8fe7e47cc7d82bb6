/** Lights ranges of the page without touching its nodes, and scrolls to them. */

const NAME = "pincite-cited";

/** Lights what it is given until it is cleared. Where the browser knows no highlights, boxes are laid over the words. */
export class Light {
  readonly #boxes: HTMLElement;
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
    const first = ranges[0];
    if (!first) return;
    if (typeof Highlight === "function" && CSS.highlights) {
      sheet();
      CSS.highlights.set(NAME, new Highlight(...ranges));
    } else {
      this.#draw();
      this.#watch = new ResizeObserver(() => this.#draw());
      this.#watch.observe(document.documentElement);
    }
    scrollTo(first);
  }

  clear(): void {
    this.#ranges = [];
    if (typeof Highlight === "function") CSS.highlights?.delete(NAME);
    this.#watch?.disconnect();
    this.#watch = null;
    this.#boxes.replaceChildren();
  }

  #draw(): void {
    const origin = this.#boxes.getBoundingClientRect();
    this.#boxes.replaceChildren(
      ...this.#ranges.flatMap((range) =>
        [...range.getClientRects()].slice(0, 400).map((rect) => {
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

function scrollTo(range: Range): void {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const parent = range.startContainer.parentElement;
  // What is folded away is opened, so that there is a place to go to.
  for (let one = parent?.closest("details"); one; one = one.parentElement?.closest("details"))
    one.open = true;
  parent?.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
}
