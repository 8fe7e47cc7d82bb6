import { plain } from "../shared/words";
import type { Locator } from "./shapes";

/** Where a person looks, as a line of words; empty where nothing is known. */
export function placeOf(locator: Locator): string {
  const { page, page_end: last, page_label: label, sheet, cells, slide, time, line } = locator;
  if (page !== undefined) {
    const shown = plain(label ?? String(page));
    if (last !== undefined && last !== page) return `pages ${shown}–${last}`;
    return label !== undefined && label !== String(page)
      ? `page ${shown} (${page} of the file)`
      : `page ${shown}`;
  }
  if (slide !== undefined) return `slide ${slide}`;
  if (sheet !== undefined) return `sheet ${plain(sheet)}${cells ? `, ${plain(cells)}` : ""}`;
  if (time !== undefined)
    return `at ${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}`;
  return line !== undefined ? `line ${line}` : "";
}

/** Returns a text in three: what stands before `words`, they themselves, what is behind; null where they are not in it. */
export function around(text: string, words: string): [string, string, string] | null {
  const at = words ? text.indexOf(words) : -1;
  return at < 0 ? null : [text.slice(0, at), words, text.slice(at + words.length)];
}
