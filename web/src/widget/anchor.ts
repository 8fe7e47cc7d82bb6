/**
 * Finds words in a page whose own rendering has changed them: white space, split nodes, soft hyphens, ligatures, smart
 * quotes and dashes, small capitals. It reads the page and changes nothing of it.
 *
 * Both sides are folded to the same form, in which white space and what nobody sees are gone; every character of the
 * folded page knows where it stands. So a text node that is cut anywhere, or indented otherwise, is found alike.
 */

/** A piece of the page's text. */
export interface Piece<T> {
  text: string;
  of: T;
}

/** A place in a piece: UTF-16 units of its text. */
export interface Place<T> {
  of: T;
  offset: number;
}

export interface Found<T> {
  start: Place<T>;
  end: Place<T>;
}

/** Words, and what stands before and behind them where they come from; it tells repeated words apart. */
export interface Words {
  exact: string;
  before?: string;
  behind?: string;
}

// Characters of a page that are looked at; what lies behind them is not found.
const MOST = 4_000_000;
// Places of repeated words that are compared, and characters around each.
const MOST_PLACES = 500;
const AROUND = 160;
// The shortest part of a passage that is looked for by itself, and the share of it that has to be found.
const SHORTEST = 12;
const ENOUGH = 0.6;
// Soft hyphens, marks that join or part, marks of direction, and every white space.
const UNSEEN = /\s|\p{Default_Ignorable_Code_Point}/u;
const ALIKE: Record<string, string> = {};
for (const [to, from] of [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u02bc\u0060\u00b4\u2039\u203a"],
  ['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"],
] as const)
  for (const one of from) ALIKE[one] = to;

/** Returns a character in the form in which both sides are compared; empty where nothing is left of it. */
function folded(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 128) {
    if (code <= 32 || code === 127) return "";
    return code >= 65 && code <= 90 ? char.toLowerCase() : (ALIKE[char] ?? char);
  }
  const alike = ALIKE[char];
  if (alike !== undefined) return alike;
  if (UNSEEN.test(char)) return "";
  const plain = char.normalize("NFKC").toLowerCase();
  return plain.length === 1 ? (ALIKE[plain] ?? plain) : plain.replace(/\s/g, "");
}

/** Returns a text in that form. Marks that follow a letter are joined to it first. */
export function fold(text: string): string {
  let all = "";
  for (const char of text.normalize("NFC")) all += folded(char);
  return all;
}

/** A page's text, folded, with the place of every character. */
export class Page<T> {
  #text = "";
  readonly #pieces: Piece<T>[] = [];
  // Where each piece begins in the folded text, and for each folded unit its offset in the piece.
  readonly #starts: number[] = [];
  readonly #offsets: number[] = [];

  constructor(pieces: Iterable<Piece<T>>) {
    const parts: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      if (length >= MOST) break;
      this.#pieces.push(piece);
      this.#starts.push(length);
      let at = 0;
      for (const char of piece.text) {
        const one = folded(char);
        for (let unit = 0; unit < one.length; unit++) this.#offsets.push(at);
        if (one) parts.push(one);
        length += one.length;
        at += char.length;
      }
    }
    this.#text = parts.join("");
  }

  /** Returns where the words stand; of several places the one whose surroundings are most alike, then the first. */
  find(words: Words): Found<T> | null {
    const exact = fold(words.exact);
    if (exact === "") return null;
    const before = fold((words.before ?? "").slice(-2 * AROUND)).slice(-AROUND);
    const behind = fold((words.behind ?? "").slice(0, 2 * AROUND)).slice(0, AROUND);
    let best = -1;
    let most = -1;
    let seen = 0;
    for (let at = this.#text.indexOf(exact); at >= 0; at = this.#text.indexOf(exact, at + 1)) {
      const score = this.#alike(at, at + exact.length, before, behind);
      if (score > most) [best, most] = [at, score];
      seen += 1;
      if (seen >= MOST_PLACES) break;
    }
    return best < 0 ? null : this.#found(best, best + exact.length);
  }

  /**
   * Returns where the parts of a passage stand, in their order, when enough of it is there; none when it is not.
   *
   * A page may break a passage by what only it shows: a caption, an advertisement, a button.
   */
  findParts(passage: string): Found<T>[] {
    const whole = this.find({ exact: passage });
    if (whole) return [whole];
    const parts = passage
      .split(/(?<=[.!?\u3002])\s+|\n+/u)
      .map((part) => fold(part))
      .filter((part) => part.length >= SHORTEST);
    const total = parts.reduce((sum, part) => sum + part.length, 0);
    const found: Found<T>[] = [];
    let from = 0;
    let there = 0;
    for (const part of parts) {
      let at = this.#text.indexOf(part, from);
      if (at < 0 && found.length === 0) at = this.#text.indexOf(part);
      if (at < 0) continue;
      found.push(this.#found(at, at + part.length));
      from = at + part.length;
      there += part.length;
    }
    return total > 0 && there >= total * ENOUGH ? found : [];
  }

  #alike(start: number, end: number, before: string, behind: string): number {
    let score = 0;
    for (let n = 1; n <= before.length && this.#text[start - n] === before[before.length - n]; n++) score++;
    for (let n = 0; n < behind.length && this.#text[end + n] === behind[n]; n++) score++;
    return score;
  }

  #found(start: number, end: number): Found<T> {
    const last = this.#place(end - 1);
    const piece = last.of;
    const text = this.#pieces[piece]?.text ?? "";
    const width = text.codePointAt(last.offset);
    const first = this.#place(start);
    return {
      start: { of: this.#of(first.of), offset: first.offset },
      end: { of: this.#of(piece), offset: last.offset + (width !== undefined && width > 0xffff ? 2 : 1) },
    };
  }

  #of(piece: number): T {
    return (this.#pieces[piece] as Piece<T>).of;
  }

  #place(at: number): Place<number> {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { of: low, offset: this.#offsets[at] ?? 0 };
  }
}

const SKIPPED = new Set([
  "SCRIPT",
  "STYLE",
  "NOSCRIPT",
  "TEMPLATE",
  "TEXTAREA",
  "SELECT",
  "IFRAME",
  "OBJECT",
]);

/** Yields the text nodes of a page that a reader may see, those of `but` left out. */
export function* textNodes(root: Node, but: Node): Generator<Piece<Text>> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node === but) return NodeFilter.FILTER_REJECT;
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    const element = node as Element;
    return SKIPPED.has(element.tagName) || element.hasAttribute("hidden")
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    yield { text: (node as Text).data, of: node as Text };
}

/** Returns a range around what was found. */
export function rangeOf(found: Found<Text>): Range {
  const range = document.createRange();
  range.setStart(found.start.of, Math.min(found.start.offset, found.start.of.length));
  range.setEnd(found.end.of, Math.min(found.end.offset, found.end.of.length));
  return range;
}
