import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { count, plain } from "../shared/words";
import type { CollectionBody } from "../types/server";
import "./collection-settings";
import "./documents";
import { facts, loading, Screen } from "./screen";

const LOOK_SECONDS = 3;

/** One collection: its documents, or its settings. */
class CollectionScreen extends Screen {
  static override properties = {
    api: { attribute: false },
    collectionId: { attribute: false },
    tab: { attribute: false },
  };
  declare api: Api;
  declare collectionId: string;
  declare tab: string;
  #collection: CollectionBody | null = null;
  #timer = 0;

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("collectionId")) {
      this.#collection = null;
      void this.load();
    }
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    const found = await this.attempt(() =>
      this.api.get<CollectionBody>(at`/api/manage/collections/${this.collectionId}`),
    );
    if (found) {
      this.#collection = found;
      document.title = `${plain(found.name)} – pincite`;
      // Vectors come in the background after the words.
      if (found.pending_vectors > 0 && this.isConnected)
        this.#timer = window.setTimeout(() => void this.load(), LOOK_SECONDS * 1000);
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const one = this.#collection;
    const base = at`/console/collections/${this.collectionId}`;
    return html`
      <nav class="crumbs" aria-label="Where you are"><a href="/console/library">Library</a></nav>
      ${one === null ? (this.fault ? this.told(() => void this.load()) : loading()) : nothing}
      ${
        one === null
          ? nothing
          : html`
          <h1><bdi>${plain(one.name)}</bdi></h1>
          ${facts(
            count(one.documents, "document"),
            count(one.passages, "passage"),
            one.pending_vectors > 0
              ? `${count(one.pending_vectors, "passage")} found by words alone so far`
              : nothing,
          )}
          <nav class="tabs" aria-label="Collection">
            <a href=${base} aria-current=${this.tab === "" ? "page" : nothing}>Documents</a>
            <a href="${base}/settings" aria-current=${this.tab === "settings" ? "page" : nothing}>Settings</a>
          </nav>
          ${
            this.tab === "settings"
              ? html`<pc-collection-settings .api=${this.api} .collection=${one}
                @saved=${() => void this.load()}></pc-collection-settings>`
              : html`<pc-documents .api=${this.api} .collectionId=${one.collection_id}
                @changed=${() => void this.load()}></pc-documents>`
          }`
      }
    `;
  }
}

customElements.define("pc-collection", CollectionScreen);
