/** The widget: a bubble, a panel to ask in, and what happens to a number that is pressed. */
import { Drawing, type Placed } from "../cited/markdown";
import { recordsAt } from "../cited/moca";
import { GONE, Previews, type Shown } from "../cited/preview";
import { sentenceOf } from "../cited/sentence";
import type { Cited, Json } from "../cited/shapes";
import { run } from "../cited/stream";
import { type Message, Transcript } from "../cited/transcript";
import { freshId } from "../shared/ids";
import { Page } from "./anchor";
import { Light } from "./light";
import { hasPlace, nextChange, rangeOf, textNodes } from "./nodes";
import { el, icon } from "./parts";
import { bringIntoView } from "./scroll";
import { drawRecords, drawSource, pageHere, wanted } from "./source";
import { bright, NARROW, STYLES } from "./styles";
import { type Config, type Kept, type Pending, sentence, type Trouble, Visit } from "./visit";

const CHAT = "M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6A8.4 8.4 0 1 1 21 11.5Z";
const CLOSE = "M6 6l12 12M18 6L6 18";
const BACK = "M15 5l-7 7 7 7";
// How long words are waited for on a page that is still being drawn.
const LATE_MS = 4_000;
// Pixels at the lower edge of the page that the bar takes.
const BAR = 84;
const MARKED = "The cited words are marked.";
const NOT_HERE = "The cited words are not on this page any more.";

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
  readonly #lit = el("span", { class: "what" });
  readonly #narrow = matchMedia(NARROW);
  readonly #transcript = new Transcript();
  readonly #drawn = new Map<string, { element: HTMLElement; drawing: Drawing }>();
  readonly #light: Light;
  #panel!: HTMLElement;
  #source!: HTMLElement;
  #bubble!: HTMLButtonElement;
  #bar!: HTMLElement;
  #answer!: HTMLButtonElement;
  #complaint: HTMLElement | null = null;
  #visit!: Visit;
  #previews!: Previews;
  #kept!: Kept;
  #config: Config | null = null;
  #ready: Promise<void> | null = null;
  #stop: AbortController | null = null;
  #back: HTMLElement | null = null;
  #turn = 0;
  #warned = false;

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
    const { open, pending } = this.#kept;
    // A panel that fills the screen would lie over the words that the visitor came for.
    if (open && !(pending && this.#narrow.matches)) void this.#open(false);
    if (pending) void this.#arrive(pending);
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
    );
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.#cycle(event);
      if (event.key !== "Escape") return;
      event.stopPropagation();
      if (this.#source.hidden) this.#close();
      else this.#leaveSource();
    });
    const shape = (): void => {
      if (this.#narrow.matches) this.#panel.setAttribute("aria-modal", "true");
      else this.#panel.removeAttribute("aria-modal");
    };
    shape();
    this.#narrow.addEventListener("change", shape);
    // What a panel that fills the screen lies over cannot be reached, wherever the focus comes from.
    document.addEventListener("focusin", (event) => {
      if (event.target !== this && this.#narrow.matches && !this.#panel.hidden) this.#stops()[0]?.focus();
    });
    this.#bubble = el(
      "button",
      { class: "bubble", type: "button", "aria-label": "Ask a question", "aria-expanded": "false" },
      icon(CHAT),
    );
    this.#bubble.addEventListener("click", () =>
      this.#panel.hidden ? void this.#open(true) : this.#close(),
    );
    this.#answer = el("button", { type: "button", onclick: () => void this.#open(true) }, "Answer");
    this.#bar = el(
      "div",
      { class: "lit", hidden: true },
      this.#lit,
      this.#answer,
      el("button", { type: "button", onclick: () => this.#unlight() }, "Clear"),
    );
    this.#frame.append(this.#panel, this.#bubble, this.#bar, this.#said);
  }

  /** The controls of what lies on top, in their order. */
  #stops(): HTMLElement[] {
    const top = this.#source.hidden ? this.#panel : this.#source;
    return [...top.querySelectorAll<HTMLElement>("button, a[href], textarea")].filter(
      (one) => !(one as HTMLButtonElement).disabled && one.checkVisibility(),
    );
  }

  /** Keeps the focus in a panel that fills the screen. */
  #cycle(event: KeyboardEvent): void {
    if (!this.#narrow.matches) return;
    const stops = this.#stops();
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (this.#root.activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  }

  // -- opening and closing -----------------------------------------------------------------------

  async #open(focus: boolean): Promise<void> {
    this.#panel.hidden = false;
    this.#answer.hidden = true;
    this.#bubble.setAttribute("aria-expanded", "true");
    this.#keep({ open: true });
    if (focus) this.#field.focus();
    await this.#begun();
  }

  #close(): void {
    this.#aside();
    this.#bubble.focus();
  }

  #aside(): void {
    this.#leaveSource();
    this.#panel.hidden = true;
    this.#answer.hidden = false;
    this.#bubble.setAttribute("aria-expanded", "false");
    this.#keep({ open: false });
  }

  /** Asks how the widget looks, and what the conversation held, once. */
  #begun(): Promise<void> {
    this.#ready ??= this.#start().catch((trouble: Trouble) => {
      this.#ready = null;
      const refused = trouble.kind === "refused";
      // What the owner of the site has to mend, no visitor can try again.
      if (refused && !this.#warned) console.warn(unnamed(location.origin));
      this.#warned ||= refused;
      this.#complain(trouble.message ?? sentence("refused", ""), refused ? null : () => void this.#begun());
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
        this.#transcript.kept(question.answer, one["text"], one["citations"], one["highlight"], one["moca"]);
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
    const asked = { id: freshId(), text: question, answer: null as string | null };
    this.#kept.questions = [...this.#kept.questions.slice(-49), asked];
    await this.#attempt(asked);
  }

  /** Asks a question, or asks it once more: what came of it before is taken back. */
  async #attempt(asked: Kept["questions"][number]): Promise<void> {
    if (this.#stop) return;
    this.#complaint?.remove();
    this.#keep({});
    this.#transcript.withdraw(asked.id);
    this.#transcript.say(asked.id, asked.text);
    this.#draw();
    this.#stop = new AbortController();
    this.#send.disabled = true;
    const outcome = await this.#run(asked.id, asked.text, this.#stop.signal);
    this.#stop = null;
    this.#send.disabled = false;
    const all = this.#transcript.messages;
    const behind = all.slice(all.findIndex((one) => one.id === asked.id) + 1);
    asked.answer = behind.findLast((one) => one.role === "assistant" && one.text)?.id ?? null;
    this.#keep({});
    this.#draw();
    if (outcome !== null) this.#complain(outcome, () => void this.#attempt(asked));
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
      if (outcome.kind !== "signed-out" || turn > 0)
        return sentence(outcome.kind, outcome.message, outcome.after);
      this.#visit.forget();
    }
  }

  #complain(message: string, again: (() => void) | null): void {
    this.#complaint?.remove();
    const box = el("div", { role: "alert" }, el("p", { class: "fault" }, message));
    if (again !== null) {
      const button = el("button", { class: "again", type: "button" }, "Try again");
      button.addEventListener("click", () => {
        box.remove();
        this.#field.focus();
        again();
      });
      box.append(button);
    }
    this.#complaint = box;
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

  /** What the words that are lit are to say: the sentence that cites, else the question. */
  #lights(message: Message, cited: Cited): string {
    const sentence = sentenceOf(message, cited);
    if (sentence) return sentence;
    const all = this.#transcript.messages;
    return all.slice(0, all.indexOf(message)).findLast((one) => one.role === "user")?.text ?? "";
  }

  /** Returns the passage of a citation. An expired visit is renewed once, so that what was asked for goes on. */
  async #preview(cited: Cited, question: string, quote: string, anew = false): Promise<Shown> {
    const shown = await this.#previews.preview(cited, question, quote, anew);
    if (shown.kind !== "signed-out") return shown;
    this.#visit.forget();
    const again = await this.#previews.preview(cited, question, quote);
    return again.kind === "signed-out" ? { ...again, message: sentence("signed-out", "") } : again;
  }

  /** Leads to the words on this site, where the source is a page of it; else shows the source. */
  async #show(message: Message, cited: Cited, from: HTMLElement): Promise<void> {
    this.#back = from;
    const question = this.#lights(message, cited);
    const quote = message.lit.get(cited.index)?.quote ?? "";
    // It may have been changed or deleted since it was opened last.
    const shown = await this.#preview(cited, question, quote, true);
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
      this.#tellBar(MARKED);
      if (this.#narrow.matches) this.#giveWay();
      this.#bring(ranges);
      return;
    }
    await this.#begun();
    const message = this.#transcript.of(pending.message);
    const cited = message?.cited[pending.index];
    if (message && cited && this.#config?.previews) await this.#enterSource(message, cited);
    else this.#tellBar(NOT_HERE);
  }

  #tellBar(what: string): void {
    this.#lit.textContent = what;
    this.#bar.hidden = false;
    this.#answer.hidden = !this.#panel.hidden;
    this.#said.textContent = what;
  }

  /** Scrolls to the words; what is still loading moves them, so it scrolls again, unless the reader went on. */
  #bring(ranges: Range[]): void {
    const bring = (): void => {
      const first = ranges[0];
      if (!first || this.#bar.hidden) return;
      bringIntoView(first, this, BAR);
      const panel = this.#panel.getBoundingClientRect();
      const covered = [...first.getClientRects()].some(
        (one) =>
          one.right > panel.left &&
          one.left < panel.right &&
          one.bottom > panel.top &&
          one.top < panel.bottom,
      );
      if (!this.#panel.hidden && covered) this.#giveWay();
    };
    bring();
    if (document.readyState === "complete") return;
    const gone = new AbortController();
    for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"])
      addEventListener(kind, () => gone.abort(), { signal: gone.signal, passive: true });
    addEventListener("load", () => bring(), { once: true, signal: gone.signal });
  }

  /** Closes the panel in favour of the words; the bar leads back to the answer. */
  #giveWay(): void {
    if (this.#panel.hidden) return;
    const held = this.#root.activeElement !== null;
    this.#aside();
    if (held) this.#answer.focus();
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
    // First what everybody sees, with the edges of blocks as they are drawn; then as they are written; then copies too.
    const made: (() => Page<Text>)[] = [
      () => new Page(textNodes(document.body, this, false)),
      () => new Page(textNodes(document.body, this, false), false),
      () => new Page(textNodes(document.body, this, true)),
      () => new Page(textNodes(document.body, this, true), false),
    ];
    const pages: Page<Text>[] = [];
    const page = (number: number): Page<Text> => {
      pages[number] ??= (made[number] as () => Page<Text>)();
      return pages[number];
    };
    for (const words of pending.words) {
      for (const number of made.keys()) {
        const found = page(number).find(words).map(rangeOf).find(hasPlace);
        if (found) return [found];
      }
    }
    for (const number of made.keys()) {
      const found = page(number).findParts(pending.passage).map(rangeOf);
      if (found.length > 0 && found.every(hasPlace)) return found;
    }
    return [];
  }

  #unlight(): void {
    this.#light.clear();
    this.#bar.hidden = true;
    this.#said.textContent = "";
    if (this.#panel.hidden) this.#bubble.focus();
    else this.#field.focus();
  }

  async #enterSource(message: Message, cited: Cited): Promise<void> {
    if (!this.#config) return;
    if (this.#panel.hidden) await this.#open(false);
    this.#source.hidden = false;
    for (const one of this.#covered()) one.inert = true;
    this.#source.querySelector("button")?.focus();
    this.#body.replaceChildren(el("p", { class: "wait" }, "Loading the source…"));
    const turn = ++this.#turn;
    const question = this.#lights(message, cited);
    const quote = message.lit.get(cited.index)?.quote ?? "";
    const shown = await this.#preview(cited, question, quote);
    // Another one may have been opened since.
    if (turn !== this.#turn) return;
    const records = shown.kind === "shown" ? [] : recordsAt(message, cited);
    if (records.length > 0) {
      // There is no preview of a record of a package: it has its words and what is known of it.
      this.#said.textContent = "The source is shown.";
      drawRecords(this.#body, records, cited, message.computedAt, this.#config);
      return;
    }
    this.#said.textContent = shown.kind === "shown" ? "The source is shown." : shown.message || GONE;
    const picture = (): Promise<ImageBitmap | null> =>
      this.#previews.drawn(cited, { mode: "page", width: 800 }, question, quote);
    await drawSource(this.#body, shown, cited, quote, picture, this.#config);
  }

  /** What the source lies over. */
  #covered(): HTMLElement[] {
    return [...this.#panel.children].filter((one): one is HTMLElement => one !== this.#source);
  }

  #leaveSource(): void {
    if (this.#source.hidden) return;
    this.#source.hidden = true;
    this.#turn += 1;
    for (const one of this.#covered()) one.inert = false;
    this.#body.replaceChildren();
    if (this.#back?.isConnected) this.#back.focus();
    else this.#field.focus();
  }
}

/** What the owner of a site reads in the browser's console where its page is refused. */
function unnamed(origin: string): string {
  return `pincite: the assistant is not available on this page. Name ${origin} under "Allowed origins" of its embed, and check the key of the script tag.`;
}

function here(): string {
  const url = new URL(location.href);
  url.hash = "";
  return url.href;
}
