import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Api, at } from "../../shared/api";
import { plain, when } from "../../shared/words";
import type { ConversationBody, ConversationList } from "../../types/server";
import { ask } from "../dialog";

const MOST = 200;

/** Returns the conversations that have answers, the last ones first; null where they cannot be read just now. */
export async function talksOf(api: Api): Promise<ConversationBody[] | null> {
  const found = await api.get<ConversationList>(`/api/conversations?limit=${MOST}`).catch(() => null);
  // What a program searched in has no answers to show.
  return found?.conversations.filter((one) => one.agent_id !== null) ?? null;
}

/** Asks whether a conversation is to be deleted; true where it was. */
export async function forgotten(api: Api, one: ConversationBody): Promise<boolean> {
  const done = await ask({
    title: "Delete the conversation?",
    body: html`<p><bdi><strong>${titleOf(one)}</strong></bdi> goes with its answers. That cannot be undone.</p>`,
    choices: [{ value: "delete", label: "Delete", kind: "danger" }],
    act: () => api.delete(at`/api/conversations/${one.conversation_id}`),
  });
  return done !== null;
}

/** The conversations beside the one that is open. */
export function talksList(
  talks: ConversationBody[],
  thread: string,
  isOpen: boolean,
  forget: (one: ConversationBody) => void,
  fresh: () => void,
): TemplateResult {
  return html`<nav class="talks ${isOpen ? "open" : ""}" id="talks" aria-label="Conversations">
    <a class="button wide" href="/console/ask" @click=${fresh}>New conversation</a>
    ${
      talks.length === 0
        ? html`<p class="meta none">No conversation yet. What you ask is kept here.</p>`
        : html`<ul>${repeat(
            talks,
            (one) => one.conversation_id,
            (one) => html`<li>
              <a href=${at`/console/ask/${one.conversation_id}`}
                aria-current=${one.conversation_id === thread ? "page" : nothing}><bdi>${titleOf(one)}</bdi><small>${
                  one.visitor ? "Visitor · " : ""
                }${when(one.changed_at)}</small></a>
              <button class="button quiet small danger" aria-label="Delete ${titleOf(one)}" title="Delete"
                @click=${() => forget(one)}>×</button>
            </li>`,
          )}</ul>`
    }
  </nav>`;
}

function titleOf(one: ConversationBody): string {
  return plain(one.title ?? "") || "Without a title";
}
