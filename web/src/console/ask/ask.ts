import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Drawing } from "../../cited/markdown";
import { Previews } from "../../cited/preview";
import { sentenceOf } from "../../cited/sentence";
import { type Outcome, run } from "../../cited/stream";
import { type Message, Transcript } from "../../cited/transcript";
import { type Api, at } from "../../shared/api";
import { freshId } from "../../shared/ids";
import { count, plain } from "../../shared/words";
import type {
  AgentBody,
  AgentList,
  CitedList,
  CollectionList,
  ConversationBody,
  MessageList,
} from "../../types/server";
import { go, rename } from "../route";
import { loading, notice, Screen } from "../screen";
import { session } from "../session";
import { spoken, turnOf } from "./answer";
import "./ask.css";
import { type Behind, Card } from "./card";
import { linedOf, placedOf } from "./numbers";
import "./panel";
import { exported, save } from "./taking";
import { forgotten, talksList, talksOf } from "./talks";

const AGENT = "pincite.agent";
const ERASED = "This answer was erased with a document that it cited.";
const NO_ANSWER = "There is no answer to this in the documents.";

/** A question that got no whole answer. */
interface Unanswered {
  id: string;
  text: string;
  /** The server may have finished its answer although it did not arrive. */
  mayBeKept: boolean;
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
  #reads = false;
  #unread = false;
  #hasNone = false;
  #transcript = new Transcript();
  #drawings = new Map<string, Drawing>();
  #stop: AbortController | null = null;
  #said = "";
  #trouble: { text: string; isBad: boolean } | null = null;
  #unanswered: Unanswered | null = null;
  #panel: Behind | null = null;
  #next = "";
  #frame = 0;
  #follows = true;
  #previews = new Previews("", () => session.key() ?? "");
  #card = new Card(
    this,
    (found) => this.#previews.preview(found.cited, this.#lights(found), quoteOf(found)),
    (found) => this.#open(found),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Ask – pincite";
    document.addEventListener("keydown", this.#key);
    document.addEventListener("pointerdown", this.#elsewhere);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    this.#stop?.abort();
    document.removeEventListener("keydown", this.#key);
    document.removeEventListener("pointerdown", this.#elsewhere);
    cancelAnimationFrame(this.#frame);
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
    this.#card.hide();
    this.#panel = null;
    this.#trouble = null;
    this.#unanswered = null;
    this.#talksOpen = false;
    this.#reads = false;
    this.#unread = false;
    this.#previews.clear();
  }

  /** Begins a conversation where the address is that of a new one already. */
  readonly #fresh = (): void => {
    if (this.conversation) return;
    this.#stop?.abort();
    this.#reset("");
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("#question")?.focus());
  };

  readonly #begin = async (): Promise<void> => {
    const [agents, there] = await Promise.all([
      this.attempt(() => this.api.get<AgentList>("/api/manage/agents")),
      this.api.get<CollectionList>("/api/manage/collections").catch(() => null),
    ]);
    this.#hasNone = there?.collections.every((one) => one.documents === 0) ?? false;
    if (agents) {
      this.#agents = agents.agents;
      const kept = localStorage.getItem(AGENT);
      this.#agent = (agents.agents.find((one) => one.agent_id === kept) ?? agents.agents[0])?.agent_id ?? "";
    }
    await this.#list();
  };

  async #list(): Promise<void> {
    this.#talks = (await talksOf(this.api)) ?? this.#talks;
    const here = this.#talks.find((one) => one.conversation_id === this.#thread)?.agent_id;
    if (here && this.#agents?.some((one) => one.agent_id === here)) this.#agent = here;
    this.requestUpdate();
  }

  /** Loads again whatever did not come. */
  readonly #tryAgain = (): void => {
    if (this.#agents === null) void this.#begin();
    if (this.#unread) void this.#read(this.#thread);
  };

  async #read(id: string): Promise<void> {
    const path = at`/api/conversations/${id}`;
    this.#reads = true;
    const found = await this.attempt(() =>
      Promise.all([
        this.api.get<MessageList>(`${path}/messages`),
        this.api.get<CitedList>(`${path}/citations`),
      ]),
    );
    if (this.#thread !== id) return;
    this.#reads = false;
    this.#unread = found === undefined;
    const answers = new Map(found?.[1].answers.map((one) => [one.number, one]));
    for (const one of found?.[0].messages ?? []) {
      const answer = answers.get(one.number);
      if (one.role === "user") this.#transcript.say(`kept-${one.number}`, String(one.body["text"] ?? ""));
      else if (answer) {
        const { message_id, text, citations, highlight } = answer;
        const kept = this.#transcript.kept(message_id, text, citations, highlight, answer.moca);
        const isErased = Array.isArray(one.body["redacted"]);
        if (!answer.text) kept.fault = isErased ? ERASED : String(one.body["reason"] || NO_ANSWER);
      }
    }
    this.requestUpdate();
  }

  // -- asking ----------------------------------------------------------------------------------

  async #ask(question: string, id = freshId()): Promise<void> {
    const asked = question.trim();
    if (!asked || this.#stop !== null || !this.#agent) return;
    const isNew = this.#thread === "";
    if (isNew) this.#thread = freshId();
    const thread = this.#thread;
    const transcript = this.#transcript;
    transcript.say(id, asked);
    transcript.running = true;
    this.#trouble = null;
    this.#unanswered = null;
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
    this.#tell(outcome, { id, text: asked, mayBeKept: outcome.kind === "broken" });
    if (this.isConnected && this.conversation !== thread && outcome.kind === "done")
      this.#goTo(at`/console/ask/${thread}`);
    this.requestUpdate();
    if (outcome.kind === "signed-out") await this.attempt(() => this.api.get("/api/conversations?limit=1"));
    await this.#list();
  }

  #tell(outcome: Outcome, asked: Unanswered): void {
    const last = this.#transcript.shown.at(-1);
    if (outcome.kind === "done") {
      if (last?.role === "assistant") this.#said = spoken(last);
      else this.#trouble = { text: NO_ANSWER, isBad: false };
      return;
    }
    const wait = outcome.after === undefined ? "" : ` Try again in ${count(outcome.after, "second")}.`;
    this.#trouble = { text: `${outcome.message}${wait}`, isBad: outcome.kind !== "stopped" };
    this.#unanswered = asked;
  }

  /** Asks again what got no whole answer: it stands there once, and an answer that the server has is not made twice. */
  readonly #again = async (): Promise<void> => {
    const left = this.#unanswered;
    if (left === null || this.#stop !== null) return;
    const thread = this.#thread;
    if (left.mayBeKept) {
      const path = at`/api/conversations/${thread}/messages`;
      const kept = await this.api.get<MessageList>(path).catch(() => null);
      if (this.#thread !== thread || this.#unanswered !== left) return;
      if (kept?.messages.some((one) => one.body["message_id"] === left.id)) {
        this.#reset(thread);
        this.#goTo(at`/console/ask/${thread}`);
        await this.#read(thread);
        return;
      }
    }
    this.#transcript.withdraw(left.id);
    await this.#ask(left.text, left.id);
  };

  /** The address of a conversation that has begun. With a source open it waits: its step back is the source's. */
  #goTo(path: string): void {
    if (this.#panel) this.#next = path;
    else rename(path);
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
    if (!(await forgotten(this.api, one))) return;
    if (one.conversation_id === this.#thread) go("/console/ask", true);
    await this.#list();
  }

  // -- what is shown ---------------------------------------------------------------------------

  override render(): TemplateResult {
    if (this.#agents === null)
      return html`<h1>Ask</h1>${this.told(this.#tryAgain)}${this.fault ? nothing : loading()}`;
    const agents = this.#agents;
    if (agents.length === 0 && this.#hasNone)
      return html`<h1>Ask</h1>${this.told()}<div class="empty"><h2>No document yet</h2>
        <p>Answers are made from your documents. <a href="/console/library">Add some in the library</a> first.</p></div>`;
    if (agents.length === 0)
      return html`<h1>Ask</h1>${this.told()}<div class="empty"><h2>No agent yet</h2>
        <p>An agent answers from your documents. The one that is made here looks in every collection.</p>
        <p class="begin"><button class="button primary" ?disabled=${this.busy} @click=${this.#makeAgent}>Make an
          agent</button></p></div>`;
    return html`<div class="ask ${this.#panel ? "with-panel" : ""}">
      ${talksList(this.#talks, this.#thread, this.#talksOpen, (one) => void this.#forget(one), this.#fresh)}
      <div class="talk">
        <div class="talk-head">
          <h1>Ask</h1>
          <button class="button quiet small talks-button" aria-controls="talks"
            aria-expanded=${this.#talksOpen ? "true" : "false"} @click=${this.#toggleTalks}>Conversations</button>
          <label class="visually-hidden" for="agent">Agent</label>
          <select id="agent" class="small" ?disabled=${this.#stop !== null} @change=${this.#choose}>
            ${agents.map(
              (one) =>
                html`<option value=${one.agent_id} ?selected=${one.agent_id === this.#agent}>${plain(one.name)}</option>`,
            )}
          </select>
        </div>
        <div class="turns" @click=${this.#clicked} @pointerover=${this.#over} @pointerout=${this.#card.hideSoon}
          @focusin=${this.#focused} @focusout=${this.#card.hideSoon}>
          ${this.told(this.#unread ? this.#tryAgain : undefined)}
          ${this.#reads ? loading() : nothing}
          ${repeat(
            this.#transcript.shown,
            (one) => one.id,
            (one) => turnOf(one, this.#take),
          )}
          ${this.#waiting()}
          ${this.#troubled()}
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
            .question=${this.#lights(this.#panel)} .quote=${quoteOf(this.#panel)}
            @closed=${this.#closePanel}></pc-panel>`
          : nothing
      }
    </div>
    ${this.#card.render()}`;
  }

  #waiting(): TemplateResult | typeof nothing {
    if (this.#transcript.running && this.#transcript.shown.at(-1)?.role === "user")
      return html`<p class="thinking" role="status">Looking in the documents…</p>`;
    const isEmpty = this.#transcript.messages.length === 0 && !this.#reads && !this.fault;
    if (isEmpty && this.#hasNone)
      return html`<p class="lead opening">There is no document yet to answer from. <a href="/console/library">Add one in
        the library</a>, then ask here.</p>`;
    return isEmpty
      ? html`<p class="lead opening">Ask anything that your documents say. Each statement gets a number that leads to
          the words it came from.</p>`
      : nothing;
  }

  #troubled(): TemplateResult | typeof nothing {
    if (this.#trouble === null) return nothing;
    return html`<div class="trouble">${notice(this.#trouble.isBad ? "bad" : "plain", this.#trouble.text)}
      ${this.#unanswered ? html`<button class="button small" @click=${this.#again}>Ask again</button>` : nothing}</div>`;
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
    // Who reads the end goes along with it; who has scrolled back is left alone.
    if (this.#follows && this.#transcript.running) scrollTo(0, document.documentElement.scrollHeight);
  }

  // -- a number --------------------------------------------------------------------------------

  #behind(event: Event): Behind | null {
    const from = (event.target as Element | null)?.closest?.<HTMLElement>("button.cite");
    const message = from ? this.#transcript.of(from.dataset["message"]) : undefined;
    const cited = message?.cited.find((one) => String(one.index) === from?.dataset["index"]);
    return from && message && cited ? { from, message, cited } : null;
  }

  readonly #over = (event: PointerEvent): void => {
    const found = this.#behind(event);
    if (found && event.pointerType !== "touch") this.#card.showSoon(found);
  };

  readonly #focused = (event: FocusEvent): void => {
    const found = this.#behind(event);
    if (found?.from.matches(":focus-visible")) void this.#card.show(found);
  };

  readonly #clicked = (event: MouseEvent): void => {
    const found = this.#behind(event);
    if (!found) return;
    const touched = (event as PointerEvent).pointerType === "touch";
    // A finger cannot hover: the first tap shows the card, which has the way on.
    if (touched && !this.#card.isOf(found.from)) void this.#card.show(found);
    else this.#open(found);
  };

  readonly #key = (event: KeyboardEvent): void => {
    // A dialog that stands alone has its own way to close.
    if (event.key !== "Escape" || document.querySelector("dialog:modal")) return;
    const menu = this.querySelector<HTMLDetailsElement>("details.take[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector<HTMLElement>("summary")?.focus();
    } else if (this.#card.isOpen) this.#card.hide();
    else if (this.#panel) this.#closePanel();
  };

  readonly #elsewhere = (event: PointerEvent): void => {
    const target = event.target as Element;
    if (!target.closest(".cite-card, button.cite")) this.#card.hide();
    for (const menu of this.querySelectorAll<HTMLDetailsElement>("details.take[open]"))
      if (!menu.contains(target)) menu.open = false;
  };

  #open(found: Behind): void {
    this.#card.hide();
    this.#panel = { from: found.from, message: found.message, cited: found.cited };
    this.requestUpdate();
  }

  readonly #closePanel = (): void => {
    const open = this.#panel;
    this.#panel = null;
    this.requestUpdate();
    if (!open) return;
    const id = CSS.escape(open.message.id);
    void this.updateComplete.then(() => {
      if (this.#next) rename(this.#next);
      this.#next = "";
      const again = this.querySelector<HTMLElement>(
        `.cite[data-message="${id}"][data-index="${open.cited.index}"]`,
      );
      (open.from.isConnected ? open.from : again)?.focus();
      this.#card.hide();
    });
  };

  /** What the words that are lit are to say: the sentence that cites, else the question; none for a whole passage. */
  #lights({ message, cited }: Behind): string {
    const highlight = this.#agents?.find((one) => one.agent_id === this.#agent)?.highlight;
    return highlight === "whole_passage" ? "" : sentenceOf(message, cited) || this.#asked(message);
  }

  /** Tells what was refused at the end of the conversation, where somebody looks. */
  #complain(): void {
    if (this.fault === null) return;
    this.#trouble = { text: this.fault.message, isBad: true };
    this.#unanswered = null;
    this.fault = null;
    this.requestUpdate();
  }

  #asked(message: Message): string {
    const all = this.#transcript.messages;
    return all.slice(0, all.indexOf(message)).findLast((one) => one.role === "user")?.text ?? "";
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

  readonly #toggleTalks = (): void => {
    this.#talksOpen = !this.#talksOpen;
    this.requestUpdate();
  };

  readonly #take = async (one: Message, to: string, saves: boolean): Promise<void> => {
    const written = await this.attempt(() => exported(this.api, this.#thread, one.id, to, this.#asked(one)));
    if (written === undefined) {
      this.#complain();
      return;
    }
    if (saves) save(written, to);
    else {
      await this.attempt(() => navigator.clipboard.writeText(written));
      if (this.fault === null) this.#said = "Copied with its references.";
      this.#complain();
    }
    for (const menu of this.querySelectorAll<HTMLDetailsElement>("details.take[open]")) menu.open = false;
    this.requestUpdate();
  };
}

function quoteOf(open: Behind): string {
  return open.message.lit.get(open.cited.index)?.quote ?? "";
}

customElements.define("pc-ask", Ask);
