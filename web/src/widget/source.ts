/** What is behind a number: where its words stand on this site, else its passage, else the way to it. */
import type { MocaCitation } from "../cited/moca";
import { placeOf } from "../cited/place";
import { GONE, type PreviewBody, type Shown } from "../cited/preview";
import { type Cited, safeLink } from "../cited/shapes";
import { moment, plain } from "../shared/words";
import { sourceLink } from "./fragment";
import { el, marked } from "./parts";
import type { Config, Pending } from "./visit";

const AROUND = 200;

/** The words of a citation at the precision of the embed, the most precise first, and the passage that they are of. */
export interface Wanted {
  words: Pending["words"];
  passage: string;
}

/** Returns the words to light: the model's quote, else what answers best, else the whole passage. */
export function wanted(shown: PreviewBody, precision: string, quote: string): Wanted {
  const passage = shown.snippet;
  const found: Pending["words"] = [];
  if (precision === "models_quote" && quote) found.push(within(passage, quote));
  const best = shown.highlight?.text ?? "";
  if (precision !== "whole_passage" && best) found.push(within(passage, best));
  return { words: found, passage };
}

function within(passage: string, exact: string): Pending["words"][number] {
  const at = passage.indexOf(exact);
  if (at < 0) return { exact, before: "", behind: "" };
  return {
    exact,
    before: passage.slice(Math.max(0, at - AROUND), at),
    behind: passage.slice(at + exact.length, at + exact.length + AROUND),
  };
}

/** Returns the address of a source when it is a page of this site, without its fragment. */
export function pageHere(address: string | null): string | null {
  const safe = safeLink(address);
  if (safe === null) return null;
  const url = new URL(safe);
  if (url.origin !== location.origin) return null;
  url.hash = "";
  return url.href;
}

/** Draws the panel of records of packages: their words, and what is known of each, fact by fact. */
export function drawRecords(
  into: HTMLElement,
  records: MocaCitation[],
  cited: Cited,
  at: string | null,
  config: Config,
): void {
  into.replaceChildren(el("h3", { dir: "auto" }, plain(cited.title) || "Source"));
  for (const one of records) {
    if (config.previews && one.text)
      into.append(el("blockquote", { class: "snippet", dir: "auto" }, one.text));
    const facts = one.facts.map((fact) => el("li", { "data-kind": fact.kind }, el("bdi", {}, fact.text)));
    into.append(
      el("p", { class: "where", dir: "auto" }, one.pack),
      el("ul", { class: "where", "aria-label": "What is known of the source" }, ...facts),
    );
  }
  if (at !== null) into.append(el("p", { class: "where" }, `As of ${moment(at)}.`));
}

/** Draws the panel of a source: the passage first, and its page where there is one. */
export async function drawSource(
  into: HTMLElement,
  shown: Shown,
  cited: Cited,
  quote: string,
  picture: () => Promise<ImageBitmap | null>,
  config: Config,
): Promise<void> {
  const head = el("h3", { dir: "auto" }, plain(cited.title) || "Source");
  if (shown.kind !== "shown") {
    into.replaceChildren(head, el("p", { class: "where" }, shown.message || GONE));
    return;
  }
  const body = shown.preview;
  const where = [plain(body.section ?? cited.locator.headings?.at(-1) ?? ""), placeOf(cited.locator)]
    .filter(Boolean)
    .join(" · ");
  const words = quote && body.snippet.includes(quote) ? quote : (body.highlight?.text ?? "");
  into.replaceChildren(head, ...(where ? [el("p", { class: "where", dir: "auto" }, where)] : []));
  if (config.previews) {
    into.append(el("blockquote", { class: "snippet", dir: "auto" }, ...marked(body.snippet, words)));
    if (body.source_state === "superseded")
      into.append(el("p", { class: "where" }, "The source has changed since; this is what it said."));
  }
  const link = safeLink(body.source_uri);
  if (link !== null) {
    const exact = wanted(body, config.highlight, quote).words[0]?.exact ?? body.snippet;
    into.append(
      el(
        "a",
        {
          class: "open",
          href: sourceLink(link, exact, body.page ?? undefined),
          target: "_blank",
          rel: "noopener noreferrer nofollow",
        },
        "Open the source",
      ),
    );
  } else if (!config.previews) {
    into.append(el("p", { class: "where" }, "This site does not show more of its sources."));
  }
  if (config.previews && body.has_image) {
    const drawn = await picture();
    if (drawn !== null && head.isConnected) {
      // Drawn, and not loaded: so a page that lets in no pictures but its own shows this one.
      const label = `The page of ${plain(cited.title) || "the source"} with the cited words marked`;
      const page = el("canvas", { role: "img", "aria-label": label });
      page.width = drawn.width;
      page.height = drawn.height;
      page.getContext("2d")?.drawImage(drawn, 0, 0);
      into.append(page);
    }
  }
}
