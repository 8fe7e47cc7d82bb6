import { html, nothing, type TemplateResult } from "lit";
import type { Message } from "../../cited/transcript";
import { count, plain } from "../../shared/words";
import { notice } from "../screen";
import { trustOfRest } from "./source";
import { COPIES, EXPORTS } from "./taking";

/** Takes an answer along: written as `to`, into a file or to the clipboard. */
export type Take = (one: Message, to: string, saves: boolean) => void;

/** One turn of a conversation. The words of an answer are drawn into its `.prose`, which no template touches. */
export function turnOf(one: Message, take: Take): TemplateResult {
  if (one.role === "user")
    return html`<div class="turn question" dir="auto"><h2 class="visually-hidden">You asked</h2><p dir="auto">${one.text}</p></div>`;
  return html`<article class="turn answered" aria-label="Answer" aria-busy=${one.state === "settled" ? "false" : "true"}>
    <div class="prose" data-id=${one.id}></div>
    ${one.fault ? notice("plain", one.fault) : nothing}
    ${one.state === "settled" && one.text ? below(one, take) : nothing}
  </article>`;
}

/** What is told of an answer below it: what leads nowhere, what cites nothing, and how to take it along. */
function below(one: Message, take: Take): TemplateResult {
  const suggested = one.misses.find((each) => each.suggestion)?.suggestion;
  return html`
    ${
      one.misses.length > 0
        ? notice(
            "warn",
            `${count(one.misses.length, "citation")} ${one.misses.length === 1 ? "leads" : "lead"} nowhere.` +
              (suggested ? ` The nearest that there is: ${plain(suggested)}.` : ""),
          )
        : nothing
    }
    ${trustOfRest(one)}
    <footer class="below">
      ${one.uncited.length > 0 ? html`<span class="meta"><span class="uncited">${count(one.uncited.length, "sentence")}</span> without a citation</span>` : nothing}
      <details class="take" @toggle=${unfolded}>
        <summary class="button quiet small">Copy or save</summary>
        <div class="menu">
          ${COPIES.map(([to, label]) => html`<button class="button quiet small" @click=${() => take(one, to, false)}>Copy as ${label}</button>`)}
          ${EXPORTS.map(([to, label]) => html`<button class="button quiet small" @click=${() => take(one, to, true)}>Save ${label}</button>`)}
        </div>
      </details>
    </footer>`;
}

/** A menu opens to the side where it is not cut off. */
function unfolded(event: Event): void {
  const menu = event.currentTarget as HTMLDetailsElement;
  const choices = menu.querySelector<HTMLElement>(".menu");
  if (!menu.open || !choices) return;
  const { top, bottom } = menu.getBoundingClientRect();
  const height = choices.offsetHeight + 16;
  choices.classList.toggle("above", bottom + height > innerHeight - 80 && top > height);
}

/** The answer as it is read out, once, when it is whole. */
export function spoken(one: Message): string {
  return `Answer: ${one.text}. ${count(one.cited.length, "citation")}.`;
}
