import { html, nothing, type TemplateResult } from "lit";
import type { MocaCitation } from "../../cited/moca";
import type { Shown } from "../../cited/preview";
import type { Cited } from "../../cited/shapes";
import type { Message } from "../../cited/transcript";
import { plain, when } from "../../shared/words";
import { badge, facts, notice } from "../screen";
import { quoteBadge, supportBadge, traceBadge } from "../verdicts";
import { placeOf } from "./numbers";

/** The verdicts of a citation, each by itself; what was not scored has no badge. */
export function verdictsOf(one: Cited, shown: Shown | null): TemplateResult {
  // What cannot be opened may be gone or closed: its own sentence says so, and no badge claims to know.
  const state = shown?.kind === "shown" ? shown.preview.source_state : one.state;
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

/** The words of a passage with those lit that the citation is about. */
export function snippetOf(shown: Shown | null): TemplateResult | typeof nothing {
  if (shown === null) return html`<p class="snippet waits" role="status">Loading the source…</p>`;
  if (shown.kind !== "shown") return notice(shown.kind === "gone" ? "warn" : "bad", shown.message);
  const { snippet, highlight } = shown.preview;
  const words = highlight?.text ?? "";
  const at = words ? snippet.indexOf(words) : -1;
  return html`<blockquote class="snippet" dir="auto">${
    at < 0 ? snippet : html`${snippet.slice(0, at)}<mark>${words}</mark>${snippet.slice(at + words.length)}`
  }</blockquote>`;
}

/** What a package says of trust, fact by fact, and when that was so. */
export function trustOf(message: Message, one: Cited): TemplateResult | typeof nothing {
  const written = message.text.slice(one.start, one.end);
  const found = message.moca.filter((each) => each.marker === written);
  if (found.length === 0) return nothing;
  return html`${found.map((each) => trust(each, message.computedAt))}`;
}

function trust(one: MocaCitation, at: string | null): TemplateResult {
  return html`<section class="trust" aria-label="What is known of ${one.title || "the package"}">
    <ul>${one.facts.map((fact) => html`<li class=${fact.warns ? "warns" : ""}><bdi>${fact.text}</bdi></li>`)}</ul>
    ${one.evidence.map(
      (each) =>
        html`<p class="meta">${
          each.link
            ? html`<a href=${each.link} target="_blank" rel="noopener noreferrer nofollow"><bdi>${plain(each.title)}</bdi></a>`
            : html`<bdi>${plain(each.title)}</bdi>`
        }</p>`,
    )}
    ${at ? html`<p class="meta">As of ${when(at) || at}</p>` : nothing}
  </section>`;
}
