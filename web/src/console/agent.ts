import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { plain } from "../shared/words";
import type { AgentBody, CollectionBody, CollectionList, PackageBody, PackageList } from "../types/server";
import { agentFields, agentOf } from "./agent-fields";
import "./embeds";
import { go } from "./route";
import { loading, Screen } from "./screen";

/** One agent or workflow: its settings, or where it is embedded. */
class AgentScreen extends Screen {
  static override properties = {
    api: { attribute: false },
    agentId: { attribute: false },
    tab: { attribute: false },
  };
  declare api: Api;
  declare agentId: string;
  declare tab: string;
  #agent: AgentBody | null = null;
  #collections: CollectionBody[] | null = null;
  #packages: PackageBody[] = [];
  #saved = false;

  get #isNew(): boolean {
    return this.agentId === "new";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("agentId")) return;
    this.#agent = null;
    this.#collections = null;
    void this.#load();
  }

  async #load(): Promise<void> {
    document.title = this.#isNew ? "New agent – pincite" : "Agent – pincite";
    const found = await this.attempt(() =>
      Promise.all([
        this.api.get<CollectionList>("/api/manage/collections"),
        this.#isNew ? null : this.api.get<AgentBody>(at`/api/manage/agents/${this.agentId}`),
        this.api.get<PackageList>("/api/manage/packages"),
      ]),
    );
    if (found) {
      this.#collections = found[0].collections;
      this.#agent = found[1];
      this.#packages = found[2].packages;
      if (found[1]) document.title = `${plain(found[1].name)} – pincite`;
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const base = at`/console/agents/${this.agentId}`;
    const one = this.#agent;
    const there = this.#collections !== null && (this.#isNew || one !== null);
    return html`
      <nav class="crumbs" aria-label="Where you are"><a href="/console/agents">Agents</a></nav>
      ${there ? nothing : this.fault ? this.told(() => void this.#load()) : loading()}
      ${there ? html`<h1>${this.#isNew ? "New agent" : html`<bdi>${plain(one?.name ?? "")}</bdi>`}</h1>` : nothing}
      ${
        there && one
          ? html`<nav class="tabs" aria-label=${one.kind === "workflow" ? "Workflow" : "Agent"}>
            <a href=${base} aria-current=${this.tab === "" ? "page" : nothing}>Settings</a>
            <a href="${base}/embed" aria-current=${this.tab === "embed" ? "page" : nothing}>Embed</a>
          </nav>`
          : nothing
      }
      ${
        !there
          ? nothing
          : one && this.tab === "embed"
            ? html`<pc-embeds .api=${this.api} .agent=${one}></pc-embeds>`
            : html`<form class="settings" @submit=${this.#save} @input=${() => this.#touched()}>
              ${agentFields(one, this.#collections ?? [], this.#packages)}
              ${this.told()}
              <div class="actions">
                <button class="button primary" ?disabled=${this.busy}>${this.#isNew ? "Create" : "Save settings"}</button>
                <p class="said" role="status">${this.#saved ? "Saved." : ""}</p>
              </div>
            </form>`
      }
    `;
  }

  #touched(): void {
    this.#saved = false;
    this.requestUpdate();
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const said = agentOf(event.target as HTMLFormElement);
    const saved = await this.attempt(() =>
      this.#isNew
        ? this.api.post<AgentBody>("/api/manage/agents", said)
        : this.api.patch<AgentBody>(at`/api/manage/agents/${this.agentId}`, said),
    );
    if (!saved) return;
    if (this.#isNew) go("/console/agents", true);
    this.#agent = saved;
    this.#saved = true;
    this.requestUpdate();
  }
}

customElements.define("pc-agent", AgentScreen);
