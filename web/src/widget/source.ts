/** What is behind a number: where its words stand on this site, else its passage, else the way to it. */
import { GONE, type PreviewBody, type Previews, type Shown } from "../cited/preview";
import { type Cited, type Locator, safeLink } from "../cited/shapes";
import type { Message } from "../cited/transcript";
import { fragmentLink } from "./fragment";
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

/** Says where a person looks. */
export function whereOf(locator: Locator, section: string | null): string {
  const parts: string[] = [];
  const heading = section ?? locator.headings?.at(-1);
  if (heading) parts.push(heading);
  const page = locator.page_label ?? locator.page;
  if (page !== undefined) parts.push(`page ${page}`);
  if (locator.sheet) parts.push(locator.cells ? `${locator.sheet}, ${locator.cells}` : locator.sheet);
  if (locator.slide !== undefined) parts.push(`slide ${locator.slide}`);
  return parts.join(" · ");
}

/** Draws the panel of a source: the passage first, and its page where there is one. */
export async function drawSource(
  into: HTMLElement,
  cited: Cited,
  message: Message,
  question: string,
  previews: Previews,
  config: Config,
): Promise<Shown> {
  const quote = message.lit.get(cited.index)?.quote ?? "";
  into.replaceChildren(el("p", { class: "wait" }, "Loading the source…"));
  const shown = await previews.preview(cited, question, quote);
  const head = el("h3", { dir: "auto" }, cited.title || "Source");
  if (shown.kind !== "shown") {
    into.replaceChildren(head, el("p", { class: "where" }, shown.message || GONE));
    return shown;
  }
  const body = shown.preview;
  const where = whereOf(cited.locator, body.section);
  const words = quote && body.snippet.includes(quote) ? quote : (body.highlight?.text ?? "");
  into.replaceChildren(head, ...(where ? [el("p", { class: "where", dir: "auto" }, where)] : []));
  if (config.previews) {
    into.append(el("blockquote", { class: "snippet", dir: "auto" }, ...marked(body.snippet, words)));
    if (body.source_state === "superseded")
      into.append(el("p", { class: "where" }, "The source has changed since; this is what it said."));
  }
  const link = safeLink(body.source_uri);
  if (link !== null) {
    const to = wanted(body, config.highlight, quote).words[0];
    const address = to
      ? fragmentLink(link, to.exact, to.before, to.behind)
      : fragmentLink(link, body.snippet);
    into.append(
      el(
        "a",
        { class: "open", href: address, target: "_blank", rel: "noopener noreferrer nofollow" },
        "Open the source",
      ),
    );
  }
  if (config.previews && body.has_image) {
    const picture = await previews.picture(cited, { mode: "page", width: 800 }, question, quote);
    // A page may refuse pictures that are made in it; the passage says the same.
    if (picture !== null) {
      const label = `The page of ${cited.title || "the source"} with the cited words marked`;
      const image = el("img", { alt: label, src: picture });
      image.addEventListener("error", () => image.remove());
      into.append(image);
    }
  }
  return shown;
}
