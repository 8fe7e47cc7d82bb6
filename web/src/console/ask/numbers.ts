import type { Placed, Underlined } from "../../cited/markdown";
import { placeOf } from "../../cited/place";
import type { Cited, Stretch } from "../../cited/shapes";
import type { Message } from "../../cited/transcript";
import { plain } from "../../shared/words";
import { kindOf } from "../verdicts";

/** What a number is called for those who hear it. */
function labelOf(one: Cited): string {
  const numbers = one.numbers.join(", ");
  const title = plain(one.title) || "without a title";
  const place = placeOf(one.locator);
  const remark =
    one.state === "removed"
      ? ", the source was removed"
      : one.state === "superseded"
        ? ", the source has changed since"
        : "";
  return `Source ${numbers || "without a number"}: ${title}${place ? `, ${place}` : ""}${remark}`;
}

/** The numbers of a message, as buttons in their places. */
export function placedOf(message: Message): Placed[] {
  return message.cited
    .filter((one) => one.end > one.start)
    .map((one) => ({
      start: one.start,
      end: one.end,
      key: `${one.index} ${one.numbers} ${one.support} ${one.verdict} ${one.state} ${one.final} ${one.title}`,
      make: () => number(message, one),
    }));
}

function number(message: Message, one: Cited): HTMLElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `cite ${one.final ? kindOf(one.support, one.verdict) : "plain"}`;
  if (one.state !== null && one.state !== "current") made.classList.add(one.state);
  made.dataset["message"] = message.id;
  made.dataset["index"] = String(one.index);
  made.setAttribute("aria-label", labelOf(one));
  made.setAttribute("aria-haspopup", "dialog");
  made.textContent = one.numbers.join(", ") || "–";
  return made;
}

/** What is underlined in a message: sentences that cite nothing, and what looks like a citation and leads nowhere. */
export function linedOf(message: Message): Underlined[] {
  const of = (all: Stretch[], name: string, title: string): Underlined[] =>
    all
      .filter((one) => one.start_utf16 !== null && one.end_utf16 !== null)
      .map((one) => ({ start: one.start_utf16 ?? 0, end: one.end_utf16 ?? 0, name, title }));
  return [
    ...of(message.uncited, "uncited", "This sentence cites nothing."),
    ...of(message.misses, "missed", "This looks like a citation and leads nowhere."),
  ];
}
