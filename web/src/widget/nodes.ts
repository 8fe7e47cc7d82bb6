/** The text of a page as a reader sees it, node by node. Nothing of the page is changed. */
import type { Found, Piece } from "./anchor";

const SKIPPED = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE TEXTAREA SELECT IFRAME OBJECT CANVAS VIDEO AUDIO".split(" "),
);
// Elements that begin a block where our text of a page comes from, whatever a page makes of them.
const BLOCKS = new Set(
  (
    "ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY BR CAPTION DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER " +
    "FORM H1 H2 H3 H4 H5 H6 HEADER HR LEGEND LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL"
  ).split(" "),
);
const INLINE = /^(?:inline|contents|ruby)/;
const INSIDE = /^inline-/;

/**
 * Yields the text nodes of a page that a reader sees, those of `but` left out.
 *
 * What is kept from being read aloud (`aria-hidden`) is mostly a copy: it is left out unless `copies` are wanted.
 */
export function* textNodes(root: Node, but: Node, copies: boolean): Generator<Piece<Text>> {
  const seen = new Map<Element, boolean>();
  let edge: Piece<Text>["edge"] = "";
  const meets = (element: Element): void => {
    if (edge === "block") return;
    const tag = BLOCKS.has(element.tagName);
    if (element.tagName === "BR") edge = "block";
    else {
      const display = getComputedStyle(element).display;
      const inline = INLINE.test(display) && !INSIDE.test(display);
      if (tag && !inline && !INSIDE.test(display)) edge = "block";
      else if (tag || !inline) edge = "either";
    }
  };
  // Walked by hand: where an element ends has to be known too.
  let node: Node | null = root;
  while (node) {
    let down = true;
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node as Text;
      const around = text.parentElement;
      if (text.data !== "" && around && !isLeftOut(text, around) && isSeen(around, seen)) {
        yield { text: text.data, of: text, edge };
        edge = "";
      }
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const element = node as Element;
      down =
        node !== but &&
        !SKIPPED.has(element.tagName) &&
        (copies || element.getAttribute("aria-hidden") !== "true") &&
        (isSeen(element, seen) || mayHoldSeen(element));
      if (down && node !== root) meets(element);
    } else down = false;
    let next: Node | null = down ? node.firstChild : null;
    while (!next && node && node !== root) {
      next = node.nextSibling;
      if (!next) {
        node = node.parentNode;
        if (node && node !== root && node.nodeType === Node.ELEMENT_NODE) meets(node as Element);
      } else break;
    }
    // An element without children, or one that was passed over, has ended as well.
    node = next;
  }
}

/** Says whether an element that is seen itself keeps its own text back: folded away, or without a slot for it. */
function isLeftOut(text: Text, around: Element): boolean {
  if (around instanceof HTMLDetailsElement) return !around.open;
  return around.shadowRoot !== null && text.assignedSlot === null;
}

function isSeen(element: Element, known: Map<Element, boolean>): boolean {
  let seen = known.get(element);
  if (seen === undefined) {
    seen = element.checkVisibility({ visibilityProperty: true });
    // It has no box of its own, and what is in it is shown all the same.
    if (!seen && element.parentElement && getComputedStyle(element).display === "contents")
      seen = isSeen(element.parentElement, known) && getComputedStyle(element).visibility === "visible";
    known.set(element, seen);
  }
  return seen;
}

/** Says whether something in an element that is not seen may be: what is only made invisible can be shown again. */
function mayHoldSeen(element: Element): boolean {
  return element.checkVisibility() || getComputedStyle(element).display === "contents";
}

/** Returns a range around what was found. */
export function rangeOf(found: Found<Text>): Range {
  const range = document.createRange();
  range.setStart(found.start.of, Math.min(found.start.offset, found.start.of.length));
  range.setEnd(found.end.of, Math.min(found.end.offset, found.end.of.length));
  return range;
}

/** Says whether words have a place on the page: not clipped to a dot for screen readers, nor put outside of it. */
export function hasPlace(range: Range): boolean {
  const box = [...range.getClientRects()].find((one) => one.width > 0 && one.height > 0);
  if (!box || box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
  for (let one = range.startContainer.parentElement; one; one = one.parentElement) {
    const { width, height } = one.getBoundingClientRect();
    if (width <= 1 && height <= 1 && getComputedStyle(one).overflow !== "visible") return false;
  }
  return true;
}

/** Waits for the next change of the page; false when the time is over. Changes close together are one. */
export function nextChange(root: Node, until: number): Promise<boolean> {
  return new Promise((resolve) => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const watch = new MutationObserver(() => {
      soon ??= setTimeout(() => end(true), 120);
    });
    const late = setTimeout(() => end(false), Math.max(0, until - Date.now()));
    function end(changed: boolean): void {
      watch.disconnect();
      clearTimeout(late);
      clearTimeout(soon);
      resolve(changed);
    }
    watch.observe(root, { childList: true, subtree: true, characterData: true });
  });
}
