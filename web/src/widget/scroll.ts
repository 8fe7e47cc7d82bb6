/** Brings words of the page before the reader, wherever they stand. */

// Pixels between words that fill the whole view and its upper edge.
const MARGIN = 16;
// How many bars may lie one below the other at an edge of the view.
const MOST_BARS = 4;

/**
 * Scrolls to a range: to its own box, and not to the element that it begins in, which may be many screens long.
 *
 * Every part of the page that scrolls by itself is scrolled, then the page, until the words stand in the middle of what
 * no bar of the page covers. `bottom` are pixels at the lower edge that are covered, and `but` is not looked at.
 */
export function bringIntoView(range: Range, but: Element, bottom: number): void {
  for (let box = above(range.startContainer); box; box = above(box)) {
    if (box === document.scrollingElement || !scrolls(box)) continue;
    const frame = box.getBoundingClientRect();
    const at = range.getBoundingClientRect();
    const left =
      at.left < frame.left || at.right > frame.right
        ? middle(at.left, at.right) - middle(frame.left, frame.right)
        : 0;
    const [top, end] = [frame.top + box.clientTop, frame.top + box.clientTop + box.clientHeight];
    box.scrollBy({ top: distance(at, top, end), left, behavior: "instant" });
  }
  // What sticks to an edge is known once the words are there.
  for (let turn = 0; turn < 2; turn++) {
    const at = range.getBoundingClientRect();
    const view = document.documentElement;
    const x = Math.min(Math.max(middle(at.left, at.right), 1), view.clientWidth - 1);
    const top = turn === 0 ? 0 : covered(x, but);
    const left =
      at.left < 0 || at.left >= view.clientWidth ? middle(at.left, at.right) - view.clientWidth / 2 : 0;
    scrollBy({ top: distance(at, top, innerHeight - bottom), left, behavior: "instant" });
  }
}

/** Returns how far a box is from the middle between two edges; one that is higher is put under the upper one. */
function distance(box: DOMRect, top: number, bottom: number): number {
  if (box.height > bottom - top - 2 * MARGIN) return box.top - top - MARGIN;
  return middle(box.top, box.bottom) - middle(top, bottom);
}

const middle = (one: number, other: number): number => (one + other) / 2;

/** Returns how many pixels at the upper edge of the view are covered by what stays there. */
function covered(x: number, but: Element): number {
  let top = 0;
  for (let bar = 0; bar < MOST_BARS; bar++) {
    const hit = document.elementsFromPoint(x, top + 1).find((one) => one !== but);
    let stays: Element | null = hit ?? null;
    while (stays && !/^(?:fixed|sticky)$/.test(getComputedStyle(stays).position)) stays = above(stays);
    const box = stays?.getBoundingClientRect();
    // What covers half of the page is no bar, but a backdrop.
    if (!box || box.bottom <= top || box.bottom > innerHeight / 2) break;
    top = box.bottom;
  }
  return top;
}

function scrolls(box: Element): boolean {
  const style = getComputedStyle(box);
  // What is said of the body counts for the page, unless the page says something itself.
  if (box === document.body && getComputedStyle(document.documentElement).overflowY === "visible")
    return false;
  const can = (said: string): boolean => said === "auto" || said === "scroll";
  return (
    (can(style.overflowY) && box.scrollHeight > box.clientHeight) ||
    (can(style.overflowX) && box.scrollWidth > box.clientWidth)
  );
}

/** Returns the element around a node as it is drawn: a slot, or what a shadow belongs to, too. */
function above(node: Node): Element | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot && node.parentNode === root ? root.host : null);
}
