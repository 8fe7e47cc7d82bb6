/** What a client makes of the events of AG-UI: messages, each with its numbers and what was found out about them. */
import { type MocaCitation, mocaOf } from "./moca";
import {
  type Citations,
  type Cited,
  type Final,
  isObject,
  type Json,
  type Lit,
  type Missed,
  type Provisional,
  type Source,
  type Stretch,
  safeLink,
} from "./shapes";

export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  /** `writing` until its end has come; `ended` until its citations have; then `settled`. */
  state: "writing" | "ended" | "settled";
  cited: Cited[];
  sources: Source[];
  misses: Missed[];
  uncited: Stretch[];
  status: string | null;
  /** Words that a model picked, by the index of the citation. */
  lit: Map<number, Lit>;
  moca: MocaCitation[];
  /** When the records of `moca` were true; null where that is not told. */
  computedAt: string | null;
  /** Why there is no answer, or no whole one. */
  fault: string | null;
}

const MOST = 2_000;

/** The messages of one conversation. `take` each event as it comes. */
export class Transcript {
  messages: Message[] = [];
  /** A run is on. */
  running = false;

  /** The messages that have something to show: a turn that only calls a tool has nothing. */
  get shown(): Message[] {
    return this.messages.filter((one) => one.role === "user" || one.text !== "" || one.fault !== null);
  }

  say(id: string, text: string): void {
    this.messages.push({ ...message(id, "user"), text, state: "settled" });
  }

  /** Takes a question back, with whatever came behind it. */
  withdraw(id: string): void {
    const at = this.messages.findIndex((one) => one.id === id);
    if (at >= 0) this.messages.length = at;
  }

  of(id: unknown): Message | undefined {
    return this.messages.find((one) => one.id === id && one.role === "assistant");
  }

  /** Takes in an event; false where it changes nothing that is shown. What is not known is passed over. */
  take(event: Json): boolean {
    switch (event["type"]) {
      case "RUN_STARTED":
        this.running = true;
        return true;
      case "RUN_FINISHED":
      case "RUN_ERROR":
        this.running = false;
        for (const one of this.messages) if (one.state !== "settled") one.state = "settled";
        return true;
      case "TEXT_MESSAGE_START":
        if ((event["role"] ?? "assistant") !== "assistant") return false;
        return this.#open(event["messageId"]) !== null;
      case "TEXT_MESSAGE_CHUNK":
      case "TEXT_MESSAGE_CONTENT": {
        const one = this.#open(event["messageId"]);
        if (one === null || typeof event["delta"] !== "string") return false;
        one.text += event["delta"];
        return true;
      }
      case "TEXT_MESSAGE_END": {
        const one = this.of(event["messageId"]);
        if (one?.state !== "writing") return false;
        one.state = "ended";
        return true;
      }
      case "MESSAGES_SNAPSHOT":
        return this.#snapshot(event["messages"]);
      case "CUSTOM":
        return isObject(event["value"]) && this.#custom(event["name"], event["value"]);
      default:
        return false;
    }
  }

  /** Takes in what a conversation keeps of an answer: its text, and the values of the events that told of it. */
  kept(id: string, text: string, citations: unknown, highlight: unknown, moca: unknown = null): Message {
    const one = { ...message(id, "assistant"), text, state: "settled" as const };
    this.messages.push(one);
    if (isObject(citations)) settle(one, citations as unknown as Citations);
    if (isObject(highlight)) light(one, highlight);
    if (isObject(moca)) trusts(one, moca);
    return one;
  }

