import { html, nothing, type TemplateResult } from "lit";
import { type MocaCitation, recordsAt } from "../../cited/moca";
import { around, placeOf } from "../../cited/place";
import type { Shown } from "../../cited/preview";
import type { Cited } from "../../cited/shapes";
import type { Message } from "../../cited/transcript";
import { count, moment, plain } from "../../shared/words";
import { badge, facts, notice } from "../screen";
import { quoteBadge, supportBadge, traceBadge } from "../verdicts";

/** The verdicts of a citation, each by itself; what was not scored has no badge. */
export function verdictsOf(one: Cited, shown: Shown | null): TemplateResult {
  // What cannot be opened may be gone or closed: its own sentence says so, and no badge claims to know.
  const state = shown?.kind === "shown" ? shown.preview.source_state : shown?.last ? "removed" : one.state;
  return html`<p class="badges">
    ${traceBadge(one.verdict)} ${supportBadge(one.support)} ${quoteBadge(one.quote)}
    ${
      one.confidence === "supported"
        ? badge("good", "Confidence: supported")
        : one.confidence === "weak"
          ? badge("warn", "Confidence: weak")
          : nothing
    }
    ${state === "superseded" ? badge("warn", "Changed since") : nothing}
    ${state === "removed" ? badge("bad", "Source removed") : nothing}
  </p>`;
}

/** Title, and where the passage stands. */
export function headOf(one: Cited, shown: Shown | null, id = ""): TemplateResult {
  const preview = shown?.kind === "shown" ? shown.preview : null;
  const section = plain(preview?.section ?? one.locator.headings?.at(-1) ?? "");
  const page =
    placeOf(one.locator) ||
    (preview?.page
      ? placeOf({ page: preview.page, ...(preview.page_label ? { page_label: preview.page_label } : {}) })
      : "");
  return html`<p class="source-title" id=${id || nothing}><span class="chip">${one.numbers.join(", ") || "–"}</span>
      <bdi>${plain(one.title) || "Without a title"}</bdi></p>
    ${facts(section ? html`<bdi>${section}</bdi>` : nothing, page || nothing)}`;
}

/** The words of a passage with those lit that the citation is about; those of a record of a package are in the record. */
export function snippetOf(
  message: Message,
  one: Cited,
  shown: Shown | null,
): TemplateResult | typeof nothing {
  // There is no preview of a record: what would be said of that is no news.
  const records = shown?.kind === "shown" ? [] : recordsAt(message, one).filter((each) => each.text);
  if (records.length > 0)
    return html`${records.map((each) => html`<blockquote class="snippet" dir="auto">${each.text}</blockquote>`)}`;
  if (shown === null) return html`<p class="snippet waits" role="status">Loading the source…</p>`;
  const preview = shown.kind === "shown" ? shown.preview : shown.last;
  const told =
    shown.kind === "shown" ? nothing : notice(shown.kind === "gone" ? "warn" : "bad", shown.message);
  if (preview === undefined) return told;
  const { snippet, highlight } = preview;
  const words = highlight?.text ?? "";
  const parts = around(snippet, words);
  return html`${told}<blockquote class="snippet" dir="auto">${
    parts === null ? snippet : html`${parts[0]}<mark>${parts[1]}</mark>${parts[2]}`
  }</blockquote>`;
}

/** Nothing more can be opened than the card shows. */
export function isClosed(message: Message, one: Cited, shown: Shown | null): boolean {
  return shown?.kind === "gone" && !shown.last && recordsAt(message, one).length === 0;
}

/** What packages say of trust, fact by fact, and when that was so. */
export function trustOf(message: Message, one: Cited): TemplateResult | typeof nothing {
  const found = recordsAt(message, one);
  return found.length === 0 ? nothing : html`${found.map((each) => trust(each, message.computedAt))}`;
}

/** The same for what an answer cites without a number in its text. */
export function trustOfRest(message: Message): TemplateResult | typeof nothing {
  const placed = new Set(message.cited.flatMap((one) => recordsAt(message, one)));
  const rest = message.moca.filter((one) => !placed.has(one));
  if (rest.length === 0) return nothing;
  return html`<details class="rest"><summary>Also cited, without a number: ${count(rest.length, "source")}</summary>
    ${rest.map((one) => html`${one.text ? html`<blockquote class="snippet" dir="auto">${one.text}</blockquote>` : nothing}${trust(one, message.computedAt)}`)}
  </details>`;
}

const MATCHES = {
  found: "found in its source",
  not_found: "not found in its source",
  not_checked: "not checked",
} as const;

function trust(one: MocaCitation, at: string | null): TemplateResult {
  return html`<section class="trust" aria-label="What is known of ${one.title || "the package"}">
    <h3><bdi>${one.title || one.ref}</bdi></h3>
    ${one.pack ? html`<p class="meta"><bdi>${one.pack}</bdi></p>` : nothing}
    <ul>${one.facts.map(
      (fact) =>
        html`<li class=${fact.warns ? "warns" : ""} data-kind=${fact.kind}><bdi>${fact.text}</bdi></li>`,
    )}</ul>
    ${one.evidence.length > 0 ? html`<h4>What it rests on</h4>` : nothing}
    ${one.evidence.map(
      (each) =>
        html`<p class="meta evidence">${
          each.link
            ? html`<a href=${each.link} target="_blank" rel="noopener noreferrer nofollow"><bdi>${plain(each.title)}</bdi></a>`
            : html`<bdi>${plain(each.title)}</bdi>`
        }${each.quote ? html`: <q>${each.quote}</q>` : nothing} <span>(${MATCHES[each.match]})</span></p>`,
    )}
    ${at ? html`<p class="meta">As of ${moment(at)}</p>` : nothing}
  </section>`;
}
