/**
 * An answer's Markdown as nodes of the page, made one by one: nothing of it is ever read as HTML.
 *
 * Numbers and underlines stand where their offsets say. In what the Markdown is read from, each place is a pair of half
 * brackets around a number; half brackets of the text itself are put in the same way, so nothing can be mistaken.
 */
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { safeLink } from "./shapes";

/** A node in place of a stretch of the text. `key` says when it has become another one. */
export interface Placed {
  start: number;
  end: number;
  key: string;
  make: () => Node;
}

/** A stretch of the text that is marked by a class. */
export interface Underlined {
  start: number;
  end: number;
  name: string;
  title?: string;
}

const OPEN = "\u2e24";
const CLOSE = "\u2e25";
const PLACE = /\u2e24(\d+)\u2e25/g;
// Texts beyond these are shown as they are written: reading them takes too long for a page.
const MOST = 200_000;
const MOST_BRACKETS = 4_000;
// Lists and quotes within one another, deeper than anybody writes them.
const DEEP = /^(?:[ \t>]|[*+-][ \t]){100}/m;
// What begins a block, which has to stay first on its line.
const BEGINS = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|>|\|)(?=[ \t|]|$)[ \t]*)+/;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  euro: "€",
  copy: "©",
};

/** A definition in the text, such as `[1]: address`, defines nothing: numbers are ours. */
class Reading extends Tokenizer {
  override def(): undefined {
    return undefined;
  }
}

type Part =
  | { kind: "node"; placed: Placed }
  | { kind: "on"; one: Underlined }
  | { kind: "off" }
  | { kind: "sign"; sign: string };

/** Draws an answer into an element again and again while it grows; blocks that have not changed stay as they are. */
export class Drawing {
  #blocks: { key: string; node: Node }[] = [];

  constructor(readonly into: HTMLElement) {}

  draw(
    text: string,
    placed: readonly Placed[] = [],
    lined: readonly Underlined[] = [],
    growing = false,
  ): void {
    const parts: Part[] = [];
    const source = withPlaces(growing ? text.trimEnd() : text, placed, lined, parts);
    const blocks = tokens(growing ? closed(source) : source).filter((one) => one.type !== "space");
    const writer = new Writer(parts);
    const made = blocks.map((token, index) => {
      const key = writer.key(token);
      const kept = this.#blocks[index];
      if (kept?.key === key) {
        writer.pass(token.raw);
        return kept;
      }
      return { key, node: writer.block(token) };
    });
    const focused = this.#focused();
    made.forEach((one, index) => {
      const there = this.#blocks[index]?.node;
      if (there === one.node) return;
      if (there) this.into.replaceChild(one.node, there);
      else this.into.append(one.node);
    });
    for (const old of this.#blocks.slice(made.length)) this.into.removeChild(old.node);
    this.#blocks = made;
    // Whoever is at a number stays there when its block is drawn again.
    if (focused >= 0 && this.#focused() < 0) this.#buttons()[focused]?.focus({ preventScroll: true });
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.into.querySelectorAll("button")];
  }

  #focused(): number {
    const active = (this.into.getRootNode() as Document | ShadowRoot).activeElement ?? null;
    return this.#buttons().indexOf(active as HTMLButtonElement);
  }
}

function tokens(source: string): Token[] {
  let brackets = 0;
  for (const char of source) if ("[*_`<".includes(char)) brackets += 1;
  if (source.length <= MOST && brackets <= MOST_BRACKETS && !DEEP.test(source)) {
    try {
      return new Lexer({ ...getDefaults(), tokenizer: new Reading() }).lex(source);
    } catch {
      // Shown as it is written, below.
    }
  }
  const plain: Tokens.Text = { type: "text", raw: source, text: source, escaped: false };
  return [{ type: "paragraph", raw: source, text: source, tokens: [plain], pre: true } as Tokens.Paragraph];
}

function withPlaces(
  text: string,
  placed: readonly Placed[],
  lined: readonly Underlined[],
  parts: Part[],
): string {
  const cuts: { at: number; to: number; order: number; part: Part }[] = [];
  let free = 0;
  for (const one of [...placed].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (one.start < free || one.end > text.length) continue;
    free = one.end;
    cuts.push({ at: one.start, to: one.end, order: 1, part: { kind: "node", placed: one } });
  }
  const taken = cuts.slice();
  const inside = (at: number): boolean => taken.some((cut) => cut.at < at && at < cut.to);
  for (const one of lined) {
    const { start, end } = trimmed(text, one);
    if (start >= end || end > text.length || inside(start) || inside(end)) continue;
    cuts.push({ at: start, to: start, order: 2, part: { kind: "on", one } });
    cuts.push({ at: end, to: end, order: 0, part: { kind: "off" } });
  }
  for (const found of text.matchAll(/[\u2e24\u2e25]/g)) {
    if (taken.some((cut) => cut.at <= found.index && found.index < cut.to)) continue;
    cuts.push({ at: found.index, to: found.index + 1, order: 3, part: { kind: "sign", sign: found[0] } });
  }
  cuts.sort((a, b) => a.at - b.at || a.order - b.order);
  let source = "";
  let at = 0;
  for (const cut of cuts) {
    source += `${text.slice(at, cut.at)}${OPEN}${parts.length}${CLOSE}`;
    parts.push(cut.part);
    at = cut.to;
  }
  return source + text.slice(at);
}