  #open(id: unknown): Message | null {
    if (typeof id !== "string" || id === "") return null;
    const found = this.of(id);
    if (found) return found;
    const made = message(id, "assistant");
    this.messages.push(made);
    return made;
  }

  /** The text of a message may read otherwise than it was streamed, and drafts are gone. */
  #snapshot(given: unknown): boolean {
    if (!Array.isArray(given)) return false;
    const told = new Map<unknown, string>();
    for (const one of given) {
      if (isObject(one) && one["role"] === "assistant" && typeof one["content"] === "string")
        told.set(one["id"], one["content"]);
    }
    this.messages = this.messages.filter(
      // A snapshot tells of this run; what was settled before it stays.
      (one) => one.role === "user" || one.state === "settled" || told.has(one.id),
    );
    for (const one of this.messages) {
      const text = told.get(one.id);
      if (one.role !== "assistant" || text === undefined || text === one.text) continue;
      one.text = text;
      one.cited = [];
    }
    return true;
  }

  #custom(name: unknown, value: Json): boolean {
    if (value["version"] !== 1) return false;
    const one = this.of(value["messageId"]);
    if (!one) return false;
    if (name === "pincite.citation") {
      if (one.state === "settled" || one.cited.length >= MOST) return false;
      const found = provisional(value as unknown as Provisional, one.cited.length);
      if (found === null) return false;
      one.cited.push(found);
      return true;
    }
    if (name === "pincite.citations") {
      settle(one, value as unknown as Citations);
      return true;
    }
    if (name === "pincite.highlight") return light(one, value);
    if (name === "moca.citations") return trusts(one, value);
    return false;
  }
}

function message(id: string, role: Message["role"]): Message {
  return {
    id,
    role,
    text: "",
    state: "writing",
    cited: [],
    sources: [],
    misses: [],
    uncited: [],
    status: null,
    lit: new Map(),
    moca: [],
    computedAt: null,
    fault: null,
  };
}

/** The final citations of a message; the last ones told win, and so does the text that comes with them. */
function settle(one: Message, value: Citations): void {
  if (typeof value.text === "string") one.text = value.text;
  one.sources = list<Source>(value.sources);
  one.misses = list<Missed>(value.misses);
  one.uncited = list<Stretch>(value.uncited);
  one.status = typeof value.status === "string" ? value.status : null;
  one.cited = list<Final>(value.citations)
    .slice(0, MOST)
    .map((each, index) => final(each, index, one.sources))
    .filter((each) => each !== null);
  one.lit.clear();
  one.state = "settled";
}

function light(one: Message, value: Json): boolean {
  for (const each of list<Lit>(value["highlights"])) {
    if (Number.isInteger(each.citation) && typeof each.quote === "string") one.lit.set(each.citation, each);
  }
  return true;
}

/** What packages say of trust, as of the moment that is told with it. */
function trusts(one: Message, value: Json): boolean {
  const found = mocaOf(value);
  if (found === null) return false;
  one.moca = found.citations;
  one.computedAt = found.computedAt;
  return true;
}

function final(one: Final, index: number, sources: Source[]): Cited | null {
  const place = within(one);
  if (place === null) return null;
  const source = sources.find((each) => each.number === one.number);
  return {
    ...place,
    ...opened(one),
    index,
    numbers: typeof one.number === "number" ? [one.number] : [],
    title: text(source?.title) ?? "",
    locator: isObject(one.locator) ? one.locator : {},
    link: safeLink(source?.source_uri),
    verdict: text(one.verdict),
    quote: text(one.quote_verdict),
    support: text(one.support_verdict),
    confidence: text(one.confidence),
    state: text(one.source_state),
    claim: isObject(one.claim) ? within(one.claim) : null,
    final: true,
  };
}

function provisional(one: Provisional, index: number): Cited | null {
  const place = within(one);
  if (place === null) return null;
  return {
    ...place,
    ...opened(one),
    index,
    numbers: Array.isArray(one.numbers) ? one.numbers.filter((each) => typeof each === "number") : [],
    title: text(one.title) ?? "",
    locator: {},
    link: null,
    verdict: text(one.verdict),
    quote: text(one.quote_verdict),
    support: null,
    confidence: null,
    state: null,
    claim: null,
    final: false,
  };
}

function opened(one: Provisional | Final): Pick<Cited, "ref" | "chunk_id" | "document_id" | "version"> {
  return {
    ref: text(one.ref),
    chunk_id: text(one.chunk_id),
    document_id: text(one.document_id),
    version: text(one.version),
  };
}

function within(one: Stretch): { start: number; end: number } | null {
  const { start_utf16: start, end_utf16: end } = one;
  if (!Number.isInteger(start) || !Number.isInteger(end)) return null;
  return (start as number) >= 0 && (end as number) >= (start as number)
    ? { start: start as number, end: end as number }
    : null;
}

const text = (value: unknown): string | null => (typeof value === "string" && value ? value : null);

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value.filter(isObject) as T[]) : [];
}
