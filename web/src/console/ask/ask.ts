import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Drawing } from "../../cited/markdown";
import { Previews, type Shown } from "../../cited/preview";
import type { Cited } from "../../cited/shapes";
import { run } from "../../cited/stream";
import { type Message, Transcript } from "../../cited/transcript";
import { type Api, at } from "../../shared/api";
import { count, plain, when } from "../../shared/words";
import type {
  AgentBody,
  AgentList,
  CitedList,
  ConversationBody,
  ConversationList,
  MessageList,
} from "../../types/server";
import { ask } from "../dialog";
import { go } from "../route";
import { loading, notice, Screen } from "../screen";
import { session } from "../session";
import "./ask.css";
import { linedOf, placedOf } from "./numbers";
import "./panel";
import { headOf, snippetOf, trustOf, verdictsOf } from "./source";
import { COPIES, EXPORTS, exported, save } from "./taking";

const AGENT = "pincite.agent";
const SHOWN_AFTER = 120;
const GONE_AFTER = 180;

interface Open {
  message: Message;
  cited: Cited;
  from: HTMLElement;
}

/** Asking an agent: questions, answers with their numbers, and what stands behind each. */
class Ask extends Screen {
  static override properties = { api: { attribute: false }, conversation: { attribute: false } };
  declare api: Api;
  declare conversation: string;
  #agents: AgentBody[] | null = null;
  #agent = "";
  #talks: ConversationBody[] = [];
  #talksOpen = false;
  #thread = "";
  #transcript = new Transcript();
  #drawings = new Map<string, Drawing>();
  #stop: AbortController | null = null;
  #said = "";
  #trouble = "";
  #again = "";
  #card: (Open & { shown: Shown | null }) | null = null;
  #panel: Open | null = null;
  #timer = 0;
  #frame = 0;
  #follows = true;
  #previews = new Previews("", () => session.key() ?? "");

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Ask – pincite";
    document.addEventListener("keydown", this.#key);
    document.addEventListener("pointerdown", this.#elsewhere);
    addEventListener("scroll", this.#scrolled, true);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    document.removeEventListener("keydown", this.#key);
    document.removeEventListener("pointerdown", this.#elsewhere);
    removeEventListener("scroll", this.#scrolled, true);
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#previews.clear();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("conversation") || this.conversation === this.#thread) return;
    this.#stop?.abort();
    this.#reset(this.conversation);
    if (this.conversation) void this.#read(this.conversation);
  }

  #reset(thread: string): void {
    this.#thread = thread;
    this.#transcript = new Transcript();
    this.#drawings.clear();
    this.#card = null;
    this.#panel = null;
    this.#trouble = "";
    this.#again = "";
    this.#talksOpen = false;
    this.#previews.clear();
  }

  async #begin(): Promise<void> {
    const agents = await this.attempt(() => this.api.get<AgentList>("/api/manage/agents"));
    if (agents) {
      this.#agents = agents.agents;
      const kept = localStorage.getItem(AGENT);
      this.#agent = (agents.agents.find((one) => one.agent_id === kept) ?? agents.agents[0])?.agent_id ?? "";
    }
    await this.#list();
  }

  async #list(): Promise<void> {
    const found = await this.api.get<ConversationList>("/api/conversations?limit=200").catch(() => null);
    // What a program searched in has no answers to show.
    if (found) this.#talks = found.conversations.filter((one) => one.agent_id !== null);
    const here = this.#talks.find((one) => one.conversation_id === this.#thread)?.agent_id;
    if (here && this.#agents?.some((one) => one.agent_id === here)) this.#agent = here;
    this.requestUpdate();
  }

  async #read(id: string): Promise<void> {
    const path = at`/api/conversations/${id}`;
    const found = await this.attempt(() =>
      Promise.all([
        this.api.get<MessageList>(`${path}/messages`),
        this.api.get<CitedList>(`${path}/citations`),
      ]),
    );
    if (!found || this.#thread !== id) return;
    const answers = new Map(found[1].answers.map((one) => [one.number, one]));
    for (const one of found[0].messages) {
      const answer = answers.get(one.number);
      if (one.role === "user") this.#transcript.say(`kept-${one.number}`, String(one.body["text"] ?? ""));
      else if (answer) {
        const kept = this.#transcript.kept(
          answer.message_id,
          answer.text,
          answer.citations,
          answer.highlight,
        );
        if (!answer.text) kept.fault = String(one.body["reason"] || "There is no answer to this.");
      }
    }
    this.requestUpdate();
  }

  // -- asking ----------------------------------------------------------------------------------

  async #ask(question: string): Promise<void> {
    const asked = question.trim();
    if (!asked || this.#stop !== null || !this.#agent) return;
    const isNew = this.#thread === "";
    if (isNew) this.#thread = unique();
    const thread = this.#thread;
    const transcript = this.#transcript;
    const id = unique();
    transcript.say(id, asked);
    transcript.running = true;
    this.#trouble = "";
    this.#again = "";
    this.#said = "";
    const stop = new AbortController();
    this.#stop = stop;
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.querySelector(".turn:last-of-type")?.scrollIntoView({ block: "end" }),
    );
    const outcome = await run(
      {
        url: at`/api/agents/${this.#agent}/ag-ui`,
        token: session.key() ?? "",
        threadId: thread,
        question: asked,
        messageId: id,
        signal: stop.signal,
      },
      (event) => {
        if (transcript.take(event)) this.#soon();
      },
    );
    if (this.#stop === stop) this.#stop = null;
    transcript.running = false;
    for (const one of transcript.messages) one.state = "settled";
    if (this.#thread !== thread) return;
    const last = transcript.shown.at(-1);
    if (outcome.kind === "done") {
      if (last?.role === "assistant") this.#said = spoken(last);
      else this.#trouble = "There is no answer to this in the documents.";
    } else {
      if (outcome.kind !== "stopped") this.#again = asked;
      this.#trouble =
        outcome.after === undefined
          ? outcome.message
          : `${outcome.message} Try again in ${count(outcome.after, "second")}.`;
    }
    if (isNew && outcome.kind === "done" && this.isConnected) go(at`/console/ask/${thread}`, true);
    this.requestUpdate();
    if (outcome.kind === "signed-out") await this.attempt(() => this.api.get("/api/conversations?limit=1"));
    await this.#list();
  }

  /** Draws at most once a frame, however fast the words come. */
  #soon(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#follows = scrollY + innerHeight > document.documentElement.scrollHeight - 90;
      this.requestUpdate();
    });
  }

  async #makeAgent(): Promise<void> {
    const made = await this.attempt(() =>
      this.api.post<AgentBody>("/api/manage/agents", { name: "Assistant", kind: "agent", collections: [] }),
    );
    if (made) {
      this.#agents = [made];
      this.#agent = made.agent_id;
      this.requestUpdate();
      void this.updateComplete.then(() => this.querySelector<HTMLElement>("#question")?.focus());
    }
  }

  async #forget(one: ConversationBody): Promise<void> {
    const done = await ask({
      title: "Delete the conversation?",
      body: html`<p><bdi><strong>${plain(one.title ?? "Without a title")}</strong></bdi> goes with its answers. That
        cannot be undone.</p>`,
      choices: [{ value: "delete", label: "Delete", kind: "danger" }],
      act: () => this.api.delete(at`/api/conversations/${one.conversation_id}`),
    });
    if (done === null) return;
    if (one.conversation_id === this.#thread) go("/console/ask", true);
    await this.#list();
  }

  // -- what is shown ---------------------------------------------------------------------------

  override render(): TemplateResult {
    if (this.#agents === null) return html`<h1>Ask</h1>${this.told()}${this.fault ? nothing : loading()}`;
    const agents = this.#agents;
    if (agents.length === 0)
      return html`<h1>Ask</h1>${this.told()}<div class="empty"><h2>No agent yet</h2>
        <p>An agent answers from your documents. This one looks in every collection.</p>
        <p class="begin"><button class="button primary" ?disabled=${this.busy} @click=${this.#makeAgent}>Make an
          agent</button></p></div>`;
    return html`<div class="ask ${this.#panel ? "with-panel" : ""}">
      <nav class="talks ${this.#talksOpen ? "open" : ""}" aria-label="Conversations">
        <a class="button wide" href="/console/ask">New conversation</a>
        <ul>${repeat(
          this.#talks,
          (one) => one.conversation_id,
          (one) => html`<li>
            <a href=${at`/console/ask/${one.conversation_id}`}
              aria-current=${one.conversation_id === this.#thread ? "page" : nothing}><bdi>${
                plain(one.title ?? "") || "Without a title"
              }</bdi><small>${when(one.changed_at)}</small></a>
            <button class="button quiet small danger" aria-label="Delete ${plain(one.title ?? "the conversation")}"
              @click=${() => this.#forget(one)}>×</button>
          </li>`,
        )}</ul>
      </nav>
      <div class="talk">
        <div class="talk-head">
          <h1>Ask</h1>
          <button class="button quiet small talks-button" aria-expanded=${this.#talksOpen ? "true" : "false"}
            @click=${this.#toggleTalks}>Conversations</button>
          <label class="visually-hidden" for="agent">Agent</label>
          <select id="agent" class="small" ?disabled=${this.#stop !== null} @change=${this.#choose}>
            ${agents.map(
              (one) =>
                html`<option value=${one.agent_id} ?selected=${one.agent_id === this.#agent}>${plain(one.name)}</option>`,
            )}
          </select>
        </div>
        ${this.told()}
        <div class="turns" @click=${this.#clicked} @pointerover=${this.#over} @pointerout=${this.#out}
          @focusin=${this.#focused} @focusout=${this.#out}>
          ${repeat(
            this.#transcript.shown,
            (one) => one.id,
            (one) => this.#turn(one),
          )}
          ${
            this.#transcript.running && this.#transcript.shown.at(-1)?.role === "user"
              ? html`<p class="thinking" role="status">Looking in the documents…</p>`
              : nothing
          }
          ${
            this.#transcript.messages.length === 0 && !this.busy && !this.fault
              ? html`<p class="lead opening">Ask anything that your documents say. Each statement gets a number that
                leads to the words it came from.</p>`
              : nothing
          }
          ${
            this.#trouble
              ? html`<div class="trouble">${notice(this.#again ? "bad" : "plain", this.#trouble)}
                ${
                  this.#again
                    ? html`<button class="button small" @click=${() => this.#ask(this.#again)}>Ask again</button>`
                    : nothing
                }</div>`
              : nothing
          }
        </div>
        <p class="visually-hidden" aria-live="polite">${this.#said}</p>
        <form class="composer" @submit=${this.#submitted}>
          <label class="visually-hidden" for="question">Your question</label>
          <textarea id="question" name="question" rows="1" maxlength="4000" dir="auto" placeholder="Ask a question"
            @keydown=${this.#typed}></textarea>
          ${
            this.#stop !== null
              ? html`<button type="button" class="button" @click=${() => this.#stop?.abort()}>Stop</button>`
              : html`<button class="button primary">Ask</button>`
          }
        </form>
      </div>
      ${
        this.#panel
          ? html`<pc-panel .previews=${this.#previews} .message=${this.#panel.message} .cited=${this.#panel.cited}
            .question=${this.#question(this.#panel.message)} .quote=${this.#quote(this.#panel)}
            @closed=${this.#closePanel}></pc-panel>`
          : nothing
      }
    </div>
    ${this.#card ? this.#cardOf(this.#card) : nothing}`;
  }

  #turn(one: Message): TemplateResult {
    if (one.role === "user")
      return html`<div class="turn question" dir="auto"><h2 class="visually-hidden">You asked</h2><p dir="auto">${one.text}</p></div>`;
    return html`<article class="turn answered" aria-label="Answer" aria-busy=${one.state === "settled" ? "false" : "true"}>
      <div class="prose" data-id=${one.id}></div>
      ${one.fault ? notice("plain", one.fault) : nothing}
      ${one.state === "settled" && one.text ? this.#below(one) : nothing}
    </article>`;
  }

  /** What is told of an answer below it: what leads nowhere, what cites nothing, and how to take it along. */
  #below(one: Message): TemplateResult {
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
      <footer class="below">
        ${one.uncited.length > 0 ? html`<span class="meta"><span class="uncited">${count(one.uncited.length, "sentence")}</span> without a citation</span>` : nothing}
        <details class="take" @toggle=${this.#unfolded}>
          <summary class="button quiet small">Copy or save</summary>
          <div class="menu">
            ${COPIES.map(([to, label]) => html`<button class="button quiet small" @click=${() => this.#take(one, to, false)}>Copy as ${label}</button>`)}
            ${EXPORTS.map(([to, label]) => html`<button class="button quiet small" @click=${() => this.#take(one, to, true)}>Save ${label}</button>`)}
          </div>
        </details>
      </footer>`;
  }

  #cardOf(card: Open & { shown: Shown | null }): TemplateResult {
    return html`<div class="cite-card" role="tooltip" id="cite-card" @pointerenter=${() => clearTimeout(this.#timer)}
      @pointerleave=${this.#out}>
      ${headOf(card.cited, card.shown)}
      ${snippetOf(card.shown)}
      ${verdictsOf(card.cited, card.shown)}
      ${trustOf(card.message, card.cited)}
      ${
        card.shown?.kind === "gone"
          ? nothing
          : html`<button class="button small" tabindex="-1" @click=${() => this.#open(card)}>Open the source</button>`
      }
    </div>`;
  }

  protected override updated(): void {
    for (const element of this.querySelectorAll<HTMLElement>(".prose[data-id]")) {
      const one = this.#transcript.of(element.dataset["id"]);
      if (!one) continue;
      let drawing = this.#drawings.get(one.id);
      if (drawing?.into !== element) {
        element.replaceChildren();
        drawing = new Drawing(element);
        this.#drawings.set(one.id, drawing);
      }
      drawing.draw(one.text, placedOf(one), linedOf(one), one.state === "writing");
    }
    this.#place();
    // Who reads the end goes along with it; who has scrolled back is left alone.
    if (this.#follows && this.#transcript.running) scrollTo(0, document.documentElement.scrollHeight);
  }

  // -- a number --------------------------------------------------------------------------------

  #behind(event: Event): Open | null {
    const from = (event.target as Element | null)?.closest?.<HTMLElement>("button.cite");
    const message = from ? this.#transcript.of(from.dataset["message"]) : undefined;
    const cited = message?.cited.find((one) => String(one.index) === from?.dataset["index"]);
    return from && message && cited ? { from, message, cited } : null;
  }

  readonly #over = (event: PointerEvent): void => {
    const found = this.#behind(event);
    if (!found || event.pointerType === "touch") return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#show(found), SHOWN_AFTER);
  };

  readonly #focused = (event: FocusEvent): void => {
    const found = this.#behind(event);
    if (found?.from.matches(":focus-visible")) void this.#show(found);
  };

  readonly #out = (): void => {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#hide(), GONE_AFTER);
  };

  readonly #clicked = (event: MouseEvent): void => {
    const found = this.#behind(event);
    if (!found) return;
    const touched = (event as PointerEvent).pointerType === "touch";
    // A finger cannot hover: the first tap shows the card, which has the way on.
    if (touched && this.#card?.from !== found.from) void this.#show(found);
    else this.#open(found);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    const menu = this.querySelector<HTMLDetailsElement>("details.take[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector<HTMLElement>("summary")?.focus();
    } else if (this.#card) this.#hide();
    else if (this.#panel) this.#closePanel();
  };

  readonly #elsewhere = (event: PointerEvent): void => {
    const target = event.target as Element;
    if (this.#card && !target.closest(".cite-card, button.cite")) this.#hide();
    for (const menu of this.querySelectorAll<HTMLDetailsElement>("details.take[open]"))
      if (!menu.contains(target)) menu.open = false;
  };

  readonly #scrolled = (event: Event): void => {
    if (this.#card && !(event.target as Element).closest?.(".cite-card")) this.#place();
  };

  async #show(found: Open): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#card?.from === found.from) return;
    this.#card?.from.removeAttribute("aria-describedby");
    const card = { ...found, shown: null as Shown | null };
    this.#card = card;
    this.requestUpdate();
    card.shown = await this.#previews.preview(found.cited, this.#question(found.message), this.#quote(found));
    if (this.#card !== card) return;
    card.from.setAttribute("aria-describedby", "cite-card");
    this.requestUpdate();
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#card?.from.removeAttribute("aria-describedby");
    this.#card = null;
    this.requestUpdate();
  }

  #open(found: Open): void {
    this.#hide();
    this.#panel = { from: found.from, message: found.message, cited: found.cited };
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".panel-head button")?.focus());
  }

  readonly #closePanel = (): void => {
    const open = this.#panel;
    this.#panel = null;
    this.requestUpdate();
    if (!open) return;
    const id = CSS.escape(open.message.id);
    void this.updateComplete.then(() => {
      const again = this.querySelector<HTMLElement>(
        `.cite[data-message="${id}"][data-index="${open.cited.index}"]`,
      );
      (open.from.isConnected ? open.from : again)?.focus();
      this.#hide();
    });
  };

  /** Puts the card below its number, or above where there is more room, and inside the window. */
  #place(): void {
    const card = this.querySelector<HTMLElement>(".cite-card");
    if (!card || !this.#card) return;
    const number = this.#card.from.isConnected ? this.#card.from.getBoundingClientRect() : null;
    if (!number || number.bottom < 0 || number.top > innerHeight) {
      this.#hide();
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.max(8, Math.min(number.left - 16, innerWidth - width - 8));
    const below = number.bottom + 8 + height <= innerHeight || number.top < height + 16;
    card.style.left = `${left}px`;
    card.style.top = `${Math.max(8, below ? Math.min(number.bottom + 8, innerHeight - height - 8) : number.top - height - 8)}px`;
  }

  #question(message: Message): string {
    const highlight = this.#agents?.find((one) => one.agent_id === this.#agent)?.highlight;
    if (highlight === "whole_passage") return "";
    const all = this.#transcript.messages;
    return all.slice(0, all.indexOf(message)).findLast((one) => one.role === "user")?.text ?? "";
  }

  #quote(open: { message: Message; cited: Cited }): string {
    return open.message.lit.get(open.cited.index)?.quote ?? "";
  }

  // -- what is done ----------------------------------------------------------------------------

  readonly #submitted = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = this.querySelector<HTMLTextAreaElement>("#question");
    if (!field?.value.trim() || this.#stop !== null) return;
    void this.#ask(field.value);
    field.value = "";
  };

  readonly #typed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    (event.target as HTMLTextAreaElement).form?.requestSubmit();
  };

  readonly #choose = (event: Event): void => {
    this.#agent = (event.target as HTMLSelectElement).value;
    localStorage.setItem(AGENT, this.#agent);
    this.requestUpdate();
  };

  readonly #unfolded = (event: Event): void => {
    const menu = event.currentTarget as HTMLDetailsElement;
    const choices = menu.querySelector<HTMLElement>(".menu");
    if (!menu.open || !choices) return;
    // It opens to the side where it is not cut off.
    const { top, bottom } = menu.getBoundingClientRect();
    const height = choices.offsetHeight + 16;
    choices.classList.toggle("above", bottom + height > innerHeight - 80 && top > height);
  };

  readonly #toggleTalks = (): void => {
    this.#talksOpen = !this.#talksOpen;
    this.requestUpdate();
  };

  async #take(one: Message, to: string, saves: boolean): Promise<void> {
    const written = await this.attempt(() => exported(this.api, this.#thread, one.id, to, this.#asked(one)));
    if (written === undefined) return;
    if (saves) save(written, to);
    else {
      await this.attempt(() => navigator.clipboard.writeText(written));
      if (this.fault === null) this.#said = "Copied with its references.";
    }
    for (const menu of this.querySelectorAll<HTMLDetailsElement>("details.take[open]")) menu.open = false;
    this.requestUpdate();
  }

  #asked(message: Message): string {
    const all = this.#transcript.messages;
    return all.slice(0, all.indexOf(message)).findLast((one) => one.role === "user")?.text ?? "";
  }
}

/** The answer as it is read out, once, when it is whole. */
function spoken(one: Message): string {
  return `Answer: ${one.text}. ${count(one.cited.length, "citation")}.`;
}

function unique(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

customElements.define("pc-ask", Ask);
