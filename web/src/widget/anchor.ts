/**
 * Finds words in a text that is cut into pieces, such as the text nodes of a page, whose rendering has changed them.
 *
 * Both sides are folded (`fold`), and every unit of the fold knows what it stands for; so words are found however a
 * page cuts them. They are found as whole words alone, a number is never found inside of another one or without its
 * sign, and words that are written alike come before those that only fold alike. Everything is linear in the page.
 */
import { DIGIT, fold, GAP, GROUPED, isNumber, isSign, UNSPACED, type Units, WORD } from "./fold";

/** A piece of a text. */
export interface Piece<T> {
  text: string;
  of: T;
  /** What is in front of it: nothing, the edge of a block, or one that may be meant as one or not. */
  edge?: "" | "block" | "either";
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

// UTF-16 units of a page that are looked at; what lies behind them is not found.
const MOST = 4_000_000;
// Places of repeated words that are handed on, the most alike first; every place is compared.
const MOST_PLACES = 100;
// UTF-16 units of the text on each side that are compared.
const AROUND = 200;
// Units of the shortest part of a passage that is looked for by itself, and the share of it that has to be found.
const SHORTEST = 12;
const ENOUGH = 0.6;
const SPACE = 0x20;
// What may stand between the digits of one number.
const IN_NUMBERS = new Set([0x2e, 0x2c, 0x27]);
// Where a passage may be parted: behind a sentence, at a line's end, around what our text has for cells and items.
const PARTS =
  /(?<=[.!?\u3002\uff01\uff1f])\s+|(?<=[\u3002\uff01\uff1f])|\s*\n\s*|\s\|\s|^\s*(?:[-|]|\d{1,9}\.)\s|\s-\s|\u2026$/u;

/** A page's text, folded. `either` edges of pieces part words when `parting` says so. */
export class Page<T> {
  readonly #units: Units;
  readonly #pieces: Piece<T>[] = [];
  // Where each piece begins in the text as a whole.
  readonly #starts: number[] = [];

  constructor(pieces: Iterable<Piece<T>>, parting = true) {
    const edges: number[] = [];
    const texts: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      if (length >= MOST) break;
      if (piece.edge === "block" || (piece.edge === "either" && parting)) edges.push(length);
      this.#pieces.push(piece);
      this.#starts.push(length);
      texts.push(piece.text);
      length += piece.text.length;
    }
    this.#units = fold(texts.join(""), edges);
  }

