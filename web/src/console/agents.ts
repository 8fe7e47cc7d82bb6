import { html, nothing, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { count, plain } from "../shared/words";
import type { AgentBody, AgentList, CollectionBody, CollectionList, PackageList } from "../types/server";
import { agentFields, agentOf, HIGHLIGHTS } from "./agent-fields";
import { ask } from "./dialog";
import { facts, loading, Screen } from "./screen";

/** The agents and the workflows. */
class Agents extends Screen {
  static override properties = { api: { attribute: false } };
  declare api: Api;
  #agents: AgentBody[] | null = null;
  #collections: CollectionBody[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Agents – pincite";
    void this.#load();
  }

  async #load(): Promise<void> {
    const found = await this.attempt(() =>
      Promise.all([
        this.api.get<AgentList>("/api/manage/agents"),
        this.api.get<CollectionList>("/api/manage/collections"),
      ]),
    );
    if (found) {
      this.#agents = found[0].agents;
      this.#collections = found[1].collections;
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const agents = this.#agents;
    return html`
      <div class="head">
        <div>
          <h1>Agents</h1>
          <p class="lead">An agent answers questions from your collections. You choose where it looks, how it
            cites, and which model writes.</p>
        </div>
        <a class="button primary" href="/console/agents/new">New agent</a>
      </div>
      ${this.told(agents === null ? () => void this.#load() : undefined)}
      ${agents === null ? (this.fault ? nothing : loading()) : nothing}
      ${
        agents?.length === 0
          ? html`<div class="empty"><h2>No agent yet</h2><p>An agent answers questions from your collections and cites
            what it says.</p></div>`
          : nothing
      }
      ${agents ? this.#list("Agents", "agent", agents) : nothing}
      ${agents ? this.#list("Workflows", "workflow", agents) : nothing}
    `;
  }

  #list(title: string, kind: AgentBody["kind"], all: AgentBody[]): TemplateResult | typeof nothing {
    const agents = all.filter((one) => one.kind === kind);
    if (agents.length === 0) return nothing;
    return html`<section aria-labelledby="list-${kind}">
      <h2 id="list-${kind}">${title}</h2>
      <ul class="rows">
        ${agents.map((one) => {
          const name = plain(one.name);
          return html`<li class="row">
            <div class="row-main">
              <a class="row-title" href=${at`/console/agents/${one.agent_id}`}><bdi>${name}</bdi></a>
              ${facts(
                this.#where(one),
                one.model ?? "platform’s model",
                `highlights: ${HIGHLIGHTS.find((each) => each.value === one.highlight)?.label.toLowerCase()}`,
              )}
            </div>
            <div class="row-actions">
              ${
                kind === "workflow"
                  ? html`<button class="button quiet small" aria-label="Settings of ${name}"
                    @click=${() => this.#settings(one)}>Settings</button>`
                  : nothing
              }
              <a class="button quiet small" aria-label="Embed ${name}" href=${at`/console/agents/${one.agent_id}/embed`}>Embed</a>
              <button class="button quiet small danger" aria-label="Delete ${name}"
                @click=${() => this.#delete(one)}>Delete</button>
            </div>
          </li>`;
        })}
      </ul>
    </section>`;
  }

  #where(one: AgentBody): string {
    if (one.collections.length === 0) return "all collections";
    const names = one.collections.map(
      (id) => this.#collections.find((each) => each.collection_id === id)?.name ?? "a deleted collection",
    );
    return names.length > 2 ? count(names.length, "collection") : names.map(plain).join(", ");
  }

  async #settings(one: AgentBody): Promise<void> {
    const packages = await this.attempt(() => this.api.get<PackageList>("/api/manage/packages"));
    if (!packages) return;
    await ask({
      title: "Workflow settings",
      body: agentFields(one, this.#collections, packages.packages),
      choices: [{ value: "save", label: "Save settings", kind: "primary" }],
      act: async (_, form) => {
        await this.api.patch(at`/api/manage/agents/${one.agent_id}`, agentOf(form));
      },
    });
    await this.#load();
  }

  async #delete(one: AgentBody): Promise<void> {
    await ask({
      title: `Delete the ${one.kind}?`,
      body: html`<p><bdi><strong>${plain(one.name)}</strong></bdi> is deleted, and its embeds end at once: widgets that use
        them stop answering.</p>`,
      choices: [{ value: "delete", label: "Delete", kind: "danger" }],
      act: () => this.api.delete(at`/api/manage/agents/${one.agent_id}`),
    });
    await this.#load();
  }
}

customElements.define("pc-agents", Agents);
