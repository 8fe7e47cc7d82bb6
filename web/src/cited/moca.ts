/** What a record of a package says of trust, as facts that stand each by itself: never one badge. */
import { isObject, type Json, safeLink } from "./shapes";

export interface TrustFact {
  kind: string;
  text: string;
  warns: boolean;
}

export interface MocaCitation {
  marker: string | null;
  ref: string;
  title: string;
  text: string;
  facts: TrustFact[];
  /** The name and version of the package. */
  pack: string;
  /** The node's own sources: a name, an address that may be followed, and whether the quote was found there. */
  evidence: {
    title: string;
    link: string | null;
    quote: string;
    match: "found" | "not_found" | "not_checked";
  }[];
}

/** Returns the records that a number stands for: those whose marker is what stands in its place. */
export function recordsAt(
  message: { text: string; moca: MocaCitation[] },
  one: { start: number; end: number },
): MocaCitation[] {
  const written = message.text.slice(one.start, one.end);
  return message.moca.filter((each) => each.marker === written);
}

const MOST = 200;
const SOME = 12;
const LABEL = 300;
/** Code points of a name inside of a sentence, and how many names of a list are told. */
const NAME = 200;
const NAMES = 5;
const OUTCOMES = new Set(["accurate", "needs-change", "inaccurate"]);
const STATUSES = new Set(["stable", "draft", "deprecated"]);
// What a date or a time consists of, and nothing that says more.
const DATE = /^[0-9][0-9TtZz:.+-]{3,39}$/;
// What reads as a double quotation mark, and would close ours.
const QUOTES =
  /["\u00ab\u00bb\u02ba\u02dd\u02ee\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u301d\u301e\u301f\uff02]/gu;
// What shows nothing: categories, and letters and marks that are blank all the same.
const BLANKS =
  /\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|[\p{Cf}\p{Cn}\p{Co}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/gu;
// Signs that are not seen or that turn a text around.
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns what the value of `moca.citations` says; null where it has to be passed over. */
export function mocaOf(
  value: Json,
  now = Date.now(),
): { citations: MocaCitation[]; computedAt: string | null } | null {
  const entries = value["citations"];
  if (value["version"] !== 1 || !Array.isArray(entries)) return null;
  const citations = entries
    .slice(0, MOST)
    .map((entry) => (isObject(entry) ? citation(entry, now) : null))
    .filter((one) => one !== null);
  // A marker that stands for several nodes does not say which is meant, so it is none.
  const named = new Map<string, Set<string>>();
  for (const { marker, ref } of citations) {
    if (marker !== null) named.set(marker, (named.get(marker) ?? new Set()).add(ref));
  }
  for (const one of citations) {
    if (one.marker !== null && (named.get(one.marker)?.size ?? 0) > 1) one.marker = null;
  }
  return { citations, computedAt: label(value["computedAt"]) || null };
}

function citation(entry: Json, now: number): MocaCitation | null {
  const record = entry["record"];
  if (!isObject(record)) return null;
  const { node, package: pack, trust } = record as { node?: unknown; package?: unknown; trust?: unknown };
  if (!isObject(node) || !isObject(pack) || !isObject(trust)) return null;
  const facts = [...told(pack, trust, objects(record["evidence"])), ...byNow(trust, now)];
  const excerpt = record["text"];
  return {
    marker: typeof entry["marker"] === "string" && entry["marker"] ? entry["marker"] : null,
    ref: label(node["ref"]),
    title: label(node["title"]) || label(node["path"]),
    text: typeof excerpt === "string" ? lines(excerpt.slice(0, 1000)) : "",
    pack: [label(pack["id"]), label(pack["version"])].filter(Boolean).join(" "),
    // What a reader must not overlook comes first.
    facts: [...facts.filter((one) => one.warns), ...facts.filter((one) => !one.warns)],
    evidence: objects(record["evidence"]).map((one) => {
      const source = isObject(one["source"]) ? one["source"] : {};
      const selector = isObject(one["selector"]) ? one["selector"] : {};
      return {
        title: label(source["title"]) || label(source["id"]) || label(source["resource"]),
        link: safeLink(source["resource"]),
        quote: label(selector["exact"]),
        match: one["matched"] === true ? "found" : one["matched"] === false ? "not_found" : "not_checked",
      };
    }),
  };
}

function* told(pack: Json, trust: Json, evidence: Json[]): Generator<TrustFact> {
  const fact = (kind: string, text: string, warns = false): TrustFact => ({ kind, text, warns });
  const signers = names(pack["signers"]);
  if (pack["signed"] !== true)
    yield fact("signature", "Not attested here: the service verified no signature of the package.");
  else yield fact("signature", signers ? `Package signed by ${signers}.` : "Package signed.");
  for (const one of objects(trust["attestedReviews"])) {
    const outcome = label(one["outcome"]);
    const scope = label(one["scope"]);
    const told = outcome ? oneOf(outcome, OUTCOMES) : "no outcome";
    yield fact(
      "attested_review",
      `Review by ${quoted(label(one["reviewer"]))}${scope ? `, of ${quoted(scope)}` : ""}, attested by the signature of ` +
        `${quoted(label(one["signer"]))}: ${told}${on(one["reviewedAt"])}.`,
      outcome !== "accurate",
    );
  }
  for (const one of objects(trust["declaredVerified"]))
    yield fact(
      "declared_check",
      `Declared checked by ${quoted(label(one["by"]))}${on(one["at"])}: the author's own statement, signed by nobody.`,
    );
  const made = trust["generated"];
  if (isObject(made))
    yield fact("generated", `Declared as made by ${quoted(label(made["by"]))}${on(made["at"])}.`);
  const status = label(trust["status"]);
  yield fact("status", `Status: ${oneOf(status, STATUSES)}.`, status !== "stable");
  const after = dated(label(trust["staleAfter"]));
  if (trust["stale"] === true) yield fact("stale", `Stale${after ? ` since ${after}` : ""}.`, true);
  else if (after) yield fact("stale", `Stale from ${after} on.`);
  const window = [
    ["from", dated(label(trust["validFrom"]))],
    ["until", dated(label(trust["validUntil"]))],
  ]
    .filter(([, day]) => day)
    .map((pair) => pair.join(" "))
    .join(", ");
  if (trust["inForce"] === false)
    yield fact("in_force", `Not in force${window ? ` (valid ${window})` : ""}.`, true);
  else if (window) yield fact("in_force", `In force: valid ${window}.`);
  for (const [kind, by, said] of [
    ["superseded", "supersededBy", "Superseded"],
    ["contested", "contestedBy", "Contested"],
  ] as const) {
    const others = names(trust[by]);
    if (trust[kind] === true) yield fact(kind, `${said}${others ? ` by ${others}` : ""}.`, true);
  }
  for (const [match, said] of [
    [true, "found in its source"],
    [false, "not found in its source"],
    [undefined, "not checked"],
  ] as const) {
    const many = evidence.filter((one) => one["matched"] === match).length;
    if (many > 0) yield fact("evidence", `Evidence ${said}: ${many}.`, match === false);
  }
}

/** What has come about since the facts were true, by the dates of the record alone. */
function* byNow(trust: Json, now: number): Generator<TrustFact> {
  // A date without a time is its midnight in UTC, as `Date.parse` reads it.
  const past = (day: unknown): boolean => Date.parse(label(day)) <= now;
  const day = new Date(now).toISOString().slice(0, 10);
  if (trust["stale"] === false && past(trust["staleAfter"])) {
    const text = `Stale by now (${day}): after ${dated(label(trust["staleAfter"]))}.`;
    yield { kind: "stale", text, warns: true };
  }
  const early = Date.parse(label(trust["validFrom"])) > now;
  if (trust["inForce"] === true && (early || past(trust["validUntil"])))
    yield { kind: "in_force", text: `Not in force any more, or not yet, by now (${day}).`, warns: true };
}

const on = (at: unknown): string => (label(at) ? ` (${dated(label(at))})` : "");

/** A name or other words of a record inside a sentence of ours: in quotation marks that nothing in it can close. */
function quoted(text: string): string {
  return `"${cut(text.replace(BLANKS, "").replace(QUOTES, "'").replace(/\s+/g, " ").trim(), NAME)}"`;
}

/** A date as it stands, and in quotation marks where it is none. */
const dated = (text: string): string => (text === "" || DATE.test(text) ? text : quoted(text));

/** One of the words that are known as it stands, and any other in quotation marks. */
const oneOf = (text: string, known: Set<string>): string => (known.has(text) ? text : quoted(text));

function cut(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit
    ? text
    : `${points
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}\u2026`;
}

function names(value: unknown): string {
  const found = Array.isArray(value) ? value.map(label).filter(Boolean) : [];
  const more = found.length - NAMES;
  return found.slice(0, NAMES).map(quoted).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, SOME) : [];
}

function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(UNSEEN, ""))
    .join("\n")
    .trim();
}

function label(value: unknown): string {
  return typeof value === "string"
    ? value.slice(0, LABEL).replace(/\s+/g, " ").replace(UNSEEN, "").trim()
    : "";
}
