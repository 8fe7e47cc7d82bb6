import { html, nothing, type TemplateResult } from "lit";
import { differences } from "../shared/differences";
import { badge, type Kind } from "./screen";

type Said = Record<string, [Kind, string]>;

const TRACES: Said = {
  valid: ["good", "Was given"],
  not_fetched: ["bad", "Was not given"],
  unavailable: ["bad", "Not available"],
  malformed: ["bad", "No such id"],
};
const SUPPORTS: Said = {
  supported: ["good", "Supported"],
  partial: ["warn", "Supported in part"],
  unsupported: ["bad", "Not supported"],
  contradicted: ["bad", "Contradicted"],
  unchecked: ["plain", "Not checked"],
};
const QUOTES: Said = {
  verbatim: ["good", "Word for word"],
  typographic: ["good", "Word for word but for typography"],
  elided: ["good", "Word for word, shortened"],
  altered: ["bad", "Altered"],
  truncated: ["warn", "Cut off"],
  elsewhere: ["warn", "In another source"],
  absent: ["bad", "Not in the source"],
  too_short: ["plain", "Too short to tell"],
  unchecked: ["plain", "Not checked"],
};

/** Whether the cited text was in front of the model. */
export const traceBadge = (verdict: string | null): TemplateResult | typeof nothing => of(TRACES, verdict);
/** Whether it says what the sentence says. */
export const supportBadge = (verdict: string | null): TemplateResult | typeof nothing =>
  of(SUPPORTS, verdict);
/** Whether a quote stands in its source. */
export const quoteBadge = (verdict: string | null): TemplateResult | typeof nothing => of(QUOTES, verdict);

export function kindOf(support: string | null, trace: string | null): Kind {
  const [first] = (trace === null ? undefined : TRACES[trace]) ?? ["plain" as Kind];
  if (first === "bad" || support === null) return first;
  return SUPPORTS[support]?.[0] ?? first;
}

function of(table: Said, verdict: string | null): TemplateResult | typeof nothing {
  if (verdict === null) return nothing;
  const [kind, text] = table[verdict] ?? ["plain", verdict];
  return badge(kind, text);
}

/** Two texts below one another, with the words marked that only one of them has, and what stands around the second. */
export function compared(
  left: string,
  right: string,
  names: [string, string],
  around: [string, string] = ["", ""],
): TemplateResult {
  const runs = differences(left, right);
  const side = (mine: "left" | "right"): TemplateResult[] =>
    runs
      .filter((one) => one.kind === "same" || one.kind === mine)
      .map((one) =>
        one.kind === "same"
          ? html`${one[mine]}`
          : html`<mark class=${mine === "left" ? "written" : "original"}>${one[mine]}</mark>`,
      );
  return html`<dl class="compared">
    <div><dt>${names[0]}</dt><dd dir="auto">${side("left")}</dd></div>
    <div><dt>${names[1]}</dt><dd dir="auto"><span class="around">${around[0]}</span>${side("right")}<span
      class="around">${around[1]}</span></dd></div>
  </dl>`;
}

/** A text with some of its words marked, each where it first stands. */
export function marked(text: string, words: (string | null)[], kind: "written" | "original"): TemplateResult {
  const spans: [number, number][] = [];
  for (const word of words) {
    const start = word ? text.indexOf(word) : -1;
    if (word && start >= 0 && !spans.some(([from, to]) => start < to && start + word.length > from))
      spans.push([start, start + word.length]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  const parts: TemplateResult[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    parts.push(html`${text.slice(at, start)}<mark class=${kind}>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return html`${parts}${text.slice(at)}`;
}
