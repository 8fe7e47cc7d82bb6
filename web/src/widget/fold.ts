/**
 * One form for texts that differ in typography alone: the rules are those of the library's own fold (`core/fold.py`),
 * and a test holds both to the same.
 *
 * Folded: letter case, quotation marks, dashes, ligatures, composed and decomposed letters, full-width forms,
 * compatibility units, invisible marks. Not folded, because it means something: digits, signs, what stands above the
 * line behind a digit, fractions, punctuation. Of white space there is left what parts two words, or what a sign or a
 * point belongs to; everything else of it may be set in any way.
 */

/** What is known of a unit. */
export const GAP = 1; // white space, or the edge of a block, stands in front of it
export const WORD = 2; // a letter, a digit or a mark
export const UNSPACED = 4; // of a script that puts no spaces between words
export const DIGIT = 8;
export const GROUPED = 16; // that white space is one that parts the thousands of a number

/** A text in units: UTF-16 of its folded form, each with what it stands for in the source. */
export interface Units {
  length: number;
  /** The folded form. */
  codes: Uint16Array;
  /** The same units in their own letters: where these are alike too, nothing had to be folded. */
  own: Uint16Array;
  flags: Uint8Array;
  /** Where what a unit stands for begins and ends in the source, in UTF-16 units. */
  from: Uint32Array;
  to: Uint32Array;
}

const SPACE = 0x20;
const MINUS = "\u2212";
// Marks come first in the class: behind a letter they would read as one sign with it.
const INVISIBLE =
  /^[\u034f\u180b-\u180f\ufe00-\ufe0f\u17b4\u17b5\u00ad\u061c\u0640\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffe\u{e0000}-\u{e0fff}]$/u;
const BREAK = /^[\p{Z}\x85]$/u;
// White space that is written between the thousands of a number.
const GROUPING = new Set([0xa0, 0x2007, 0x2009, 0x202f]);
const UNSPACED_LETTER =
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]$/u;
const IN_WORDS = /^[\p{L}\p{N}\p{M}_]$/u;
const LETTER = /^\p{L}$/u;
const NUMBER = /^\p{Nd}$/u;
// What composes with the character before it: marks, and the later parts of a Hangul syllable.
const JOINING = /^[\p{M}\u1161-\u1175\u11a8-\u11c2]$/u;
const NARROW_KANA = /^[\uff66-\uff9f]$/u;

const PUNCTUATION = new Map<string, string>();
for (const [to, from] of [
  ["'", "\u2018\u2019\u201a\u201b\u2035\u02b9\u02bb\u02bc\u02bd\u00b4\u05f3\uff07"],
  ['"', "\u201c\u201d\u201e\u201f\u2036\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f\u05f4\uff02"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2e3a\u2e3b\ufe58\ufe63\uff0d\u05be"],
  ["oe", "\u0153\u0152"],
  ["ae", "\u00e6\u00c6"],
  ["/", "\u2044\u2215"],
  [".", "\u2024"],
  [":", "\u2236"],
  ["~", "\u223c"],
  [",", "\u060c"],
  [";", "\u061b"],
  ["?", "\u061f"],
  ["%", "\u066a"],
] as const)
  for (const one of from) PUNCTUATION.set(one, to);

// Primes measure and derive behind a digit or a letter; elsewhere they are quotation marks.
const PRIMES: Record<string, string> = { "\u2032": "'", "\u2033": '"' };
// Digits and signs above or below the line; behind a letter plain ones stand for them (m2, CO2).
const RAISED =
  "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b";
const LOWERED = "0123456789+-0123456789+-";
// Letters above the line behind a number, as in ordinals.
const ABOVE_LINE = "\u1d49\u02b3\u02e2\u1d48\u207f\u1d57\u02b0\u1d50";
const ORDINAL = "ersdnthm";
const ORDINALS = new Set("e er re es nd rd st th d de me ers res".split(" "));
const RANKED = "0123456789ivxlcdm";
// Compatibility forms that mean something of their own: above, below, in a circle, a fraction.
const MEANING =
  /^[\u00aa\u00b2\u00b3\u00b9\u00ba\u00bc-\u00be\u02b0-\u02b8\u02e0-\u02e4\u10fc\u1d2c-\u1d2e\u1d30-\u1d3a\u1d3c-\u1d4d\u1d4f-\u1d6a\u1d78\u1d9b-\u1dbf\u2070\u2071\u2074-\u208e\u2090-\u209c\u2120\u2122\u2150-\u215f\u2189\u2460-\u2473\u24b6-\u24ea\u2c7c\u2c7d\u2d6f\u3192-\u319f\u3244-\u3247\u3251-\u327e\u3280-\u32bf\u32d0-\u32fe\ua69c\ua69d\ua770\ua7f2-\ua7f4\ua7f8\ua7f9\uab5c-\uab5f\uab69\u{10781}-\u{10785}\u{10787}-\u{107b0}\u{107b2}-\u{107ba}\u{1f12b}-\u{1f12e}\u{1f16a}-\u{1f16c}\u{1f250}\u{1f251}]$/u;

/** Says whether a code of ASCII is white space. */
const isBreak = (code: number): boolean =>
  code === SPACE || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f);
