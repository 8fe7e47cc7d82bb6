// Made by `make web-types` from the JSON Schemas. Edit those, not this file.

/**
 * Which words of a cited passage are lit (the reader's page, "How precisely a citation highlights").
 *
 * `best_match` is the part of the passage that scores best for the question, `models_quote` the words that a small
 * model picked, each checked against the passage. Where there is no such part, each falls back to the one before it:
 * a model's quote to the best match, the best match to the whole passage.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "HighlightPrecision".
 */
export type HighlightPrecision = "best_match" | "whole_passage" | "models_quote";
/**
 * Whether a cited id names text that was fetched in scope (the check's page). It does not judge support.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "TraceVerdict".
 */
export type TraceVerdict = "valid" | "not_fetched" | "unavailable" | "malformed";
/**
 * What became of the cited version since.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "SourceState".
 */
export type SourceState = "current" | "superseded" | "removed";
/**
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "JsonValue".
 */
export type JsonValue = unknown;
/**
 * What became of the model's quote when it was looked for in its source.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "QuoteVerdict".
 */
export type QuoteVerdict =
  | "verbatim"
  | "typographic"
  | "elided"
  | "altered"
  | "truncated"
  | "elsewhere"
  | "absent"
  | "too_short"
  | "unchecked";

export interface Server {}
/**
 * An agent or a workflow.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AgentBody".
 */
export interface AgentBody {
  agent_id: string;
  kind: "agent" | "workflow";
  name: string;
  collections: string[];
  wire_format: string;
  model: string | null;
  highlight: HighlightPrecision;
  instructions: string;
  citation_instruction_source_configuration: InstructionSource;
  citation_processor_configuration: Processor;
  /**
   * Whether it searches the MOCA packages of the server beside its collections.
   */
  moca: boolean;
  created_at: string;
  changed_at: string;
}
/**
 * What the instructions of the agent tell the model that it may cite.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "InstructionSource".
 */
export interface InstructionSource {
  citable_resources?: string[] | null;
}
/**
 * Whether the answers of the agent are resolved.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Processor".
 */
export interface Processor {
  enabled?: boolean;
}
/**
 * What is to be set; what is left out stays as it is.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AgentChange".
 */
export interface AgentChange {
  name?: string | null;
  kind?: ("agent" | "workflow") | null;
  collections?: string[] | null;
  wire_format?: string | null;
  model?: string | null;
  highlight?: HighlightPrecision | null;
  instructions?: string | null;
  citation_instruction_source_configuration?: InstructionSource | null;
  citation_processor_configuration?: Processor | null;
  moca?: boolean | null;
}
/**
 * All agents and workflows.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AgentList".
 */
export interface AgentList {
  agents: AgentBody[];
}
/**
 * An answer with its citations, each with its verdicts.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AnswerBody".
 */
export interface AnswerBody {
  conversation_id: string;
  /**
   * The number of the message that holds the answer.
   */
  number: number;
  status: string;
  model: string;
  /**
   * Why there is no answer, where there is none.
   */
  reason: string;
  warnings: string[];
  broadened: boolean;
  /**
   * `text` as the model wrote it, `answer` with numbered references, `citations`, `sources`, `misses`, `uncited`, `support`; `shown` is the text with numbers and the value of `pincite.citations`, and of `moca.citations` where packages were searched.
   */
  answer: {
    [k: string]: unknown;
  };
}
/**
 * One entry of the audit log.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AuditBody".
 */
export interface AuditBody {
  number: number;
  at: string;
  who: string;
  action: string;
  document_id: string | null;
  chunk_id: string | null;
  request_id: string | null;
}
/**
 * A part of the audit log, the newest first.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "AuditList".
 */
export interface AuditList {
  entries: AuditBody[];
}
/**
 * The bar that holds, and the scale it is on.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Bar".
 */
export interface Bar {
  /**
   * Who scores.
   */
  reranker: string;
  /**
   * The platform's bar, for collections that have none of their own.
   */
  default: number;
  lowest: number;
  highest: number;
}
/**
 * A rectangle in fractions (0 to 1) of the page as a reader sees it, from the top left corner.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "BoxBody".
 */
