/** The sentence that a number bears out: by its words the words of a passage are found that say the same. */
import type { Cited } from "./shapes";
import type { Message } from "./transcript";

const NUMBER = /^\[[^\]]*\]$/;
const LINK = /\[([^[\]\n]*)\]\([^()\s]*\)/g;
// Around words it is a sign of Markdown, inside of one it is a part of it.
const UNDER = /(^|\W)_+|_+(?=\W|$)/g;
const INK = /[\p{L}\p{N}]/u;

/** Returns the sentence that cites, without its numbers and signs of Markdown; empty where there is none. */
export function sentenceOf(message: Message, cited: Cited): string {
  const text = unmarked(message);
  const { start, end } = cited.claim ?? around(text, cited.start);
  const sentence = text.slice(start, end).split(/\s+/).filter(Boolean).join(" ");
  return INK.test(sentence) ? sentence : "";
}

/** The text with blanks for its numbers and for what would hide the end of a sentence; as long as before. */
function unmarked(message: Message): string {
  let text = message.text;
  for (const { start, end } of message.cited) {
    if (NUMBER.test(text.slice(start, end)))
      text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
  }
  return text
    .replace(LINK, (whole: string, label: string) => label.padEnd(whole.length))
    .replace(UNDER, (whole: string, before = "") => before.padEnd(whole.length))
    .replace(/[*`~#>|]/g, " ");
}

/** Where the sentence stands that a place is in; a number on a line of its own belongs to what stands before it. */
function around(text: string, place: number): { start: number; end: number } {
  // Some browsers cut no sentences; then nothing is said of them.
  if (!("Segmenter" in Intl)) return { start: 0, end: 0 };
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text);
  let found = sentences.containing(place);
  while (found && found.index > 0 && !INK.test(found.segment)) found = sentences.containing(found.index - 1);
  return { start: found?.index ?? 0, end: (found?.index ?? 0) + (found?.segment.length ?? 0) };
}
