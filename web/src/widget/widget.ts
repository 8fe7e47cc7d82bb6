/** The widget: a bubble, a panel to ask in, and what happens to a number that is pressed. */
import { Drawing, type Placed } from "../cited/markdown";
import { GONE, Previews } from "../cited/preview";
import type { Cited, Json } from "../cited/shapes";
import { run } from "../cited/stream";
import { type Message, Transcript } from "../cited/transcript";
import { Page, rangeOf, textNodes } from "./anchor";
import { Light } from "./light";
import { el, icon } from "./parts";
import { drawSource, pageHere, wanted } from "./source";
import { STYLES } from "./styles";
import { type Config, type Kept, type Pending, type Trouble, Visit } from "./visit";

const CHAT = "M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6A8.4 8.4 0 1 1 21 11.5Z";
const CLOSE = "M6 6l12 12M18 6L6 18";
const BACK = "M15 5l-7 7 7 7";
// How long words are waited for on a page that is still being drawn.
const LATE_MS = 4_000;
const EXPIRED = "Your visit has expired, and a new one could not be begun. Reload the page to go on.";

export class Widget extends HTMLElement {
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #frame = el("div", { class: "root" });
  readonly #log = el("div", {
    class: "log",
    role: "log",
    "aria-live": "polite",
    "aria-relevant": "additions",
  });
  readonly #said = el("div", { class: "said", role: "status" });
  readonly #name = el("h2", { id: "name" }, "Assistant");
  readonly #field = el("textarea", {
    rows: "1",
    placeholder: "Ask a question",
    "aria-label": "Your question",
    maxlength: "4000",
    enterkeyhint: "send",
  });
  readonly #send = el("button", { class: "send", type: "submit" }, "Ask");
  readonly #body = el("div", { class: "body" });
  readonly #transcript = new Transcript();
  readonly #drawn = new Map<string, { element: HTMLElement; drawing: Drawing }>();
  readonly #light: Light;
  #panel!: HTMLElement;
  #source!: HTMLElement;
  #bubble!: HTMLButtonElement;
  #bar!: HTMLElement;
  #visit!: Visit;
  #previews!: Previews;
  #kept!: Kept;
  #config: Config | null = null;
  #ready: Promise<void> | null = null;
  #stop: AbortController | null = null;
  #back: HTMLElement | null = null;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.append(this.#frame);
    this.#light = new Light(this.#root);
  }

  /** Begins; `base` is where the server is, `key` the publishable key of the embed. */
  begin(base: string, key: string): void {
    this.#visit = new Visit(base, key);
    this.#previews = new Previews(base, () => this.#visit.token());
    this.#kept = this.#visit.kept();
    this.#build();
    if (this.#kept.open) void this.#open(false);
    if (this.#kept.pending) void this.#arrive(this.#kept.pending);
  }

  #build(): void {
    const form = el(
      "form",
      { class: "ask", onsubmit: (event) => this.#submit(event) },
      this.#field,
      this.#send,
    );
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
    });
    const shut = (label: string, what: string, then: () => void): HTMLButtonElement =>
      el("button", { class: "icon", type: "button", "aria-label": label, onclick: then }, icon(what));
    this.#source = el(
      "section",
      { class: "source", hidden: true, "aria-label": "Source" },
      el(
        "div",
        { class: "head" },
        shut("Back to the answer", BACK, () => this.#leaveSource()),
        el("h2", {}, "Source"),
      ),
      this.#body,
    );
    this.#panel = el(
      "section",
      { class: "panel", role: "dialog", "aria-labelledby": "name", hidden: true },
      el(
        "div",
        { class: "head" },
        this.#name,
        shut("Close", CLOSE, () => this.#close()),
      ),
      this.#log,
      form,
      this.#source,
      this.#said,
    );
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      if (this.#source.hidden) this.#close();
      else this.#leaveSource();
    });
    this.#bubble = el(
      "button",
      { class: "bubble", type: "button", "aria-label": "Ask a question", "aria-expanded": "false" },
      icon(CHAT),
    );
    this.#bubble.addEventListener("click", () =>
      this.#panel.hidden ? void this.#open(true) : this.#close(),
    );
    this.#bar = el(
      "div",
      { class: "lit", hidden: true },
      "The cited words are marked.",
      el("button", { type: "button", onclick: () => this.#unlight() }, "Clear"),
    );
    this.#frame.append(this.#panel, this.#bubble, this.#bar);
  }

  // -- opening and closing -----------------------------------------------------------------------

  async #open(focus: boolean): Promise<void> {
    this.#panel.hidden = false;
    this.#bubble.setAttribute("aria-expanded", "true");
    this.#keep({ open: true });
    if (focus) this.#field.focus();
    await this.#begun();
  }

  #close(): void {
    this.#leaveSource();
    this.#panel.hidden = true;
    this.#bubble.setAttribute("aria-expanded", "false");
    this.#keep({ open: false });
    this.#bubble.focus();
  }

  /** Asks how the widget looks, and what the conversation held, once. */
  #begun(): Promise<void> {
    this.#ready ??= this.#start().catch((trouble: Trouble) => {
      this.#ready = null;
      this.#complain(trouble.message ?? "The assistant is not available.", () => void this.#begun());
    });
    return this.#ready;
  }

  async #start(): Promise<void> {
    const config = await this.#visit.config();
    this.#config = config;
    this.#log.replaceChildren();
    this.#name.textContent = config.name;
    const look = config.theme["mode"] ?? config.theme["look"];
    if (look === "light" || look === "dark") this.dataset["look"] = look;
    const accent = config.theme["accent"];
    if (typeof accent === "string" && /^#[0-9a-f]{6}$/i.test(accent)) {
      this.#frame.style.setProperty("--accent", accent);
      this.#frame.style.setProperty("--accent-ink", bright(accent) ? "#111" : "#fff");
    }
    if (config.greeting) this.#log.append(el("p", { class: "greeting", dir: "auto" }, config.greeting));
    if (this.#kept.questions.length > 0) await this.#restore();
  }

  /** Shows what this tab asked before, with its citations. */
  async #restore(): Promise<void> {
    const answers = await this.#visit.answers(this.#kept.thread).catch(() => [] as Json[]);
    const told = new Map(answers.map((one) => [one["message_id"], one]));
    for (const question of this.#kept.questions) {
      this.#transcript.say(question.id, question.text);
      const one = told.get(question.answer);
      if (one && typeof one["text"] === "string" && question.answer)
        this.#transcript.kept(question.answer, one["text"], one["citations"], one["highlight"]);
    }
    this.#draw();
  }

  #keep(change: Partial<Kept>): void {
    Object.assign(this.#kept, change);
    this.#visit.keep(this.#kept);
  }

  // -- asking ------------------------------------------------------------------------------------

  #submit(event: Event): void {
    event.preventDefault();
    const question = this.#field.value.trim();
    if (!question || this.#stop) return;
    this.#field.value = "";
    void this.#ask(question);
  }

  async #ask(question: string): Promise<void> {
    await this.#begun();
    if (!this.#config) {
      this.#field.value = question;
      return;
    }
    const id = `q-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    const asked = { id, text: question, answer: null as string | null };
    this.#kept.questions = [...this.#kept.questions.slice(-49), asked];
    this.#keep({});
    this.#transcript.say(id, question);
    this.#draw();
    this.#stop = new AbortController();
    this.#send.disabled = true;
    const outcome = await this.#run(id, question, this.#stop.signal);
    this.#stop = null;
    this.#send.disabled = false;
    asked.answer =
      this.#transcript.messages.filter((one) => one.role === "assistant" && one.text).at(-1)?.id ?? null;
    this.#keep({});
    this.#draw();
    if (outcome !== null) this.#complain(outcome, () => void this.#ask(question));
    else this.#tell();
  }

  /** Streams an answer; returns what to say where there is none. An expired visit is renewed once. */
  async #run(id: string, question: string, signal: AbortSignal): Promise<string | null> {
    for (let turn = 0; ; turn++) {
      let token: string;
      try {
        token = await this.#visit.token();
      } catch (trouble) {
        return (trouble as Trouble).message;
      }
      const url = `${this.#visit.base}/embed/v1/ag-ui`;
      const thread = this.#kept.thread;
      const outcome = await run(
        { url, token, threadId: thread, question, messageId: id, signal },
        (event) => {
          if (this.#transcript.take(event)) this.#draw();
        },
      );
      if (outcome.kind === "done" || outcome.kind === "stopped") return null;
      if (outcome.kind !== "signed-out") return outcome.message;
      if (turn > 0) return EXPIRED;
      this.#visit.forget();
    }
  }

  #complain(message: string, again: () => void): void {
    const box = el("div", { role: "alert" }, el("p", { class: "fault" }, message));
    const button = el("button", { class: "again", type: "button" }, "Try again");
    button.addEventListener("click", () => {
      box.remove();
      again();
    });
    box.append(button);
    this.#log.append(box);
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #tell(): void {
    const last = this.#transcript.messages.at(-1);
    const count = new Set(last?.cited.flatMap((one) => one.numbers)).size;
    if (last?.role === "assistant")
      this.#said.textContent = count === 1 ? "The answer has 1 source." : `The answer has ${count} sources.`;
  }

  // -- drawing -----------------------------------------------------------------------------------

  #draw(): void {
    const atEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 80;
    const shown = this.#transcript.shown;
    const ids = new Set(shown.map((one) => one.id));
    for (const [id, one] of this.#drawn) {
      if (ids.has(id)) continue;
      one.element.remove();
      this.#drawn.delete(id);
    }
    for (const one of shown) {
      let drawn = this.#drawn.get(one.id);
      if (!drawn) {
        const mine = one.role === "user";
        const element = mine
          ? el("p", { class: "mine", dir: "auto" }, one.text)
          : el("div", { class: "theirs", dir: "auto" });
        this.#log.append(element);
        drawn = { element, drawing: new Drawing(element) };
        this.#drawn.set(one.id, drawn);
      }
      if (one.role === "assistant")
        drawn.drawing.draw(one.text, this.#places(one), [], one.state === "writing");
    }
    if (atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #places(message: Message): Placed[] {
    const seen = new Set<string>();
    return message.cited.flatMap((cited) => {
      const place = `${cited.start}-${cited.end}`;
      if (cited.numbers.length === 0 || seen.has(place)) return [];
      seen.add(place);
      const label = cited.numbers.join(", ");
      return {
        start: cited.start,
        end: cited.end,
        key: `${label}:${cited.final}`,
        make: () =>
          el(
            "button",
            {
              class: "number",
              type: "button",
              "aria-label": `Source ${label}: ${cited.title || "open"}`,
              title: cited.title || "Source",
              onclick: (event) => void this.#show(message, cited, event.currentTarget as HTMLElement),
            },
            label,
          ),
      };
    });
  }

  // -- sources -----------------------------------------------------------------------------------

  #question(message: Message): string {
    const all = this.#transcript.messages;
    return all.slice(0, all.indexOf(message)).findLast((one) => one.role === "user")?.text ?? "";
  }

  /** Leads to the words on this site, where the source is a page of it; else shows the source. */
  async #show(message: Message, cited: Cited, from: HTMLElement): Promise<void> {
    this.#back = from;
    const question = this.#question(message);
    const quote = message.lit.get(cited.index)?.quote ?? "";
    const shown = await this.#previews.preview(cited, question, quote);
    if (shown.kind === "signed-out") this.#visit.forget();
    const url = shown.kind === "shown" ? pageHere(shown.preview.source_uri) : null;
    if (shown.kind !== "shown" || url === null || !this.#config) {
      await this.#enterSource(message, cited);
      return;
    }
    const to = wanted(shown.preview, this.#config.highlight, quote);
    const pending = { url, ...to, message: message.id, index: cited.index };
    if (url === here()) {
      await this.#arrive(pending);
      return;
    }
    this.#keep({ pending });
    location.assign(url);
  }

  /** Lights the words on the page that is open; where they are not on it, shows the passage. */
  async #arrive(pending: Pending): Promise<void> {
    this.#keep({ pending: null });
    if (pending.url !== here()) return;
    const ranges = await this.#wait(pending);
    if (ranges.length > 0) {
      this.#light.show(ranges);
      this.#bar.hidden = false;
      this.#said.textContent = "The cited words are marked on the page.";
      if (matchMedia("(max-width: 480px)").matches && !this.#panel.hidden) this.#close();
      return;
    }
    await this.#begun();
    const message = this.#transcript.of(pending.message);
    const cited = message?.cited[pending.index];
    if (!message || !cited) return;
    if (this.#config?.previews) await this.#enterSource(message, cited);
    else this.#said.textContent = "The cited words were not found on this page.";
  }

  /** Looks for the words until they are there, or the page has had its time. */
  async #wait(pending: Pending): Promise<Range[]> {
    const until = Date.now() + LATE_MS;
    for (;;) {
      const found = this.#look(pending);
      if (found.length > 0) return found;
      if (!(await nextChange(document.body, until))) return [];
    }
  }

  #look(pending: Pending): Range[] {
    const page = new Page(textNodes(document.body, this));
    for (const words of pending.words) {
      const found = page.find(words);
      if (found) return [rangeOf(found)];
    }
    return page.findParts(pending.passage).map(rangeOf);
  }

  #unlight(): void {
    this.#light.clear();
    this.#bar.hidden = true;
    this.#said.textContent = "";
    this.#bubble.focus();
  }

  async #enterSource(message: Message, cited: Cited): Promise<void> {
    if (!this.#config) return;
    if (this.#panel.hidden) await this.#open(false);
    this.#source.hidden = false;
    this.#source.querySelector("button")?.focus();
    const shown = await drawSource(
      this.#body,
      cited,
      message,
      this.#question(message),
      this.#previews,
      this.#config,
    );
    this.#said.textContent = shown.kind === "shown" ? "The source is shown." : shown.message || GONE;
  }

  #leaveSource(): void {
    if (this.#source.hidden) return;
    this.#source.hidden = true;
    this.#body.replaceChildren();
    if (this.#back?.isConnected) this.#back.focus();
    else this.#field.focus();
  }
}

function here(): string {
  const url = new URL(location.href);
  url.hash = "";
  return url.href;
}

/** Waits for the next change of the page; false when the time is over. Changes close together are one. */
function nextChange(root: Node, until: number): Promise<boolean> {
  return new Promise((resolve) => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const watch = new MutationObserver(() => {
      soon ??= setTimeout(() => end(true), 120);
    });
    const late = setTimeout(() => end(false), Math.max(0, until - Date.now()));
    function end(changed: boolean): void {
      watch.disconnect();
      clearTimeout(late);
      clearTimeout(soon);
      resolve(changed);
    }
    watch.observe(root, { childList: true, subtree: true, characterData: true });
  });
}

function bright(color: string): boolean {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return part(1) * 0.299 + part(3) * 0.587 + part(5) * 0.114 > 150;
}