export interface BoxBody {
  page: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
/**
 * Of an answer: what was found in it. Of ids: one verdict for each, in order.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CheckReply".
 */
export interface CheckReply {
  answer: {
    [k: string]: unknown;
  } | null;
  checks: TraceBody[] | null;
}
/**
 * The verdict on one cited id.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "TraceBody".
 */
export interface TraceBody {
  cited_id: string;
  verdict: TraceVerdict;
  reason: string;
  covered_by: string | null;
  source_state: SourceState | null;
  suggestion: string | null;
}
/**
 * An answer to be checked; or evidence ids to be held against those that were fetched.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CheckRequest".
 */
export interface CheckRequest {
  answer?: string;
  /**
   * Whose refs the answer cites.
   */
  conversation_id?: string | null;
  /**
   * What the model was shown, in its order: each with `content`, and a `source_url` or an `id`; `title` and `metadata` where there are any.
   */
  passages?:
    | {
        [k: string]: JsonValue;
      }[]
    | null;
  /**
   * How the answer cites; the conversation's own, or `ref`. One of `deferred`, `evidence_id`, `inline_url`, `ref`, `short_id`, `sup_numeric`; `brackets` for plain numbers (`[1]`, `[2, 3]`), which count the passages from 1, or are those that the conversation gave; or a format that is installed.
   */
  wire_format?: string | null;
  /**
   * Hold each sentence against what it cites, word by word.
   */
  support?: boolean;
  /**
   * Ids that were cited.
   */
  evidence_ids?: string[] | null;
  /**
   * Ids that were fetched whole.
   */
  fetched?: string[] | null;
  /**
   * Ids or keys of the documents that may be cited.
   */
  scope?: string[] | null;
}
/**
 * An answer as the client of a stream has it.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CitedBody".
 */
export interface CitedBody {
  /**
   * The number of the message.
   */
  number: number;
  message_id: string;
  /**
   * The text with numbers in place of markers.
   */
  text: string;
  /**
   * The value of `pincite.citations`.
   */
  citations: {
    [k: string]: unknown;
  };
  /**
   * The value of `pincite.highlight`.
   */
  highlight: {
    [k: string]: unknown;
  } | null;
  /**
   * The value of `moca.citations`: what it says of trust is of its `computedAt`. Null where no packages were searched.
   */
  moca?: {
    [k: string]: unknown;
  } | null;
}
/**
 * The answers of a conversation, in order.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CitedList".
 */
export interface CitedList {
  conversation_id: string;
  answers: CitedBody[];
}
/**
 * A collection.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CollectionBody".
 */
export interface CollectionBody {
  collection_id: string;
  name: string;
  chunking: "flat" | "hierarchical";
  /**
   * The collection's own bar; null follows the platform's default.
   */
  score_threshold: number | null;
  /**
   * The reranker that the bar was set for.
   */
  reranker: string | null;
  /**
   * Who embeds its passages.
   */
  embedder: string;
  added_at: string | null;
  documents: number;
  passages: number;
  /**
   * Passages that are found by words alone so far.
   */
  pending_vectors: number;
  /**
   * What counts now; null where nothing is scored.
   */
  bar: Bar | null;
}
/**
 * What is to be set; what is left out stays as it is.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CollectionChange".
 */
export interface CollectionChange {
  name?: string | null;
  chunking?: ("flat" | "hierarchical") | null;
  /**
   * Confidence bar: the rerank score from which a row is `supported`, and under which a search is broadened and tried again. On the scale of the collection's reranker, -1 to 1 for the built-in one; null follows the platform's default.
   */
  score_threshold?: number | null;
  /**
   * Who embeds its passages: the server's embedder by its name, or null for whichever that is.
   */
  embedder?: string | null;
}
/**
 * All collections, by name.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "CollectionList".
 */
export interface CollectionList {
  collections: CollectionBody[];
}
/**
 * How the widget of an embed looks and behaves.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ConfigBody".
 */
export interface ConfigBody {
  name: string;
  greeting: string;
  theme: {
    [k: string]: unknown;
  };
  /**
   * Which words of a cited passage are lit (the reader's page, "How precisely a citation highlights").
   *
   * `best_match` is the part of the passage that scores best for the question, `models_quote` the words that a small
   * model picked, each checked against the passage. Where there is no such part, each falls back to the one before it:
   * a model's quote to the best match, the best match to the whole passage.
   */
  highlight: "best_match" | "whole_passage" | "models_quote";
  /**
   * Whether the preview panel opens.
   */
  previews: boolean;
}
/**
 * A conversation.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ConversationBody".
 */
export interface ConversationBody {
  conversation_id: string;
  agent_id: string | null;
  title: string | null;
  changed_at: string;
  /**
   * It is a visitor's, of an embed.
   */
  visitor?: boolean;
}
/**
 * Conversations, the one that changed last first.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ConversationList".
 */
export interface ConversationList {
  conversations: ConversationBody[];
}
/**
 * A document in its current version.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "DocumentBody".
 */
export interface DocumentBody {
  document_id: string;
  collection_id: string;
  collection: string;
  /**
   * Its address, or `upload://` and its name.
   */
  source_uri: string;
  title: string;
  media_type: string;
  version: string;
  pages: number;
  passages: number;
  language: string | null;
  added_at: string;
  flags: FlagBody[];
  metadata: {
    [k: string]: unknown;
  };
  status: "ready" | "flagged" | "trashed";
}
/**
 * A page that could not be read well, and why.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "FlagBody".
 */
export interface FlagBody {
  page: number | null;
  reason: string;
}
/**
 * What is to be set; what is left out stays as it is.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "DocumentChange".
 */
export interface DocumentChange {
  /**
   * Its title; never null.
   */
  title?: string | null;
  /**
   * Its real home, http or https; null takes it away.
   */
  source_uri?: string | null;
}
/**
 * A part of the documents of a collection, by source.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "DocumentList".
 */
export interface DocumentList {
  documents: DocumentBody[];
  total: number;
  offset: number;
}
/**
 * A place where visitors ask an agent.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "EmbedBody".
 */
export interface EmbedBody {
  embed_id: string;
  agent_id: string;
  name: string;
  /**
   * The last characters of its key.
   */
  hint: string;
  allowed_origins: string[];
  greeting: string;
  theme: {
    [k: string]: unknown;
  };
  /**
   * Null is the same as the agent's.
   */
  highlight: HighlightPrecision | null;
  previews: boolean;
  created_at: string;
  revoked_at: string | null;
}
/**
 * What is to be set; what is left out stays as it is. `highlight: null` is the same as the agent's.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "EmbedChange".
 */
export interface EmbedChange {
  name?: string | null;
  allowed_origins?: string[] | null;
  greeting?: string | null;
  theme?: {
    [k: string]: JsonValue;
  } | null;
  highlight?: HighlightPrecision | null;
  previews?: boolean | null;
}
/**
 * The embeds of an agent, revoked ones too.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "EmbedList".
 */
export interface EmbedList {
  embeds: EmbedBody[];
}
/**
 * The one shape of every error.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Fault".
 */
export interface Fault {
  error: FaultBody;
}
/**
 * What went wrong.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "FaultBody".
 */
export interface FaultBody {
  /**
   * A stable name of the kind of error.
   */
  code: string;
  /**
   * A sentence for people.
   */
  message: string;
  /**
   * The input at fault, where it is one.
   */
  field: string | null;
}
/**
 * What the documents must be that are searched: one of each list that is given.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Filters".
 */
export interface Filters {
  /**
   * @maxItems 1000
   */
  document_ids?: string[];
  /**
   * @maxItems 1000
   */
  source_uris?: string[];
  /**
   * @maxItems 1000
   */
  media_types?: string[];
  /**
   * As `en`, which stands for `en-GB` too.
   *
   * @maxItems 1000
   */
  languages?: string[];
  /**
   * What was given with the files: for each name a value, or several of which one is enough.
   */
  metadata?: {
    [k: string]: boolean | number | string | (boolean | number | string)[];
  };
  added_after?: string | null;
  added_before?: string | null;
}
/**
 * What is wrong with a package, or odd.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "FindingBody".
 */
export interface FindingBody {
  code: string;
  severity: string;
  message: string;
  file: string | null;
}
/**
 * That the server runs, and which version of it.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Health".
 */
export interface Health {
  status?: "ok";
  version?: string;
}
/**
 * The words to light: code points of the passage's text, their boxes, and where just they stand.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "HighlightBody".
 */
export interface HighlightBody {
  start: number;
  end: number;
  boxes: BoxBody[];
  locator: {
    [k: string]: unknown;
  } | null;
  /**
   * The words as the snippet has them.
   */
  text: string;
}
/**
 * A message of the conversation as the client has it.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "InputMessage".
 */
export interface InputMessage {
  id: string;
  role: string;
  content?: JsonValue;
  [k: string]: unknown;
}
/**
 * A job.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "JobBody".
 */
export interface JobBody {
  job_id: string;
  kind: string;
  /**
   * Of an `ingest` job: where its files go.
   */
  collection_id: string | null;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  /**
   * Of an `ingest` job: `files` with each one's state, `done`, `total`.
   */
  progress: {
    [k: string]: unknown;
  };
  result: {
    [k: string]: unknown;
  } | null;
  error: {
    [k: string]: unknown;
  } | null;
  attempts: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}
/**
 * Jobs, the newest first.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "JobList".
 */
export interface JobList {
  jobs: JobBody[];
}
/**
 * An API key, without the key itself.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "KeyBody".
 */
export interface KeyBody {
  key_id: string;
  name: string;
  scopes: ("manage" | "search" | "read")[];
  /**
   * Its last characters.
   */
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}
/**
 * All API keys, revoked ones too.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "KeyList".
 */
export interface KeyList {
  keys: KeyBody[];
}
/**
 * A message; that of an assistant has the answer with its citations.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "MessageBody".
 */
export interface MessageBody {
  number: number;
  role: "user" | "assistant" | "system" | "tool";
  body: {
    [k: string]: unknown;
  };
  at: string;
}
/**
 * The messages of a conversation, in order.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "MessageList".
 */
export interface MessageList {
  conversation_id: string;
  messages: MessageBody[];
}
/**
 * An agent to be stored. A workflow is the fixed line: retrieve, answer, check, repair.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewAgent".
 */
export interface NewAgent {
  name: string;
  kind?: "agent" | "workflow";
  /**
   * Ids; none are all of the tenant's.
   *
   * @maxItems 1000
   */
  collections?: string[];
  wire_format?: string;
  /**
   * Null is the platform's model.
   */
  model?: string | null;
  /**
   * Which words of a cited passage are lit (the reader's page, "How precisely a citation highlights").
   *
   * `best_match` is the part of the passage that scores best for the question, `models_quote` the words that a small
   * model picked, each checked against the passage. Where there is no such part, each falls back to the one before it:
   * a model's quote to the best match, the best match to the whole passage.
   */
  highlight?: "best_match" | "whole_passage" | "models_quote";
  instructions?: string;
  citation_instruction_source_configuration?: InstructionSource1;
  citation_processor_configuration?: Processor1;
  /**
   * Whether it searches the MOCA packages of the server too; `GET /api/manage/packages` lists them.
   */
  moca?: boolean;
}
/**
 * What the instructions of the agent tell the model that it may cite.
 */
export interface InstructionSource1 {
  citable_resources?: string[] | null;
}
/**
 * Whether the answers of the agent are resolved.
 */
export interface Processor1 {
  enabled?: boolean;
}
/**
 * A collection to be made.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewCollection".
 */
export interface NewCollection {
  name: string;
  chunking?: "flat" | "hierarchical";
  /**
   * Confidence bar: the rerank score from which a row is `supported`, and under which a search is broadened and tried again. On the scale of the collection's reranker, -1 to 1 for the built-in one; null follows the platform's default.
   */
  score_threshold?: number | null;
  /**
   * Who embeds its passages: the server's embedder by its name, or null for whichever that is.
   */
  embedder?: string | null;
}
/**
 * An embed to be made.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewEmbed".
 */
export interface NewEmbed {
  name: string;
  /**
   * As `https://example.org`.
   *
   * @maxItems 1000
   */
  allowed_origins?: string[];
  greeting?: string;
  theme?: {
    [k: string]: JsonValue;
  };
  highlight?: HighlightPrecision | null;
  previews?: boolean;
}
/**
 * An embed with its new key.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewEmbedBody".
 */
export interface NewEmbedBody {
  embed_id: string;
  agent_id: string;
  name: string;
  /**
   * The last characters of its key.
   */
  hint: string;
  allowed_origins: string[];
  greeting: string;
  theme: {
    [k: string]: unknown;
  };
  /**
   * Null is the same as the agent's.
   */
  highlight: HighlightPrecision | null;
  previews: boolean;
  created_at: string;
  revoked_at: string | null;
  /**
   * The publishable key: it is shown this once, and stands in the page's source.
   */
  key: string;
}
/**
 * A key to be made.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewKey".
 */
export interface NewKey {
  name: string;
  /**
   * `manage` opens everything, `search` searching and reading.
   *
   * @minItems 1
   * @maxItems 3
   */
  scopes: ("manage" | "search" | "read")[];
}
/**
 * An API key that was just made.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "NewKeyBody".
 */
export interface NewKeyBody {
  key_id: string;
  name: string;
  scopes: ("manage" | "search" | "read")[];
  /**
   * Its last characters.
   */
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /**
   * The key itself: it is shown this once.
   */
  key: string;
}
/**
 * A package of the server, or what is called one and cannot be searched.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "PackageBody".
 */
export interface PackageBody {
  /**
   * The name of its file or folder.
   */
  name: string;
  status: "ready" | "failed";
  /**
   * Why it is not searched; empty where it is.
   */
  reason: string;
  package_id: string | null;
  version: string | null;
  digest: string | null;
  title: string | null;
  nodes: number;
  /**
   * Whose signature of the package was verified by the server's trust root.
   */
  signers: string[];
  /**
   * The first 20.
   */
  findings: FindingBody[];
}
/**
 * The packages of the server, which every tenant's agents may search.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "PackageList".
 */
export interface PackageList {
  packages: PackageBody[];
}
/**
 * Everything that a citation panel needs, but the image.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "PreviewBody".
 */
export interface PreviewBody {
  chunk_id: string;
  document_id: string;
  collection: string;
  collection_id: string;
  source_uri: string;
  page: number | null;
  section: string | null;
  snippet: string;
  boxes: BoxBody[];
  has_image: boolean;
  page_end: number | null;
  page_label: string | null;
  /**
   * Points, of 72 to the inch.
   */
  page_width: number | null;
  page_height: number | null;
  rotation: number | null;
  /**
   * What became of the cited version since.
   */
  source_state: "current" | "superseded" | "removed";
  highlight: HighlightBody | null;
  /**
   * The header of a table of which the passage holds later rows.
   */
  columns: string | null;
}
/**
 * The response in our shape: text in parts, each with its citations, and what was not understood.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ProviderReply".
 */
export interface ProviderReply {
  response: {
    [k: string]: unknown;
  };
}
/**
 * A response of a model provider, as it was received.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ProviderRequest".
 */
export interface ProviderRequest {
  /**
   * As `anthropic`, `openai` or `google`.
   */
  provider: string;
  /**
   * Which of its APIs, where it has several.
   */
  api?: string | null;
  response: {
    [k: string]: JsonValue;
  };
}
/**
 * A question to an agent.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Question".
 */
export interface Question {
  /**
   * At most 4,000 characters by default.
   */
  question: string;
  /**
   * The conversation to go on with; a new one when left out.
   */
  conversation_id?: string | null;
}
/**
 * The verdict on one quote; `start` and `end` are code points of the source's own text.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "QuoteBody".
 */
export interface QuoteBody {
  quote: string;
  verdict: QuoteVerdict;
  start: number | null;
  end: number | null;
  /**
   * What stands there.
   */
  found: string | null;
  /**
   * The name of the source that has it instead.
   */
  elsewhere: string | null;
  reason: string;
}
/**
 * A quote and the text that it is said to stand in.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "QuoteRequest".
 */
export interface QuoteRequest {
  quote: string;
  /**
   * The text, or one of the names in `sources`.
   */
  source: string;
  /**
   * What stands in front of it.
   */
  prefix?: string | null;
  /**
   * What stands behind it.
   */
  suffix?: string | null;
  near?: number | null;
}
/**
 * One verdict for each quote, in order.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "QuotesReply".
 */
export interface QuotesReply {
  quotes: QuoteBody[];
}
/**
 * Quotes to be verified.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "QuotesRequest".
 */
export interface QuotesRequest {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  quotes: QuoteRequest[];
  /**
   * Texts by name, where several quotes are of one; a quote that stands in another of them is `elsewhere`.
   */
  sources?: {
    [k: string]: string;
  };
}
/**
 * Whether the server can serve, and each part that it needs.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Readiness".
 */
export interface Readiness {
  status: "ready" | "not_ready";
  parts: {
    [k: string]: "ok" | "failed";
  };
}
/**
 * What an erasure removed.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Receipt".
 */
export interface Receipt {
  document_id: string;
  erased: boolean;
  /**
   * Stored answers and conversations whose excerpts of it were removed.
   */
  redacted: number;
  versions: number;
  passages: number;
}
/**
 * The answer in the format that was asked for.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "RenderReply".
 */
export interface RenderReply {
  text: string;
  to: string;
}
/**
 * An answer to be shown with numbered references.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "RenderRequest".
 */
export interface RenderRequest {
  /**
   * The text as the model wrote it, markers and all.
   */
  answer: string;
  /**
   * Whose refs the answer cites.
   */
  conversation_id?: string | null;
  /**
   * What the model was shown, in its order: each with `content`, and a `source_url` or an `id`; `title` and `metadata` where there are any.
   */
  passages?:
    | {
        [k: string]: JsonValue;
      }[]
    | null;
  /**
   * How the answer cites; the conversation's own, or `ref`. One of `deferred`, `evidence_id`, `inline_url`, `ref`, `short_id`, `sup_numeric`; `brackets` for plain numbers (`[1]`, `[2, 3]`), which count the passages from 1, or are those that the conversation gave; or a format that is installed.
   */
  wire_format?: string | null;
  to?: "markdown" | "html" | "text" | "bibtex" | "csl-json" | "annotations";
  title?: string;
}
/**
 * A passage, and everything that is needed to address it.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "Row".
 */
export interface Row {
  /**
   * What a model writes in square brackets to cite the passage.
   */
  ref: string;
  chunk_id: string;
  document_id: string;
  content: string;
  /**
   * What a link is made from; never shown to a reader.
   */
  source_uri: string;
  collection: string;
  /**
   * Where it stands: `page`, `page_end`, `section` and the like.
   */
  metadata: {
    [k: string]: unknown;
  };
  /**
   * Whether the score reached the collection's bar; null when nothing was scored.
   */
  confidence: ("supported" | "weak") | null;
}
/**
 * The input of an AG-UI run. The question is the last message; what came before it is read from the conversation.
 *
 * `tools`, `context` and `forwardedProps` are taken and not used: an agent of this server answers from its documents.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "RunInput".
 */
export interface RunInput {
  /**
   * The conversation; one that nobody has used begins it.
   */
  threadId: string;
  runId: string;
  /**
   * @minItems 1
   * @maxItems 2000
   */
  messages: InputMessage[];
  state?: JsonValue;
  [k: string]: unknown;
}
/**
 * How the best scores of recent searches lie on the scale of the reranker.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "ScoresBody".
 */
export interface ScoresBody {
  /**
   * Who scores; null where nothing is scored.
   */
  reranker: string | null;
  lowest: number | null;
  highest: number | null;
  /**
   * Searches that were counted, since this process began.
   */
  searches: number;
  /**
   * Of each part of the scale, from the lowest: parts of one width.
   */
  counts: number[];
}
/**
 * The rows of a search, best first.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "SearchReply".
 */
export interface SearchReply {
  results: Row[];
  /**
   * Nothing reached its bar at first, so the search was widened once and judged again.
   */
  broadened: boolean;
  conversation_id: string;
  /**
   * What else is to be known, each a sentence.
   */
  warnings: string[];
}
/**
 * A question, and where to look.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "SearchRequest".
 */
export interface SearchRequest {
  /**
   * At most 4,000 characters by default.
   */
  query: string;
  /**
   * Names or ids; all of the tenant's when left out.
   */
  collections?: string[] | null;
  limit?: number;
  filters?: Filters | null;
  /**
   * The conversation in which the refs of the rows are unlike one another; a new one when left out.
   */
  conversation_id?: string | null;
}
/**
 * A visitor's token.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "SessionBody".
 */
export interface SessionBody {
  /**
   * Send it as the bearer token of the citation routes.
   */
  token: string;
  /**
   * Seconds.
   */
  expires_in: number;
  /**
   * Send it with the next session, and old citations still open.
   */
  visitor_handle: string;
}
/**
 * A publishable key, and the handle of a visitor who was here before.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "SessionRequest".
 */
export interface SessionRequest {
  key: string;
  visitor_handle?: string | null;
}
/**
 * One version of a document.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "VersionBody".
 */
export interface VersionBody {
  version: string;
  revision: number;
  added_at: string;
  pages: number;
  passages: number;
  media_type: string;
  flags: FlagBody[];
  current: boolean;
}
/**
 * All versions of a document that are kept, the newest first.
 *
 * This interface was referenced by `Server`'s JSON-Schema
 * via the `definition` "VersionList".
 */
export interface VersionList {
  versions: VersionBody[];
}
