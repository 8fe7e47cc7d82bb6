// Made by `make web-types` from the JSON Schemas. Edit those, not this file.

/**
 * An answer and what was found in it; offsets are code points of `text`.
 */
export interface Answer {
  /**
   * With numbered references in place of its markers.
   */
  answer: string;
  /**
   * As the model wrote it.
   */
  text: string;
  /**
   * One for each marker, in the order of the text.
   */
  citations: Citation[];
  /**
   * In the order of first mention.
   */
  sources: NumberedSource[];
  misses: Miss[];
  /**
   * Sentences that state something and cite nothing.
   */
  uncited: Stretch[];
  /**
   * Null where it was not asked for.
   */
  support: Support | null;
}
/**
 * One marker of an answer and what was found out about it.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Citation".
 */
export interface Citation {
  /**
   * The number of its source in `answer`.
   */
  number: number | null;
  verdict: ("valid" | "not_fetched" | "unavailable" | "malformed") | null;
  quote_verdict:
    | (
        | "verbatim"
        | "typographic"
        | "elided"
        | "altered"
        | "truncated"
        | "elsewhere"
        | "absent"
        | "too_short"
        | "unchecked"
      )
    | null;
  support_verdict: ("supported" | "partial" | "unsupported" | "contradicted" | "unchecked") | null;
  ref: string | null;
  evidence_id: string | null;
  source: Source;
  locator: Locator;
  confidence: ("supported" | "weak") | null;
  source_state: ("current" | "superseded" | "removed") | null;
  /**
   * The words that it quotes, where it quotes some.
   */
  excerpt: string | null;
  /**
   * Where they begin in their passage.
   */
  excerpt_start: number | null;
  /**
   * What `start` and `end` are of.
   */
  anchor: ("marker" | "content") | null;
  start: number | null;
  /**
   * Code points of `text`.
   */
  end: number | null;
}
/**
 * What a citation leads to.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Source".
 */
export interface Source {
  title: string | null;
  document_id: string | null;
  /**
   * The name of the document that may be shown.
   */
  source_key: string | null;
  /**
   * An http or https address, where it is safe as a link.
   */
  source_uri: string | null;
}
/**
 * Where a person looks; a field that is not known is left out.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Locator".
 */
export interface Locator {
  page?: number;
  page_end?: number;
  line?: number;
  line_end?: number;
  slide?: number;
  slide_end?: number;
  paragraph?: number;
  paragraph_end?: number;
  page_label?: string;
  sheet?: string;
  cells?: string;
  pointer?: string;
  part?: string;
  columns?: string;
  time?: number;
  time_end?: number;
  headings?: string[];
  ocr?: boolean;
}
/**
 * A source in the list below the answer.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "NumberedSource".
 */
export interface NumberedSource {
  number: number;
  title: string | null;
  document_id: string | null;
  /**
   * The name of the document that may be shown.
   */
  source_key: string | null;
  /**
   * An http or https address, where it is safe as a link.
   */
  source_uri: string | null;
  locator: Locator;
  /**
   * Fields of CSL-JSON; empty where nothing is known.
   */
  bibliography: {};
  passages: Passage[];
}
/**
 * A cited passage.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Passage".
 */
export interface Passage {
  ref: string | null;
  evidence_id: string | null;
  text: string;
}
/**
 * Something that looks like a citation and is none.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Miss".
 */
export interface Miss {
  start: number;
  end: number;
  written: string;
  /**
   * Why it is none.
   */
  reason: "never_issued" | "ambiguous" | "malformed" | "in_code" | "in_link";
  /**
   * The nearest key that there is.
   */
  suggestion: string | null;
}
/**
 * A part of `text`.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Stretch".
 */
export interface Stretch {
  start: number;
  end: number;
  text: string;
}
/**
 * Every claim of an answer, checked by one method.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Support".
 */
export interface Support {
  method: string;
  claims: Claim[];
  /**
   * Citations, by index, that belong to no claim.
   */
  unclaimed: number[];
  lengths: number[];
}
/**
 * A statement of the answer against what it cites.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Claim".
 */
export interface Claim {
  start: number;
  end: number;
  text: string;
  /**
   * Against all that it cites.
   */
  together: SupportCheck | null;
  citations: CitationSupport[];
  /**
   * The best passage that it does not cite.
   */
  better: SupportCheck | null;
  quotations: Quotation[];
}
/**
 * A claim against passages.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "SupportCheck".
 */
export interface SupportCheck {
  /**
   * Whether the passages say what the claim says.
   */
  support_verdict: "supported" | "partial" | "unsupported" | "contradicted" | "unchecked";
  /**
   * What told it.
   */
  method: string;
  score: number | null;
  /**
   * The key of the passage that the verdict rests on.
   */
  passage: string | null;
  start: number | null;
  /**
   * Code points of that passage.
   */
  end: number | null;
  reasons: Reason[];
}
/**
 * Why a claim is not supported as it stands.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Reason".
 */
export interface Reason {
  /**
   * What kind of reason.
   */
  kind: "number" | "date" | "unit" | "name" | "negation" | "word" | "judgement" | "unchecked";
  claim: string | null;
  source: string | null;
  /**
   * A sentence for people.
   */
  message: string;
}
/**
 * One citation of a claim by itself.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "CitationSupport".
 */
export interface CitationSupport {
  /**
   * Its index in `citations`.
   */
  citation: number;
  is_needed: boolean | null;
  /**
   * Whether the passages say what the claim says.
   */
  support_verdict: "supported" | "partial" | "unsupported" | "contradicted" | "unchecked";
  /**
   * What told it.
   */
  method: string;
  score: number | null;
  /**
   * The key of the passage that the verdict rests on.
   */
  passage: string | null;
  start: number | null;
  /**
   * Code points of that passage.
   */
  end: number | null;
  reasons: Reason[];
}
/**
 * Words in quotation marks, against the passages.
 *
 * This interface was referenced by `Answer`'s JSON-Schema
 * via the `definition` "Quotation".
 */
export interface Quotation {
  start: number;
  end: number;
  text: string;
  passage_key: string | null;
  /**
   * What became of the quotation.
   */
  quote_verdict:
    | "verbatim"
    | "typographic"
    | "elided"
    | "altered"
    | "truncated"
    | "elsewhere"
    | "absent"
    | "too_short"
    | "unchecked";
  reason: string;
  source_start: number | null;
  source_end: number | null;
}