/** A stretch without what begins a block in front of it, and without space and table lines around it. */
function trimmed(text: string, one: Underlined): { start: number; end: number } {
  let { start, end } = one;
  if (start === 0 || text[start - 1] === "\n") start += BEGINS.exec(text.slice(start, end))?.[0].length ?? 0;
  while (start < end && /\s/.test(text[start] ?? "")) start += 1;
  while (end > start && /[\s|]/.test(text[end - 1] ?? "")) end -= 1;
  return { start, end };
}

/** Markdown whose end is still open, closed: emphasis does not stand as stars until its end has come. */
function closed(source: string): string {
  const at = source.lastIndexOf("\n\n") + 1;
  const last = source.slice(at);
  if ((source.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1) return source;
  let text = last
    // A link whose address is on its way is its words; a mark that has just begun is nothing yet.
    .replace(/\[([^\][\n]{0,300})\]\([^()\s]{0,2000}$/, "$1")
    .replace(/(?:^|(?<=[\s(]))(?:\*{1,3}|_{1,3}|`|\[)$/, "")
    .replace(/(?:^|\n)[ \t]*(?:[-+*]|#{1,6}|\d{1,3}[.)]?)$/, "");
  const count = (mark: RegExp): number => text.match(mark)?.length ?? 0;
  if (count(/`/g) % 2 === 1) text += "`";
  else {
    const bold = count(/\*\*/g);
    const single = count(/(?<![*\n])\*(?![*\s])/g) + count(/(?<=[^\s*])\*(?=\s)/g);
    if (single % 2 === 1) text += "*";
    if (bold % 2 === 1) text += "**";
  }
  return source.slice(0, at) + text;
}

class Writer {
  #on: Underlined | null = null;

  constructor(private readonly parts: readonly Part[]) {}

  /** What a block looks like depends on its text, on what is placed in it, and on the line that goes on into it. */
  key(token: Token): string {
    const inside = Array.from(token.raw.matchAll(PLACE), ([, number]) => {
      const part = this.parts[Number(number)];
      return part?.kind === "node" ? part.placed.key : (part?.kind ?? "");
    });
    return JSON.stringify([token.type, this.#on !== null, token.raw.replace(PLACE, OPEN), inside]);
  }

  /** Goes past a block that stays as it is. */
  pass(raw: string): void {
    for (const [, number] of raw.matchAll(PLACE)) {
      const part = this.parts[Number(number)];
      if (part?.kind === "on") this.#on = part.one;
      else if (part?.kind === "off") this.#on = null;
    }
  }

  block(token: Token): Node {
    switch (token.type) {
      case "heading":
        // The page has its own first headings.
        return this.#made(`h${Math.min(6, (token as Tokens.Heading).depth + 2)}`, token as Tokens.Heading);
      case "paragraph": {
        const made = this.#made("p", token as Tokens.Paragraph);
        if ("pre" in token) made.className = "as-written";
        return made;
      }
      case "code": {
        const made = document.createElement("pre");
        made.dir = "ltr";
        made.tabIndex = 0;
        const code = document.createElement("code");
        this.#text(code, (token as Tokens.Code).text);
        made.append(code);
        return made;
      }
      case "blockquote": {
        const made = document.createElement("blockquote");
        this.#blocks(made, (token as Tokens.Blockquote).tokens);
        return made;
      }
      case "list":
        return this.#list(token as Tokens.List);
      case "table":
        return this.#table(token as Tokens.Table);
      case "hr":
        return document.createElement("hr");
      default: {
        const made = document.createElement("p");
        made.dir = "auto";
        if ("tokens" in token && token.tokens) this.#inline(made, token.tokens);
        else this.#text(made, token.raw.trimEnd());
        return made;
      }
    }
  }

  #made(name: string, token: { tokens: Token[] }): HTMLElement {
    const made = document.createElement(name);
    made.dir = "auto";
    this.#inline(made, token.tokens);
    return made;
  }

  #blocks(into: HTMLElement, given: Token[]): void {
    for (const token of given) {
      if (token.type === "text") this.#inline(into, (token as Tokens.Text).tokens ?? [token]);
      else if (token.type === "checkbox") into.append((token as Tokens.Checkbox).checked ? "☑ " : "☐ ");
      else if (token.type !== "space") into.append(this.block(token));
    }
  }

  #list(token: Tokens.List): HTMLElement {
    const made = document.createElement(token.ordered ? "ol" : "ul");
    made.dir = "auto";
    if (token.ordered && typeof token.start === "number") (made as HTMLOListElement).start = token.start;
    for (const item of token.items) {
      const one = document.createElement("li");
      one.dir = "auto";
      this.#blocks(one, item.tokens);
      made.append(one);
    }
    return made;
  }

  #table(token: Tokens.Table): HTMLElement {
    const around = document.createElement("div");
    around.className = "table";
    // It may have to be moved sideways, by the keyboard too.
    around.tabIndex = 0;
    around.setAttribute("role", "group");
    around.setAttribute("aria-label", "Table");
    const made = document.createElement("table");
    const row = (cells: Tokens.TableCell[], name: "th" | "td"): HTMLElement => {
      const line = document.createElement("tr");
      for (const cell of cells) {
        const one = this.#made(name, cell);
        if (name === "th") one.setAttribute("scope", "col");
        if (cell.align) one.classList.add(`to-${cell.align}`);
        line.append(one);
      }
      return line;
    };
    const head = document.createElement("thead");
    head.append(row(token.header, "th"));
    const body = document.createElement("tbody");
    for (const cells of token.rows) body.append(row(cells, "td"));
    made.append(head, body);
    around.append(made);
    return around;
  }

  #inline(into: HTMLElement, given: Token[]): void {
    for (const token of given) {
      switch (token.type) {
        case "strong":
        case "em":
        case "del":
          into.append(this.#inside(document.createElement(token.type), token as Tokens.Strong));
          break;
        case "codespan": {
          const code = document.createElement("code");
          this.#text(code, (token as Tokens.Codespan).text);
          into.append(code);
          break;
        }
        case "br":
          into.append(document.createElement("br"));
          break;
        case "link":
          this.#link(into, token as Tokens.Link);
          break;
        case "image":
          // Nothing is loaded: what the picture is said to show stands in its place.
          this.#text(into, decoded((token as Tokens.Image).text));
          break;
        case "escape":
          this.#text(into, (token as Tokens.Escape).text);
          break;
        case "checkbox":
          into.append((token as Tokens.Checkbox).checked ? "☑ " : "☐ ");
          break;
        case "text":
          if ((token as Tokens.Text).tokens) this.#inline(into, (token as Tokens.Text).tokens ?? []);
          else this.#text(into, decoded((token as Tokens.Text).text));
          break;
        default:
          // HTML and anything else stand there as they are written.
          this.#text(into, token.raw);
      }
    }
  }

  #inside(made: HTMLElement, token: { tokens: Token[] }): HTMLElement {
    this.#inline(made, token.tokens);
    return made;
  }

  #link(into: HTMLElement, token: Tokens.Link): void {
    const address = safeLink(decoded(token.href));
    if (address === null || PLACE.test(token.href)) {
      PLACE.lastIndex = 0;
      this.#inline(into, token.tokens);
      return;
    }
    const link = document.createElement("a");
    link.href = address;
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    into.append(this.#inside(link, token));
  }

  /** Writes text with what is placed in it. */
  #text(into: HTMLElement, text: string): void {
    let at = 0;
    for (const found of text.matchAll(PLACE)) {
      this.#words(into, text.slice(at, found.index));
      at = found.index + found[0].length;
      const part = this.parts[Number(found[1])];
      if (part === undefined) continue;
      if (part.kind === "node") into.append(part.placed.make());
      else if (part.kind === "sign") this.#words(into, part.sign);
      else this.#on = part.kind === "on" ? part.one : null;
    }
    this.#words(into, text.slice(at));
  }

  #words(into: HTMLElement, words: string): void {
    if (!words) return;
    if (this.#on === null || !words.trim()) {
      into.append(words);
      return;
    }
    const line = document.createElement("span");
    line.className = this.#on.name;
    if (this.#on.title) line.title = this.#on.title;
    line.append(words);
    into.append(line);
  }
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (whole, ten, hex, name) => {
      if (name) return ENTITIES[name] ?? whole;
      const point = Number.parseInt(ten ?? hex, ten ? 10 : 16);
      return point > 31 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
        ? String.fromCodePoint(point)
        : "\ufffd";
    },
  );
}
