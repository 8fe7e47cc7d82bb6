import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../shared/api";
import { Points } from "../shared/points";
import { count, plain } from "../shared/words";
import type { Answer, Citation, CitationSupport, Claim } from "../types/answer";
import type { CheckReply, QuotesReply } from "../types/server";
import { FORMATS } from "./agent-fields";
import { notice, Screen, valueIn } from "./screen";
import { compared, kindOf, marked, quoteBadge, supportBadge, traceBadge } from "./verdicts";

interface Passage {
  key: number;
  name: string;
  content: string;
}

const AROUND = 60;
// Numbers in brackets are no wire format of ours, and what most people paste.
const BRACKETS = "brackets";
const NUMBERS = /\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]/g;

/** Checks what somebody pastes: an answer against what it was written from, or quotes against their source. */
class Check extends Screen {
  static override properties = { api: { attribute: false }, tab: { attribute: false } };
  declare api: Api;
  declare tab: string;
  #passages: Passage[] = [{ key: 0, name: "", content: "" }];
  #from: "passages" | "conversation" = "passages";
  #answer: Answer | null = null;
  #quotes: QuotesReply | null = null;
  #source = "";
  #brackets = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Check – pincite";
  }

  override render(): TemplateResult {
    return html`
      <h1>Check</h1>
      <p class="lead">Paste an answer, or quotes, from anywhere. Nothing that is sent here is kept.</p>
      <nav class="tabs" aria-label="What is checked">
        <a href="/console/check" aria-current=${this.tab === "" ? "page" : nothing}>An answer</a>
        <a href="/console/check/quotes" aria-current=${this.tab === "quotes" ? "page" : nothing}>Quotes</a>
      </nav>
      ${this.tab === "quotes" ? this.#quoteForm() : this.#answerForm()}
    `;
  }

  /** Leads to what was found, which stands below a long form. */
  async #lead(id: string): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#${id}`)?.focus();
  }

  // -- an answer -------------------------------------------------------------------------------

  #answerForm(): TemplateResult {
    return html`<form class="settings" @submit=${this.#check}>
        <div class="field">
          <label for="answer">The answer</label>
          <textarea id="answer" name="answer" rows="7" required
            placeholder="Expenses over 250 euro need approval by your line manager [1]."></textarea>
        </div>
        <div class="field">
          <label for="format">How it cites</label>
          <select id="format" name="format">
            <option value=${BRACKETS}>numbers in brackets – [1]</option>
            ${FORMATS.map((one) => html`<option value=${one.value}>${one.label}</option>`)}
          </select>
        </div>
        <fieldset>
          <legend>What it was written from</legend>
          <label class="choice"><input type="radio" name="from" value="passages" .checked=${this.#from === "passages"}
            @change=${() => this.#choose("passages")} /><span>Passages that I paste</span></label>
          <label class="choice"><input type="radio" name="from" value="conversation"
            .checked=${this.#from === "conversation"} @change=${() => this.#choose("conversation")} />
            <span>A conversation of this server</span></label>
        </fieldset>
        ${
          this.#from === "conversation"
            ? html`<div class="field"><label for="conversation">Conversation id</label>
              <input id="conversation" name="conversation" required maxlength="200" autocomplete="off" /></div>`
            : this.#passageFields()
        }
        ${this.told()}
        <div class="actions"><button class="button primary" ?disabled=${this.busy}>Check the answer</button></div>
      </form>
      <div>${this.#answer ? this.#found(this.#answer) : nothing}</div>`;
  }

  #passageFields(): TemplateResult {
    return html`<ol class="passages">
      ${this.#passages.map(
        (one, index) => html`<li class="card">
          <h2>Passage ${index + 1}</h2>
          <div class="field">
            <label for="name-${one.key}">Title, id or address</label>
            <input id="name-${one.key}" autocomplete="off" maxlength="2000" .value=${one.name}
              @input=${(event: Event) => this.#type(one, "name", event)} />
          </div>
          <div class="field">
            <label for="content-${one.key}">Its text</label>
            <textarea id="content-${one.key}" rows="4" required .value=${one.content}
              @input=${(event: Event) => this.#type(one, "content", event)}></textarea>
          </div>
          ${
            this.#passages.length > 1
              ? html`<button type="button" class="button quiet small" aria-label="Remove passage ${index + 1}"
                @click=${() => this.#remove(one)}>Remove</button>`
              : nothing
          }
        </li>`,
      )}
    </ol>
    <p><button type="button" class="button" @click=${this.#another}>Another passage</button></p>`;
  }

  #type(one: Passage, name: "name" | "content", event: Event): void {
    one[name] = (event.target as HTMLInputElement | HTMLTextAreaElement).value;
  }

  #another(): void {
    const key = Math.max(...this.#passages.map((one) => one.key)) + 1;
    this.#passages = [...this.#passages, { key, name: "", content: "" }];
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#name-${key}`)?.focus());
  }

  #remove(one: Passage): void {
    this.#passages = this.#passages.filter((each) => each !== one);
    this.requestUpdate();
  }

  #choose(from: "passages" | "conversation"): void {
    this.#from = from;
    this.requestUpdate();
  }

  async #check(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const written = valueIn(form, "answer");
    const format = valueIn(form, "format");
    const brackets = format === BRACKETS;
    const asked: Record<string, unknown> = {
      answer: brackets ? written.replace(NUMBERS, (_, numbers) => `<sup>${numbers}</sup>`) : written,
      wire_format: brackets ? "sup_numeric" : format,
    };
    if (this.#from === "conversation") asked["conversation_id"] = valueIn(form, "conversation").trim();
    else asked["passages"] = this.#passages.map(given);
    this.#answer = null;
    const reply = await this.attempt(() => this.api.post<CheckReply>("/api/check", asked));
    this.#brackets = brackets;
    if (reply) this.#answer = reply.answer as unknown as Answer;
    await this.#lead("found-title");
  }

  #found(answer: Answer): TemplateResult {
    const { citations, misses, uncited } = answer;
    return html`<section class="findings" aria-labelledby="found-title">
      <h2 id="found-title" tabindex="-1">${
        citations.length === 0 ? "No citation was found" : `${count(citations.length, "citation")} found`
      }</h2>
      <p class="answer" dir="auto">${shown(answer, (text) => this.#pasted(text))}</p>
      ${citations.length > 0 ? html`<ol class="rows">${citations.map((one, index) => this.#citation(answer, one, index))}</ol>` : nothing}
      ${misses.map((one) =>
        notice(
          "warn",
          `“${this.#pasted(one.written)}” looks like a citation and leads to nothing.${one.suggestion ? ` The nearest that there is: ${one.suggestion}.` : ""}`,
        ),
      )}
      ${
        uncited.length > 0
          ? html`<h3>${count(uncited.length, "sentence")} without a citation</h3>
            <ul class="plain-list">${uncited.map((one) => html`<li dir="auto">${this.#pasted(one.text)}</li>`)}</ul>`
          : nothing
      }
    </section>`;
  }

  /** A part of the answer with its markers as they were pasted. */
  #pasted(text: string): string {
    return this.#brackets ? text.replace(/<sup>([\d,; ]+)<\/sup>/g, "[$1]") : text;
  }

  #citation(answer: Answer, one: Citation, index: number): TemplateResult {
    const claim = answer.support?.claims.find((each) => each.citations.some((by) => by.citation === index));
    const alone = claim?.citations.find((by) => by.citation === index);
    return html`<li class="row citation" id="citation-${index}">
      <div class="row-main">
        <p class="row-title"><span class="chip ${kindOf(one.support_verdict, one.verdict)}">${one.number ?? "–"}</span>
          <bdi>${plain(one.source.title ?? one.source.source_uri ?? one.ref ?? "Without a title")}</bdi></p>
        <p class="badges">${traceBadge(one.verdict)} ${supportBadge(one.support_verdict)} ${quoteBadge(one.quote_verdict)}</p>
        ${claim && alone ? this.#against(answer, one, claim, alone) : nothing}
      </div>
    </li>`;
  }

  /** A claim against the place of the passage that the verdict rests on, with what differs marked. */
  #against(answer: Answer, one: Citation, claim: Claim, alone: CitationSupport): TemplateResult {
    const passages = answer.sources.find((source) => source.number === one.number)?.passages ?? [];
    const text = (
      passages.find((each) => each.ref === alone.passage || each.evidence_id === alone.passage) ?? passages[0]
    )?.text;
    const place = text !== undefined && alone.start !== null && alone.end !== null;
    const source = place ? new Points(text).slice(alone.start ?? 0, alone.end ?? 0) : (text ?? "");
    return html`
      ${alone.reasons.map((reason) => html`<p class="reason">${reason.message}</p>`)}
      <dl class="compared">
        <div><dt>Answer</dt><dd dir="auto">${marked(
          this.#pasted(claim.text),
          alone.reasons.map((each) => each.claim),
          "written",
        )}</dd></div>
        ${
          source
            ? html`<div><dt>Source</dt><dd dir="auto">${marked(
                source,
                alone.reasons.map((each) => each.source),
                "original",
              )}</dd></div>`
            : nothing
        }
      </dl>
      ${claim.quotations.map((quotation) => {
        const there = text !== undefined && quotation.source_start !== null && quotation.source_end !== null;
        const original = there
          ? new Points(text).slice(quotation.source_start ?? 0, quotation.source_end ?? 0)
          : "";
        return html`<p class="badges">Quotation ${quoteBadge(quotation.quote_verdict)}</p>
          ${quotation.reason ? html`<p class="reason">${quotation.reason}</p>` : nothing}
          ${original && original !== quotation.text ? compared(quotation.text, original, ["Quoted", "Source"]) : nothing}`;
      })}
    `;
  }

  // -- quotes ----------------------------------------------------------------------------------

  #quoteForm(): TemplateResult {
    return html`<form class="settings" @submit=${this.#verify}>
        <div class="field">
          <label for="source">The source</label>
          <textarea id="source" name="source" rows="8" required></textarea>
        </div>
        <div class="field">
          <label for="quotes">Quotes</label>
          <textarea id="quotes" name="quotes" rows="4" required aria-describedby="quotes-help"></textarea>
          <p class="help" id="quotes-help">One a line, without quotation marks.</p>
        </div>
        ${this.told()}
        <div class="actions"><button class="button primary" ?disabled=${this.busy}>Verify the quotes</button></div>
      </form>
      <div>${this.#quotes ? this.#verified(this.#quotes) : nothing}</div>`;
  }

  async #verify(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const quotes = valueIn(form, "quotes")
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean)
      .map((quote) => ({ quote, source: "source" }));
    this.#quotes = null;
    this.#source = valueIn(form, "source");
    const reply = await this.attempt(() =>
      this.api.post<QuotesReply>("/api/verify-quotes", {
        quotes,
        sources: { source: this.#source },
      }),
    );
    if (reply) this.#quotes = reply;
    await this.#lead("verified-title");
  }

  #verified(found: QuotesReply): TemplateResult {
    return html`<section class="findings" aria-labelledby="verified-title">
      <h2 id="verified-title" tabindex="-1">${count(found.quotes.length, "quote")} checked</h2>
      <ol class="rows">
        ${found.quotes.map(
          (one) => html`<li class="row"><div class="row-main">
            <p class="badges">${quoteBadge(one.verdict)}</p>
            ${one.reason ? html`<p class="reason">${one.reason}</p>` : nothing}
            ${
              one.found === null
                ? html`<p class="quoted" dir="auto">${one.quote}</p>`
                : compared(
                    one.quote,
                    one.found,
                    ["Quoted", "Source"],
                    around(this.#source, one.start, one.end),
                  )
            }
          </div></li>`,
        )}
      </ol>
    </section>`;
  }
}

/** What stands in a source in front of a place and behind it, in code points. */
function around(source: string, start: number | null, end: number | null): [string, string] {
  if (start === null || end === null) return ["", ""];
  const text = new Points(source.normalize("NFC").replace(/\r\n?/g, "\n"));
  // Where it does not reach an end of the source it ends with a word.
  const isSpace = (at: number): boolean => /\s/.test(text.slice(at, at + 1));
  let from = Math.max(0, start - AROUND);
  let to = Math.min(text.length, end + AROUND);
  if (from > 0) while (from < start && !isSpace(from)) from++;
  if (to < text.length) while (to > end && !isSpace(to)) to--;
  return [
    (from > 0 ? "…" : "") + text.slice(from, start),
    text.slice(end, to) + (to < text.length ? "…" : ""),
  ];
}

/** A pasted passage, as the server takes it. */
function given(one: Passage, index: number): Record<string, string> {
  const name = one.name.trim();
  const passage: Record<string, string> = { content: one.content };
  if (/^https?:\/\//i.test(name)) passage["source_url"] = name;
  else passage["id"] = name || `passage-${index + 1}`;
  passage["title"] = name || `Passage ${index + 1}`;
  return passage;
}

/** The answer with a number in place of each marker, coloured by its verdict; what leads nowhere is marked. */
function shown(answer: Answer, pasted: (text: string) => string): TemplateResult[] {
  const text = new Points(answer.text);
  const pieces = [
    ...answer.citations
      .map((one, index) => ({ one, index }))
      .filter(({ one }) => one.anchor === "marker" && one.start !== null && one.end !== null)
      .map(({ one, index }) => ({
        start: one.start ?? 0,
        end: one.end ?? 0,
        shown: html`<a class="chip ${kindOf(one.support_verdict, one.verdict)}" href="#citation-${index}"
          aria-label="Citation ${one.number ?? ""}">${one.number ?? "–"}</a>`,
      })),
    ...answer.misses.map((one) => ({
      start: one.start,
      end: one.end,
      shown: html`<mark class="written">${pasted(one.written)}</mark>`,
    })),
  ].sort((a, b) => a.start - b.start);
  const parts: TemplateResult[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (piece.start > at) parts.push(html`${text.slice(at, piece.start)}`);
    parts.push(piece.shown);
    at = Math.max(at, piece.end);
  }
  parts.push(html`${text.slice(at, text.length)}`);
  return parts;
}

customElements.define("pc-check", Check);
