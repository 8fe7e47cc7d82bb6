import { html, nothing, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { count, plain, when } from "../shared/words";
import type { AgentList, CollectionBody, CollectionList } from "../types/server";
import { ask } from "./dialog";
import { go } from "./route";
import { facts, loading, Screen, valueIn } from "./screen";

/** All collections: made, renamed, deleted. */
class Library extends Screen {
  static override properties = { api: { attribute: false } };
  declare api: Api;
  #collections: CollectionBody[] | null = null;
  #agents: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "Library – pincite";
    void this.#load();
  }

  readonly #load = async (): Promise<void> => {
    const [found, agents] = await Promise.all([
      this.attempt(() => this.api.get<CollectionList>("/api/manage/collections")),
      this.api.get<AgentList>("/api/manage/agents").catch(() => null),
    ]);
    if (found) this.#collections = found.collections;
    this.#agents = agents?.agents.length ?? null;
    this.requestUpdate();
  };

  override render(): TemplateResult {
    return html`
      <div class="head">
        <div>
          <h1>Library</h1>
          <p class="lead">A collection is a named set of documents that are searched together.</p>
        </div>
      </div>
      ${this.told(this.#collections === null ? this.#load : undefined)}
      ${this.#collections === null ? nothing : this.#next(this.#collections)}
      ${this.#collections === null ? (this.fault ? nothing : loading()) : this.#list(this.#collections)}
      <form class="card line" @submit=${this.#create}>
        <div class="field grow">
          <label for="new-name">New collection</label>
          <input id="new-name" name="name" required maxlength="400" autocomplete="off" placeholder="Its name" />
        </div>
        <button class="button primary" ?disabled=${this.busy}>Create</button>
      </form>
    `;
  }

  /** The step that is missing until questions can be asked; nothing where none is. */
  #next(collections: CollectionBody[]): TemplateResult | typeof nothing {
    if (collections.length === 0) return nothing;
    const [first] = collections;
    if (first && collections.every((one) => one.documents === 0))
      return html`<p class="notice plain">Next: open
        <a href=${at`/console/collections/${first.collection_id}`}><bdi>${plain(first.name)}</bdi></a> and add your
        files. Answers are made from them.</p>`;
    if (this.#agents === 0)
      return html`<p class="notice plain">Next: <a href="/console/agents/new">make an agent</a>. It answers questions
        from your documents.</p>`;
    return nothing;
  }

  #list(collections: CollectionBody[]): TemplateResult {
    if (collections.length === 0)
      return html`<div class="empty"><h2>No collection yet</h2>
        <p>Begin with one: give it a name below, then add your files to it.</p></div>`;
    return html`<ul class="rows" aria-label="Collections">
      ${collections.map(
        (one) => html`<li class="row">
          <div class="row-main">
            <a class="row-title" href=${at`/console/collections/${one.collection_id}`}><bdi>${plain(one.name)}</bdi></a>
            ${facts(
              count(one.documents, "document"),
              count(one.passages, "passage"),
              one.added_at ? `made ${when(one.added_at)}` : nothing,
            )}
          </div>
          <div class="row-actions">
            <button class="button quiet small" @click=${() => this.#rename(one)}
              aria-label="Rename ${plain(one.name)}">Rename</button>
            <button class="button quiet small danger" @click=${() => this.#delete(one)}
              aria-label="Delete ${plain(one.name)}">Delete</button>
          </div>
        </li>`,
      )}
    </ul>`;
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = valueIn(event.target as HTMLFormElement, "name");
    const made = await this.attempt(() => this.api.post<CollectionBody>("/api/manage/collections", { name }));
    if (made) go(at`/console/collections/${made.collection_id}`);
  }

  async #rename(one: CollectionBody): Promise<void> {
    await ask({
      title: "Rename the collection",
      body: html`<label for="rename">Name</label>
        <input id="rename" name="name" required maxlength="400" autocomplete="off" .value=${one.name} autofocus />`,
      choices: [{ value: "rename", label: "Rename", kind: "primary" }],
      act: async (_, form) => {
        const name = valueIn(form, "name");
        await this.api.patch(at`/api/manage/collections/${one.collection_id}`, { name });
      },
    });
    await this.#load();
  }

  async #delete(one: CollectionBody): Promise<void> {
    const full = one.documents > 0;
    await ask({
      title: "Delete the collection?",
      body: html`<p><bdi><strong>${plain(one.name)}</strong></bdi> ${
        full
          ? html`holds ${count(one.documents, "document")}. They are erased with it, with all their versions and files, and
            cannot be taken back.`
          : "holds no documents."
      }</p>`,
      choices: [
        {
          value: "delete",
          label: full ? `Delete with ${count(one.documents, "document")}` : "Delete",
          kind: "danger",
        },
      ],
      act: () => this.api.delete(`${at`/api/manage/collections/${one.collection_id}`}?documents=${full}`),
    });
    await this.#load();
  }
}

customElements.define("pc-library", Library);