const isControl = (code: number): boolean => code < SPACE || (code >= 0x7f && code <= 0x9f);

/** Says whether a unit is a sign of a number: a minus, a plus, or both. */
export function isSign(code: number | undefined): boolean {
  return code === 0x2d || code === 0x2b || code === 0xb1 || code === 0x2212;
}

/** Says whether a number begins at `at`: a digit, or a currency or a point with one behind it. */
export function isNumber(units: Units, at: number): boolean {
  let here = at;
  if ("$\u20ac\u00a3\u00a5".includes(String.fromCharCode(units.codes[here] ?? 0))) here += 1;
  if (units.codes[here] === 0x2e) here += 1;
  for (let one = at + 1; one <= here; one++) if (((units.flags[one] ?? GAP) & GAP) !== 0) return false;
  return here < units.length && ((units.flags[here] ?? 0) & DIGIT) !== 0;
}

/** Folds a text. `edges` are places of it at which a block begins, in order: they part words as white space does. */
export function fold(text: string, edges: readonly number[] = []): Units {
  const made = new Making(text.length + 16);
  let edge = 0;
  let at = 0;
  while (at < text.length) {
    while (edge < edges.length && (edges[edge] as number) <= at) {
      made.space(0);
      edge += 1;
    }
    const code = text.charCodeAt(at);
    // Nearly every character folds by itself: these are looked up, and only what may join is looked at closely.
    const next = text.charCodeAt(at + 1);
    const isAlone = !(next >= 0x80) || sortOf(next) !== JOINS;
    if (code < 0x80 && isAlone) {
      if (isBreak(code)) made.space(code);
      else if (code > SPACE && code < 0x7f)
        made.put(code >= 65 && code <= 90 ? code + 32 : code, code, at, at + 1, ascii(code), text);
      at += 1;
      continue;
    }
    if (isAlone && code >= 0x80 && sortOf(code) === SIMPLE) {
      made.put(SIMPLY[code] ?? 0, OWN[code] ?? 0, at, at + 1, KIND[code] ?? 0, text);
      at += 1;
      continue;
    }
    at = other(made, text, at);
  }
  return made.units();
}

// How each UTF-16 unit folds, once it was met: by itself to one unit; with a closer look; or with what is before it.
const [SIMPLE, CLOSER, JOINS] = [1, 2, 3];
const SORT = new Uint8Array(0x10000);
const SIMPLY = new Uint16Array(0x10000);
const OWN = new Uint16Array(0x10000);
const KIND = new Uint8Array(0x10000);

function sortOf(code: number): number {
  SORT[code] ||= sorted(code);
  return SORT[code] ?? CLOSER;
}

function sorted(code: number): number {
  const char = String.fromCharCode(code);
  if (/\p{Cs}/u.test(char) || INVISIBLE.test(char) || JOINING.test(char) || NARROW_KANA.test(char))
    return JOINS;
  if (BREAK.test(char) || isControl(code) || char === MINUS || char in PRIMES) return CLOSER;
  if (RAISED.includes(char) || ABOVE_LINE.includes(char)) return CLOSER;
  const folded = plain(char);
  const own = char.normalize("NFC");
  if (folded.length !== 1 || own.length !== 1) return CLOSER;
  SIMPLY[code] = folded.charCodeAt(0);
  OWN[code] = own.charCodeAt(0);
  KIND[code] = kindOf(folded);
  return SIMPLE;
}

