import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { plain, when } from "../shared/words";
import type { AgentBody, EmbedBody, EmbedList, HighlightPrecision, NewEmbedBody } from "../types/server";
import { HIGHLIGHTS } from "./agent-fields";
import { ask } from "./dialog";
import "./embed-preview";
import { isPreview, type Look } from "./embed-preview";
import { facts, loading, Screen } from "./screen";

/** Where visitors ask an agent: keys that may stand in the source of a page, and what they may do. */
class Embeds extends Screen {
  static override properties = { api: { attribute: false }, agent: { attribute: false } };
  declare api: Api;
  declare agent: AgentBody;
  #embeds: EmbedBody[] | null = null;
  #made: NewEmbedBody | null = null;
  #said = "";
  /** The embed that the preview shows; null is the one that is being filled in. */
  #tried: EmbedBody | null = null;
  #draft: Look | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("agent")) return;
    const before = changed.get("agent") as AgentBody | undefined;
    if (before?.agent_id !== this.agent.agent_id) void this.#load();
  }

  async #load(): Promise<void> {
    const found = await this.attempt(() =>
      this.api.get<EmbedList>(at`/api/manage/agents/${this.agent.agent_id}/embeds`),
    );
    if (found) {
      this.#embeds = found.embeds.filter((one) => one.revoked_at === null && !isPreview(one));
      const tried = this.#tried?.embed_id;
      this.#tried = this.#embeds.find((one) => one.embed_id === tried) ?? null;
    }
    this.requestUpdate();
  }

  /** What the preview shows: an embed that was chosen, else what stands in the form. */
  get #look(): Look {
    const one = this.#tried ?? this.#draft;
    return {
      name: one?.name.trim() || this.agent.name,
      greeting: one?.greeting ?? "",
      highlight: one?.highlight ?? null,
      previews: one?.previews ?? true,
    };
  }

  override render(): TemplateResult {
    const embeds = this.#embeds;
    return html`<div class="embedding"><div class="embeds">
      ${this.#made ? this.#shown(this.#made) : nothing}
      <p class="said" role="status">${this.#said}</p>
      ${this.told(embeds === null ? () => void this.#load() : undefined)}
      ${embeds === null ? (this.fault ? nothing : loading()) : nothing}
      ${
        embeds && embeds.length > 0
          ? html`<section aria-labelledby="embeds-title"><h2 id="embeds-title">Embeds</h2>
            <ul class="rows">${embeds.map((one) => this.#row(one))}</ul></section>`
          : nothing
      }
      ${
        embeds
          ? html`<form class="settings" @submit=${this.#create} @input=${this.#written}>
            <section aria-labelledby="new-title">
              <h2 id="new-title">${embeds.length === 0 ? "Put it on a page" : "Another embed"}</h2>
              ${this.#fields(null)}
            </section>
            ${this.#onThePage(null)}
            <div class="actions"><button class="button primary" ?disabled=${this.busy}>Make the embed</button></div>
          </form>`
          : nothing
      }
      </div>
      ${
        embeds
          ? html`<pc-embed-preview .api=${this.api} .agentId=${this.agent.agent_id} .look=${this.#look}></pc-embed-preview>`
          : nothing
      }
    </div>`;
  }

  readonly #written = (event: Event): void => {
    this.#draft = embedOf(event.currentTarget as HTMLFormElement);
    this.#tried = null;
    this.requestUpdate();
  };

  async #try(one: EmbedBody): Promise<void> {
    this.#tried = one;
    this.requestUpdate();
    await this.updateComplete;
    const preview = this.querySelector("pc-embed-preview");
    preview?.scrollIntoView({ block: "nearest" });
    await preview?.start();
  }

  #shown(made: NewEmbedBody): TemplateResult {
    const snippet = snippetOf(made.key);
    return html`<section class="card key" aria-labelledby="key-title">
      <h2 id="key-title">The key of <bdi>${plain(made.name)}</bdi></h2>
      <p>It is shown this once. It may stand in the source of your page: it opens nothing but a visitor’s session, and only
        on the sites that you allow.</p>
      <div class="copy"><code>${made.key}</code>
        <button class="button small" @click=${() => this.#copy(made.key, "The key")}>Copy key</button></div>
      <h3>The snippet</h3>
      <p class="help">Paste it before the end of the page’s body.</p>
      <div class="copy"><pre tabindex="0" aria-label="Snippet"><code>${snippet}</code></pre>
        <button class="button small" @click=${() => this.#copy(snippet, "The snippet")}>Copy snippet</button></div>
      <p class="end"><button class="button quiet small" @click=${() => this.#put()}>I have it</button></p>
    </section>`;
  }

  #row(one: EmbedBody): TemplateResult {
    const name = plain(one.name);
    const light = HIGHLIGHTS.find((each) => each.value === one.highlight)?.label ?? this.#same;
    return html`<li class="row">
      <div class="row-main">
        <p class="row-title"><bdi>${name}</bdi> <code class="hint">kve_…${one.hint}</code></p>
        ${facts(
          one.allowed_origins.length > 0 ? one.allowed_origins.map(plain).join(", ") : "no site yet",
          `highlight: ${light.toLowerCase()}`,
          `previews ${one.previews ? "on" : "off"}`,
          `made ${when(one.created_at)}`,
        )}
      </div>
      <div class="row-actions">
        <button class="button quiet small" aria-label="Preview ${name}" @click=${() => this.#try(one)}>Preview</button>
        <button class="button quiet small" aria-label="Change ${name}" @click=${() => this.#change(one)}>Change</button>
        <button class="button quiet small" aria-label="New key for ${name}" @click=${() => this.#renew(one)}>New key</button>
        <button class="button quiet small danger" aria-label="End ${name}" @click=${() => this.#end(one)}>End</button>
      </div>
    </li>`;
  }

  get #same(): string {
    return `Same as the ${this.agent.kind}`;
  }

  #fields(one: EmbedBody | null): TemplateResult {
    const id = one ? "change-" : "new-";
    return html`
      <div class="field">
        <label for="${id}name">Name</label>
        <input id="${id}name" name="name" required maxlength="200" autocomplete="off" .value=${one?.name ?? ""} />
      </div>
      <div class="field">
        <label for="${id}origins">Allowed origins</label>
        <textarea id="${id}origins" name="origins" rows="3" spellcheck="false" aria-describedby="${id}origins-help"
          placeholder="https://www.example.org" .value=${one?.allowed_origins.join("\n") ?? ""}></textarea>
        <p class="help" id="${id}origins-help">One site a line: scheme, host and port. Browsers on other sites are refused.</p>
      </div>
      <div class="field">
        <label for="${id}greeting">Greeting</label>
        <textarea id="${id}greeting" name="greeting" rows="2" maxlength="2000" .value=${one?.greeting ?? ""}></textarea>
      </div>`;
  }

  #onThePage(one: EmbedBody | null): TemplateResult {
    const id = one ? "change-" : "new-";
    return html`<section aria-labelledby="${id}page">
      <h2 id="${id}page">On the page</h2>
      <div class="field">
        <label for="${id}highlight">Citation highlight</label>
        <select id="${id}highlight" name="highlight">
          <option value="">${this.#same}</option>
          ${HIGHLIGHTS.map(
            (each) =>
              html`<option value=${each.value} ?selected=${one?.highlight === each.value}>${each.label}</option>`,
          )}
        </select>
      </div>
      <label class="choice"><input type="checkbox" name="previews" ?checked=${one?.previews ?? true} />
        <span><strong>Previews</strong><span class="help">A citation opens the cited words on their page.</span></span></label>
    </section>`;
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const made = await this.attempt(() =>
      this.api.post<NewEmbedBody>(at`/api/manage/agents/${this.agent.agent_id}/embeds`, embedOf(form)),
    );
    if (!made) return;
    form.reset();
    this.#draft = null;
    this.#tried = made;
    await this.#show(made);
    await this.querySelector("pc-embed-preview")?.start();
  }

  async #change(one: EmbedBody): Promise<void> {
    await ask({
      title: "Change the embed",
      body: html`${this.#fields(one)}${this.#onThePage(one)}`,
      choices: [{ value: "save", label: "Save", kind: "primary" }],
      act: async (_, form) => {
        await this.api.patch(at`/api/manage/embeds/${one.embed_id}`, embedOf(form));
      },
    });
    await this.#load();
  }

  async #renew(one: EmbedBody): Promise<void> {
    let made: NewEmbedBody | null = null;
    await ask({
      title: "Give it a new key?",
      body: "The key that it has now ends at once: pages with it stop answering until they have the new one.",
      choices: [{ value: "renew", label: "Make a new key", kind: "danger" }],
      act: async () => {
        made = await this.api.post<NewEmbedBody>(at`/api/manage/embeds/${one.embed_id}/key`);
      },
    });
    if (made) await this.#show(made);
  }

  async #end(one: EmbedBody): Promise<void> {
    await ask({
      title: "End the embed?",
      body: html`<p>The key of <bdi><strong>${plain(one.name)}</strong></bdi> and its visitors’ sessions open nothing from then
        on. That cannot be undone.</p>`,
      choices: [{ value: "end", label: "End it", kind: "danger" }],
      act: () => this.api.delete(at`/api/manage/embeds/${one.embed_id}`),
    });
    await this.#load();
  }

  async #show(made: NewEmbedBody): Promise<void> {
    this.#made = made;
    this.#said = "";
    await this.#load();
    await this.updateComplete;
    const title = this.querySelector<HTMLElement>("#key-title");
    title?.setAttribute("tabindex", "-1");
    title?.focus();
  }

  #put(): void {
    this.#made = null;
    this.requestUpdate();
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#said = `${what} is copied.`;
    } catch {
      this.#said = "The browser does not let this page copy; select the text and copy it yourself.";
    }
    this.requestUpdate();
  }
}

function embedOf(form: HTMLFormElement): Look & { allowed_origins: string[] } {
  const data = new FormData(form);
  const origins = String(data.get("origins") ?? "").split(/[\s,]+/);
  const highlight = data.get("highlight") as HighlightPrecision | "";
  return {
    name: String(data.get("name") ?? ""),
    allowed_origins: origins.filter(Boolean),
    greeting: String(data.get("greeting") ?? ""),
    highlight: highlight || null,
    previews: data.has("previews"),
  };
}

function snippetOf(key: string): string {
  return `<script src="${location.origin}/widget.js" data-key="${key}" defer></script>`;
}

customElements.define("pc-embeds", Embeds);
