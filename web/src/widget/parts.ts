/** Elements, made one by one: nothing is ever read as HTML. */
import { around } from "../cited/place";

type Given = Record<string, string | boolean | ((event: Event) => void)>;

/** Makes an element with attributes, handlers (`onclick`) and children; text becomes a text node. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  given: Given = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes a drawing of lines. */
export function icon(path: string): SVGElement {
  const drawing = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24",
    width: "22",
    height: "22",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  }))
    drawing.setAttribute(key, value);
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/** Returns a text with the first of `words` marked, where it stands there as it is. */
export function marked(text: string, words: string): (Node | string)[] {
  const parts = around(text, words);
  return parts === null ? [text] : [parts[0], el("mark", {}, parts[1]), parts[2]];
}