  /**
   * Returns where the words stand, the best place first: those that are written alike, then those that fold alike, and
   * among them the ones whose surroundings are most alike, in the order of the page.
   */
  find(words: Words): Found<T>[] {
    const before = (words.before ?? "").slice(-AROUND);
    const behind = (words.behind ?? "").slice(0, AROUND);
    const whole = fold(before + words.exact + behind);
    const [start, end] = within(whole, before.length, before.length + words.exact.length);
    return this.#places(whole, start, end, 0)
      .slice(0, MOST_PLACES)
      .map((at) => this.#found(at, at + end - start));
  }

  /**
   * Returns where the parts of a passage stand, in their order, when enough of it is there; none when it is not.
   *
   * A page may break a passage by what only it shows: a caption, an advertisement, a button.
   */
  findParts(passage: string): Found<T>[] {
    const whole = fold(passage);
    const [first, last] = within(whole, 0, passage.length - (passage.endsWith("\u2026") ? 1 : 0));
    const entire = this.#places(whole, first, last, 0)[0];
    if (entire !== undefined) return [this.#found(entire, entire + last - first)];
    const found: Found<T>[] = [];
    let [from, there, total, offset] = [0, 0, 0, 0];
    for (const part of passage.split(PARTS)) {
      const begins = passage.indexOf(part, offset);
      offset = begins + part.length;
      const [start, end] = within(whole, begins, offset);
      if (end - start < SHORTEST) continue;
      total += end - start;
      const at = this.#places(whole, start, end, from)[0];
      if (at === undefined) continue;
      from = at + end - start;
      found.push(this.#found(at, from));
      there += end - start;
    }
    return total > 0 && there >= total * ENOUGH ? found : [];
  }

  /** Returns the places of units `start` to `end` of `whole` at or behind `from`, the best first. */
  #places(whole: Units, start: number, end: number, from: number): number[] {
    if (end <= start) return [];
    const { own, codes } = this.#units;
    const are = (at: number): boolean => at >= from && isWhole(this.#units, at, at + end - start);
    const folded = all(codes, whole.codes.subarray(start, end)).filter(are);
    if (folded.length === 0) return [];
    const alike = new Set(all(own, whole.own.subarray(start, end)));
    const around = folded.length > 1 ? this.#around(whole, start, end) : null;
    const score = (at: number): number => (alike.has(at) ? 2 * AROUND + 1 : 0) + (around?.(at) ?? 0);
    // By score without comparing: there may be as many places as the page has letters.
    const by: number[][] = [];
    for (const at of folded) {
      const one = score(at);
      by[one] ??= [];
      by[one].push(at);
    }
    return by
      .filter(() => true)
      .reverse()
      .flat();
  }

  /** Returns what says how many units around a place are those around the words; null where there are none. */
  #around(whole: Units, start: number, end: number): ((at: number) => number) | null {
    const { codes, length } = this.#units;
    const before = whole.codes.slice(Math.max(0, start - AROUND), start).reverse();
    const behind = whole.codes.slice(end, end + AROUND);
    if (before.length === 0 && behind.length === 0) return null;
    const ahead = alikeFrom(codes, behind);
    const back = alikeFrom(codes.slice().reverse(), before);
    return (at) => Math.min(AROUND, back[length - at] ?? 0) + Math.min(AROUND, ahead[at + end - start] ?? 0);
  }

  #found(start: number, end: number): Found<T> {
    return {
      start: this.#place(this.#units.from[start] ?? 0, 0),
      end: this.#place(this.#units.to[end - 1] ?? 0, 1),
    };
  }

  /** Returns the place of an offset of the whole text; that of an end (`less` is 1) lies in the piece before it. */
  #place(at: number, less: number): Place<T> {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at - less) low = middle;
      else high = middle - 1;
    }
    return { of: (this.#pieces[low] as Piece<T>).of, offset: at - (this.#starts[low] ?? 0) };
  }
}

/** Returns the units that stand for the UTF-16 units `start` to `end` of a text, white space at the ends left out. */
function within(units: Units, start: number, end: number): [number, number] {
  let first = 0;
  while (first < units.length && ((units.from[first] ?? 0) < start || units.codes[first] === SPACE)) first++;
  let last = units.length;
  while (last > first && ((units.to[last - 1] ?? 0) > end || units.codes[last - 1] === SPACE)) last--;
  return [first, last];
}

/** Returns every place of `part` in `text`, overlapping ones too; linear (Knuth, Morris and Pratt). */
function all(text: Uint16Array, part: Uint16Array): number[] {
  const back = new Uint32Array(part.length);
  for (let at = 1, same = 0; at < part.length; at++) {
    while (same > 0 && part[at] !== part[same]) same = back[same - 1] ?? 0;
    if (part[at] === part[same]) same += 1;
    back[at] = same;
  }
  const found: number[] = [];
  for (let at = 0, same = 0; at < text.length; at++) {
    while (same > 0 && text[at] !== part[same]) same = back[same - 1] ?? 0;
    if (text[at] === part[same]) same += 1;
    if (same === part.length) {
      found.push(at - same + 1);
      same = back[same - 1] ?? 0;
    }
  }
  return found;
}

/** Returns for each place of `text` how many units from there on are those that `part` begins with; linear. */
function alikeFrom(text: Uint16Array, part: Uint16Array): Uint16Array {
  const both = new Uint16Array(part.length + 1 + text.length);
  both.set(part);
  both[part.length] = 0xffff; // parts them: no unit of a fold
  both.set(text, part.length + 1);
  const same = new Uint16Array(both.length);
  for (let at = 1, left = 0, right = 0; at < both.length; at++) {
    let length = at < right ? Math.min(right - at, same[at - left] ?? 0) : 0;
    while (at + length < both.length && both[length] === both[at + length]) length++;
    same[at] = length;
    if (at + length > right) [left, right] = [at, at + length];
  }
  return same.subarray(part.length + 1);
}

// -- whole words -----------------------------------------------------------------------------------

/** Says whether units `start` to `end` are whole words, and their numbers whole numbers with their signs. */
export function isWhole(units: Units, start: number, end: number): boolean {
  return isStart(units, start) && isEnd(units, end);
}

function isStart(units: Units, start: number): boolean {
  const flags = (at: number): number => units.flags[at] ?? 0;
  const is = (at: number, kind: number): boolean => at >= 0 && (flags(at) & kind) !== 0;
  const before = start - (units.codes[start - 1] === SPACE ? 2 : 1);
  if (before < 0) return true;
  if (is(start, GAP)) return !(is(start, GROUPED) && is(before, DIGIT) && isThousand(units, start));
  if (is(start, WORD) && is(before, WORD) && !is(start, UNSPACED) && !is(before, UNSPACED)) return false;
  const [code, last] = [units.codes[start], units.codes[before]];
  // Digits on both sides of a point, or a point alone in front: it is one number.
  const isPoint = (one: number | undefined): boolean => one !== undefined && IN_NUMBERS.has(one);
  const joined = is(before - 1, DIGIT) && !is(before, GAP);
  if (is(start, DIGIT) && isPoint(last) && joined) return false;
  if (is(start, DIGIT) && last === 0x2e && (before === 0 || is(before, GAP))) return false;
  if (isPoint(code) && is(before, DIGIT) && is(start + 1, DIGIT) && !is(start + 1, GAP)) return false;
  // In front of a number a sign is its own, unless something stands in front of that: then it is a dash.
  const isOperand = (at: number): boolean => at >= 0 && (is(at, WORD) || units.codes[at] === 0x29);
  if (isNumber(units, start) && isSign(last)) return isOperand(before - 1) && !is(before, GAP);
  if (isSign(code) && isNumber(units, start + 1) && !is(start + 1, GAP)) return !isOperand(before);
  return true;
}

function isEnd(units: Units, end: number): boolean {
  const is = (at: number, kind: number): boolean => ((units.flags[at] ?? 0) & kind) !== 0;
  const last = end - 1;
  const next = end + (units.codes[end] === SPACE ? 1 : 0);
  if (next >= units.length) return true;
  if (is(next, GAP)) return !(is(next, GROUPED) && is(last, DIGIT) && isThousand(units, next));
  if (is(last, WORD) && is(next, WORD) && !is(last, UNSPACED) && !is(next, UNSPACED)) return false;
  const [code, behind] = [units.codes[last] ?? 0, units.codes[next] ?? 0];
  if (is(last, DIGIT) && IN_NUMBERS.has(behind) && is(next + 1, DIGIT) && !is(next + 1, GAP)) return false;
  return !(IN_NUMBERS.has(code) && is(last - 1, DIGIT) && !is(last, GAP) && is(next, DIGIT));
}

/** Says whether just three digits stand at a place. */
function isThousand(units: Units, at: number): boolean {
  const is = (one: number): boolean =>
    ((units.flags[one] ?? 0) & DIGIT) !== 0 && (one === at || ((units.flags[one] ?? 0) & GAP) === 0);
  return is(at) && is(at + 1) && is(at + 2) && !is(at + 3);
}