/** Folds what begins at `at` and is not plain, and returns where it ends. */
function other(made: Making, text: string, at: number): number {
  const first = pointAt(text, at);
  if (BREAK.test(first) || isBreak(text.charCodeAt(at))) {
    made.space(first.charCodeAt(0));
    return at + first.length;
  }
  if (INVISIBLE.test(first) || isControl(text.charCodeAt(at))) return at + first.length;
  const before = made.last;
  if (first === MINUS) {
    made.all(
      /^[$\u20ac\u00a3\u00a5]?\.?\p{Nd}/u.test(text.slice(at + 1, at + 4)) ? "-" : MINUS,
      at,
      at + 1,
      text,
    );
    return at + 1;
  }
  if (RAISED.includes(first)) return run(made, text, at, RAISED, LETTER.test(before) ? LOWERED : RAISED);
  if (first in PRIMES) {
    const is = /^[\p{L}\p{N}\u2032\u2033)\]]$/u.test(before);
    return run(made, text, at, "\u2032\u2033", is ? "\u2032\u2033" : "'\"");
  }
  if (ABOVE_LINE.includes(first)) {
    let letters = "";
    for (let to = at; to < text.length && ABOVE_LINE.includes(text[to] as string); to++)
      letters += ORDINAL[ABOVE_LINE.indexOf(text[to] as string)];
    const ranked = before !== "" && RANKED.includes(before) && ORDINALS.has(letters);
    return run(made, text, at, ABOVE_LINE, ranked ? ORDINAL : ABOVE_LINE);
  }
  // A letter is folded together with its marks, Kana of half the width with those that follow.
  const joins = NARROW_KANA.test(first) ? NARROW_KANA : JOINING;
  let chars = first;
  let end = at + first.length;
  for (let next = pointAt(text, end); next !== ""; next = pointAt(text, end)) {
    if (!INVISIBLE.test(next)) {
      if (!joins.test(next)) break;
      chars += next;
    }
    end += next.length;
  }
  made.all(plain(chars), at, end, text);
  return end;
}

/** Folds a run of characters of `from` one by one to those of `to`. */
function run(made: Making, text: string, at: number, from: string, to: string): number {
  let end = at;
  for (; end < text.length; end++) {
    const place = from.indexOf(text[end] as string);
    if (place < 0) break;
    made.all(to[place] as string, end, end + 1, text);
  }
  return end;
}

const known = new Map<string, string>();

/** Returns what stands for one character with its marks, or for Kana of half the width. */
function plain(chars: string): string {
  let found = known.get(chars);
  if (found === undefined) {
    found = "";
    for (const one of chars.normalize(NARROW_KANA.test(chars[0] ?? "") ? "NFKC" : "NFC"))
      found += single(one);
    if (known.size > 20_000) known.clear();
    known.set(chars, found);
  }
  return found;
}

function single(char: string): string {
  const alike = PUNCTUATION.get(char);
  if (alike !== undefined) return alike;
  const wide = char.normalize("NFKC");
  // What is put together of others is one letter, even where a part of it has a plainer form.
  if (wide === char || char.normalize("NFD") !== char || MEANING.test(char)) return lower(char);
  let all = "";
  for (const one of wide) all += PUNCTUATION.get(one) ?? lower(one);
  return all;
}

// Letters whose one form for all cases is not what their capital's small letter is.
const CASES: Record<string, string> = { "\u0131": "\u0131", "\u03c2": "\u03c3" };

function lower(char: string): string {
  const kept = CASES[char];
  if (kept !== undefined) return kept;
  const small = char.toLowerCase();
  if (pointAt(small, 0) !== small) return (char.normalize("NFD")[0] ?? "").toLowerCase();
  return small.toUpperCase().toLowerCase();
}

function pointAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function ascii(code: number): number {
  if (code >= 48 && code <= 57) return WORD | DIGIT;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 ? WORD : 0;
}

const kinds = new Map<string, number>();

