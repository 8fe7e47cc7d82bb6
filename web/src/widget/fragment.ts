/**
 * Links that lead to words of another page, in any script: `words_fragment` of the library (`core/text_fragments.py`)
 * once more, for a browser that holds the words and no server's link to them. A test holds both to the same.
 */

const WHITE = " \\t-\\r\\x1c-\\x1f\\x85\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BREAK = WHITE.slice(1);
const STOPS = "。、，；：！？｡､";
// What parts two blocks of a page in our text of it.
const BETWEEN = new RegExp(
  `(?:[${BREAK}][${WHITE}]*| [${WHITE}]+|^[${WHITE}]*)(?:(?:-|\\p{Nd}{1,9}\\.) )?(?:\\| )*` +
    "| (?:\\| )*\\|(?=\\n|$)| (?:\\| )+",
  "gu",
);
// A word with the marks at it; wide full stops and commas end one too.
const WORD = new RegExp(`[^${WHITE}${STOPS}]+(?:[${STOPS}]+[」』）】》〉”’]*)?|[${STOPS}]+`, "gu");
const AT_END = new RegExp(`[${WHITE}]+$`, "u");
const AT_START = new RegExp(`^[${WHITE}]+`, "u");
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const PDF = /\.pdf(?:\?[^#]*)?$/i;

// Code points that are named in full, of words that may stand on a page by chance, and of one word, or bytes of several.
const [EXACT, SHORT, LONGEST] = [100, 20, 200];
// Characters of a directive and of a link, places that are looked at, code points of words.
const [MOST, LONGEST_LINK, OCCURRENCES, ALONE] = [2_000, 4_000, 200, 10_000];
// Words around the words, from the first try on.
const TRIES = [0, 3, 5, 8, 12];

/** Code points from the first to the one behind the last. */
interface Span {
  start: number;
  end: number;
}

/** Returns `address`, led on to `page` of a PDF, else to `words`; as it is where there is nothing to lead to. */
export function sourceLink(address: string, words: string, page?: number): string {
  if (address.includes(":~:")) return address;
  if (page !== undefined) return PDF.test(address) ? `${address}#page=${page}` : address;
  const directive = wordsFragment(words);
  const link = address + (address.includes("#") ? "" : "#") + directive;
  return directive !== "" && Array.from(link).length <= LONGEST_LINK ? link : address;
}

/** Returns the directive for `words` of a page of which nothing else is known; empty where they say nothing. */
export function wordsFragment(words: string): string {
  const points = Array.from(words.replace(/\p{Cs}/gu, "?"));
  if (points.length <= ALONE) return new Searched(points).fragment();
  const head = points.slice(0, ALONE).join("");
  // Without the word that is cut, where there are spaces.
  const kept = head.replace(AT_END, "");
  return new Searched(Array.from(kept.slice(0, Math.max(0, kept.lastIndexOf(" "))) || head)).fragment();
}

/** A text as a browser searches it: block by block, in letters of one case. */
class Searched {
  readonly #blocks: Span[] = [];
  readonly #folded: string;
  // Where each block begins in the folded text.
  readonly #starts: number[] = [];

  constructor(private readonly points: string[]) {
    const text = points.join("");
    // Offsets of a string as code points.
    const point = new Uint32Array(text.length + 1);
    let at = 0;
    points.forEach((one, index) => {
      point.fill(index, at, at + one.length);
      at += one.length;
    });
    point[at] = points.length;
    let start = 0;
    for (const found of text.matchAll(BETWEEN)) {
      if (found.index > start) this.#blocks.push({ start: point[start] ?? 0, end: point[found.index] ?? 0 });
      start = found.index + found[0].length;
    }
    if (start < text.length) this.#blocks.push({ start: point[start] ?? 0, end: points.length });
    let length = 0;
    const folded = this.#blocks.map((block) => {
      const words = cased(this.#text(block));
      this.#starts.push(length);
      length += words.length + 1;
      return words;
    });
    this.#folded = folded.join("\n");
  }

  fragment(): string {
    const told = this.#blocks.map((block) => this.#told(block)).filter((words) => words.length > 0);
    let words = told.find((one) => length(one) >= SHORT);
    for (const one of told)
      if (words === undefined || (length(words) < SHORT && length(one) > length(words))) words = one;
    const first = words?.[0];
    if (words === undefined || first === undefined) return "";
    const span = this.#joined(
      words.filter((word) => word.end - first.start <= EXACT),
      first,
    );
    let best = "";
    for (const around of TRIES) {
      const before = around > 0 ? this.#before(span.start, around) : null;
      const behind = around > 0 ? this.#behind(span.end, around) : null;
      const written = [
        ...(before ? [`${this.#encoded(before)}-`] : []),
        this.#encoded(span),
        ...(behind ? [`-${this.#encoded(behind)}`] : []),
      ].join(",");
      if (":~:text=".length + written.length > MOST) break;
      best = `:~:text=${written}`;
      const tells = span.end - span.start >= SHORT || before !== null || behind !== null;
      if (tells && this.#leadsTo(span, before, behind)) break;
    }
    return best;
  }

  /** Returns the words of a block that say something; none where the first or the last of them is too long. */
  #told(block: Span): Span[] {
    const words = this.#words(block).filter((word) => SAYS_SOMETHING.test(this.#text(word)));
    return [words[0], words.at(-1)].every((one) => one && one.end - one.start <= LONGEST) ? words : [];
  }

  /** Says whether the first place that a browser finds is the one that is meant. */
  #leadsTo(span: Span, before: Span | null, behind: Span | null): boolean {
    const [words, front, back] = [span, before, behind].map((one) => (one ? cased(this.#text(one)) : ""));
    for (const at of this.#places(words ?? "")) {
      const ahead = this.#folded.slice(Math.max(0, at - (front ?? "").length - 1), at).replace(AT_END, "");
      if (front && !ahead.endsWith(front)) continue;
      const end = at + (words ?? "").length;
      const next = this.#folded.slice(end, end + (back ?? "").length + 1).replace(AT_START, "");
      if (back && !next.startsWith(back)) continue;
      return at === this.#place(span.start) && end === this.#place(span.end);
    }
    return false;
  }

  *#places(words: string): Generator<number> {
    let at = -1;
    for (let one = 0; one < OCCURRENCES; one++) {
      at = this.#folded.indexOf(words, at + 1);
      if (at < 0) return;
      yield at;
    }
  }

  #blockAt(place: number): number {
    return this.#blocks.findLastIndex((block) => block.start <= place);
  }

  #place(place: number): number {
    const number = this.#blockAt(place);
    const start = this.#blocks[number]?.start ?? 0;
    return (this.#starts[number] ?? 0) + cased(this.#text({ start, end: place })).length;
  }

  /** Returns the words of a stretch; what is cut at its ends is a word too. */
  #words(stretch: Span): Span[] {
    const found: Span[] = [];
    let [unit, point] = [0, stretch.start];
    const text = this.#text(stretch);
    for (const one of text.matchAll(WORD)) {
      const start = point + Array.from(text.slice(unit, one.index)).length;
      point = start + Array.from(one[0]).length;
      unit = one.index + one[0].length;
      found.push({ start, end: point });
    }
    return found;
  }

  /** Returns up to `most` words right before `place`, of its block or of one before it. */
  #before(place: number, most: number): Span | null {
    for (let number = this.#blockAt(place); number >= 0; number--) {
      const block = this.#blocks[number] as Span;
      const end = Math.min(place, block.end);
      const start = Math.max(block.start, end - LONGEST);
      let words = this.#words({ start, end }).slice(-most);
      // The first word is cut where it begins with the stretch that was looked at.
      if (words[0]?.start === start && start > block.start) words = words.slice(1);
      if (words.length > 0) return this.#joinedBack(words);
      if (block.start < place && place < block.end) return null;
    }
    return null;
  }

  /** Returns up to `most` words right behind `place`, of its block or of one behind it. */
  #behind(place: number, most: number): Span | null {
    const at = this.#blockAt(place - 1);
    if (at < 0) return null;
    for (let number = at; number < this.#blocks.length; number++) {
      const block = this.#blocks[number] as Span;
      const start = Math.max(place, block.start);
      const end = Math.min(block.end, start + LONGEST);
      let words = this.#words({ start, end }).slice(0, most);
      if (words.at(-1)?.end === end && end < block.end) words = words.slice(0, -1);
      if (words[0]) return this.#joined(words, words[0]);
      if (block.start < place && place < block.end) return null;
    }
    return null;
  }

  /** Returns the stretch of `words`, or of as many of the first of them as are not too long together. */
  #joined(words: Span[], first: Span): Span {
    let span = words[0] ?? first;
    for (const word of words.slice(1)) {
      const wider = { start: span.start, end: word.end };
      if (this.#bytes(wider) > LONGEST) break;
      span = wider;
    }
    return span;
  }

  /** The same of the last of them. */
  #joinedBack(words: Span[]): Span {
    let span = words.at(-1) as Span;
    for (const word of words.slice(0, -1).reverse()) {
      const wider = { start: word.start, end: span.end };
      if (this.#bytes(wider) > LONGEST) break;
      span = wider;
    }
    return span;
  }

  #text(span: Span): string {
    return this.points.slice(span.start, span.end).join("");
  }

  #bytes(span: Span): number {
    return new TextEncoder().encode(this.#text(span)).length;
  }

  /** Percent-encodes all but letters and digits of ASCII: a dash, a comma and an ampersand have a meaning there. */
  #encoded(span: Span): string {
    return encodeURIComponent(this.#text(span)).replace(
      /[-_.!~*'()]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }
}

/** Returns letters in one case, each by itself. */
function cased(text: string): string {
  let all = "";
  for (const one of text)
    all += one === "\u0131" ? one : one.toLowerCase().toUpperCase().toLowerCase().replace("\u03c2", "\u03c3");
  return all;
}

/** Returns how many code points lie between the first and the last of `words`. */
function length(words: Span[]): number {
  return (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0);
}
