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

const MOST = 200;
const SOME = 12;
const LABEL = 300;
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
    marker: typeof entry["marker"] === "string" ? entry["marker"] : null,
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
    yield fact("signature", "Not attested here: no signature of the package was verified.");
  else yield fact("signature", signers ? `Package signed by ${signers}.` : "Package signed.");
  for (const one of objects(trust["attestedReviews"])) {
    const outcome = label(one["outcome"]);
    const scope = label(one["scope"]);
    yield fact(
      "attested_review",
      `Review by ${label(one["reviewer"])}${scope ? `, of ${scope}` : ""}, attested by the signature of ${label(one["signer"])}: ` +
        `${outcome || "no outcome"} (${label(one["reviewedAt"])}).`,
      outcome !== "accurate",
    );
  }
  for (const one of objects(trust["declaredVerified"]))
    yield fact(
      "declared_check",
      `Declared checked by ${label(one["by"])}${on(one["at"])}. Nobody signed that.`,
    );
  const made = trust["generated"];
  if (isObject(made)) yield fact("generated", `Declared as made by ${label(made["by"])}${on(made["at"])}.`);
  const status = label(trust["status"]);
  yield fact("status", `Status: ${status || "not told"}.`, status !== "stable");
  const after = label(trust["staleAfter"]);
  if (trust["stale"] === true) yield fact("stale", `Stale${after ? ` since ${after}` : ""}.`, true);
  else if (after) yield fact("stale", `Stale from ${after} on.`);
  const window = [
    ["from", label(trust["validFrom"])],
    ["until", label(trust["validUntil"])],
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
  if (trust["stale"] === false && past(trust["staleAfter"]))
    yield { kind: "stale", text: `Stale by now: since ${label(trust["staleAfter"])}.`, warns: true };
  if (trust["inForce"] === true && past(trust["validUntil"]))
    yield {
      kind: "in_force",
      text: `Not in force any more: valid until ${label(trust["validUntil"])}.`,
      warns: true,
    };
}

const on = (at: unknown): string => (label(at) ? ` (${label(at)})` : "");

function names(value: unknown): string {
  const found = Array.isArray(value) ? value.map(label).filter(Boolean) : [];
  const more = found.length - 5;
  return found.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "");
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
