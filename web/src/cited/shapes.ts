/** What the events of a run carry, and what `/api/conversations/{id}/citations` keeps of it. */

/** A stretch of the text that is shown, in UTF-16 units. */
export interface Stretch {
  start_utf16: number | null;
  end_utf16: number | null;
}

/** Where a person looks: the page, the number printed on it, the headings, the sheet, the slide. */
export interface Locator {
  page?: number;
  page_end?: number;
  page_label?: string;
  line?: number;
  slide?: number;
  paragraph?: number;
  sheet?: string;
  cells?: string;
  pointer?: string;
  part?: string;
  time?: number;
  headings?: string[];
}

/** What opens a passage. */
export interface Opened {
  ref: string | null;
  chunk_id: string | null;
  document_id: string | null;
  version: string | null;
}

/** An entry of `pincite.citation`: provisional, while the text grows. */
export interface Provisional extends Stretch, Opened {
  messageId: string;
  numbers: number[];
  verdict: string | null;
  quote_verdict: string | null;
  title: string | null;
}

/** An entry of `citations` in `pincite.citations`. */
export interface Final extends Stretch, Opened {
  number: number | null;
  verdict: string | null;
  quote_verdict: string | null;
  support_verdict: string | null;
  evidence_id: string | null;
  locator: Locator;
  confidence: string | null;
  source_state: string | null;
  anchor: string | null;
  claim: Stretch | null;
}

export interface Source {
  number: number;
  title: string | null;
  document_id: string | null;
  source_key: string | null;
  source_uri: string | null;
  locator: Locator;
  bibliography: Record<string, unknown>;
}

export interface Missed extends Stretch {
  reason: string;
  suggestion: string | null;
}

/** The value of `pincite.citations`. */
export interface Citations {
  version: number;
  messageId: string;
  conversationId?: string;
  text?: string;
  citations: Final[];
  sources: Source[];
  misses: Missed[];
  uncited: Stretch[];
  status: string | null;
}

export interface Box {
  page: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Words that a model picked to be lit; `citation` is the index among the citations of the message. */
export interface Lit {
  citation: number;
  quote: string;
  chunk_id: string;
  version: string;
  start: number;
  end: number;
  boxes: Box[];
}

/** One number in a text: where it stands, what it says, and what opens it. */
export interface Cited extends Opened {
  /** The index among the citations of the message. */
  index: number;
  start: number;
  end: number;
  numbers: number[];
  title: string;
  locator: Locator;
  link: string | null;
  verdict: string | null;
  quote: string | null;
  support: string | null;
  confidence: string | null;
  state: string | null;
  /** The statement that it stands for, where that is told. */
  claim: { start: number; end: number } | null;
  /** Nothing of it can change any more. */
  final: boolean;
}

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an address that may be followed: http or https, absolute, with a host, no user and no control signs. */
export function safeLink(address: unknown): string | null {
  if (typeof address !== "string" || address.length > 4000) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!/^https?:\/\/[^/?#]/i.test(address) || /[\u0000-\u0020\u007f-\u009f\\]/.test(address)) return null;
  try {
    const url = new URL(address);
    const web = url.protocol === "https:" || url.protocol === "http:";
    return web && url.host && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