function kindOf(char: string): number {
  const code = char.charCodeAt(0);
  if (code < 0x80) return ascii(code);
  let kind = kinds.get(char);
  if (kind === undefined) {
    kind =
      (IN_WORDS.test(char) ? WORD : 0) |
      (UNSPACED_LETTER.test(char) ? UNSPACED : 0) |
      (NUMBER.test(char) ? DIGIT : 0);
    if (kinds.size > 20_000) kinds.clear();
    kinds.set(char, kind);
  }
  return kind;
}

/** Units while they are put together. */
class Making {
  #length = 0;
  #codes: Uint16Array;
  #own: Uint16Array;
  #flags: Uint8Array;
  #from: Uint32Array;
  #to: Uint32Array;
  // What the white space behind the last unit is: none, any, or what parts thousands.
  #gap = 0;
  /** The last character of the fold; white space is one, nothing is none. */
  last = "";

  constructor(size: number) {
    this.#codes = new Uint16Array(size);
    this.#own = new Uint16Array(size);
    this.#flags = new Uint8Array(size);
    this.#from = new Uint32Array(size);
    this.#to = new Uint32Array(size);
  }

  space(code: number): void {
    this.#gap = this.#gap === 0 && GROUPING.has(code) ? GAP | GROUPED : GAP;
    this.last = " ";
  }

  all(folded: string, from: number, to: number, text: string): void {
    const own = text.slice(from, to).normalize("NFC");
    let unit = 0;
    for (const char of folded) {
      const kind = kindOf(char);
      for (let each = 0; each < char.length; each++, unit++)
        // Behind the end of its own letters a unit is told from every other.
        this.put(char.charCodeAt(each), own.charCodeAt(unit) || 0xffff, from, to, kind, text);
    }
    // Where it has more letters of its own than folded ones, it is like nothing but itself.
    if (unit > 0 && unit < own.length) this.#own[this.#length - 1] = 0xfffe;
  }

  put(code: number, own: number, from: number, to: number, kind: number, text: string): void {
    let flags = kind;
    if (this.#gap !== 0) {
      flags |= this.#gap;
      if (this.#length > 0 && this.#parts(code, kind, to, text)) this.#add(SPACE, SPACE, from, from, 0);
      this.#gap = 0;
    }
    this.#add(code, own, from, to, flags);
    this.last = String.fromCharCode(code);
  }

  /** Says whether white space before a unit parts it from the last one. */
  #parts(code: number, kind: number, to: number, text: string): boolean {
    const last = this.#flags[this.#length - 1] ?? 0;
    if (((last | kind) & UNSPACED) !== 0) return false;
    if ((last & kind & WORD) !== 0) return true;
    // A sign belongs to the number that it touches, a point to the number that it stands in.
    if ((last & WORD) !== 0 && isSign(code))
      return /^[$\u20ac\u00a3\u00a5]?\.?\p{Nd}/u.test(text.slice(to, to + 3));
    const before = this.#flags[this.#length - 2] ?? 0;
    const point = this.#codes[this.#length - 1];
    return (kind & before & DIGIT) !== 0 && (point === 0x2e || point === 0x2c);
  }

  #add(code: number, own: number, from: number, to: number, flags: number): void {
    if (this.#length === this.#codes.length) this.#grow();
    const at = this.#length++;
    this.#codes[at] = code;
    this.#own[at] = own;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#flags[at] = flags;
  }

  #grow(): void {
    const size = this.#codes.length * 2;
    const larger = <A extends Uint8Array | Uint16Array | Uint32Array>(made: A, old: A): A => {
      made.set(old);
      return made;
    };
    this.#codes = larger(new Uint16Array(size), this.#codes);
    this.#own = larger(new Uint16Array(size), this.#own);
    this.#flags = larger(new Uint8Array(size), this.#flags);
    this.#from = larger(new Uint32Array(size), this.#from);
    this.#to = larger(new Uint32Array(size), this.#to);
  }

  units(): Units {
    const end = this.#length;
    return {
      length: end,
      codes: this.#codes.subarray(0, end),
      own: this.#own.subarray(0, end),
      flags: this.#flags.subarray(0, end),
      from: this.#from.subarray(0, end),
      to: this.#to.subarray(0, end),
    };
  }
}

/** Returns the folded form as a string. */
export function textOf(units: Units): string {
  let all = "";
  for (let at = 0; at < units.length; at += 8_192)
    all += String.fromCharCode(...units.codes.subarray(at, Math.min(units.length, at + 8_192)));
  return all;
}
