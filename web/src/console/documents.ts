import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Api, at } from "../shared/api";
import { count, plain, when } from "../shared/words";
import type { DocumentBody, DocumentList, FlagBody, VersionList } from "../types/server";
import { type Arrival, Arrivals, OVER } from "./arrivals";
import { ask } from "./dialog";
import { badge, facts, loading, Screen } from "./screen";

const PART = 50;
const FLAGS = 12;

/** The documents of a collection: files dropped in, what is being read, what is there, what was put aside. */
class Documents extends Screen {
  static override properties = { api: { attribute: false }, collectionId: { attribute: false } };
  declare api: Api;
  declare collectionId: string;
  #arrivals: Arrivals | null = null;
  #documents: DocumentBody[] | null = null;
  #total = 0;
  #aside: DocumentBody[] = [];
  #versions = new Map<string, VersionList>();
  #over = false;
  #said = "";

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("dragover", this.#dragged);
    addEventListener("drop", this.#dropped);
    addEventListener("dragleave", this.#left);
  }

  override disconnectedCallback(): void {
    this.#arrivals?.close();
    removeEventListener("dragover", this.#dragged);
    removeEventListener("drop", this.#dropped);
    removeEventListener("dragleave", this.#left);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("collectionId")) return;
    this.#arrivals?.close();
    this.#arrivals = new Arrivals(this.api, this.collectionId, (finished) => this.#moved(finished));
    this.#documents = null;
    this.#versions.clear();
    void this.#load();
    // A key that may only read is told nothing of jobs, and needs nothing of them.
    void this.#arrivals.takeUp().catch(() => {});
  }

  #moved(finished: boolean): void {
    this.requestUpdate();
    if (!finished) return;
    const list = this.#arrivals?.list ?? [];
    const failed = list.filter((one) => one.state === "failed").length;
    const ready = list.filter((one) => one.state === "ready" || one.state === "flagged").length;
    this.#said = [
      ready && `${count(ready, "file")} added.`,
      failed && `${count(failed, "file")} could not be read.`,
    ]
      .filter(Boolean)
      .join(" ");
    void this.#load().then(() => this.dispatchEvent(new CustomEvent("changed")));
  }

  async #load(): Promise<void> {
    const base = at`/api/manage/collections/${this.collectionId}/documents`;
    const wanted = Math.min(Math.max(this.#documents?.length ?? 0, PART), 200);
    const found = await this.attempt(() =>
      Promise.all([
        this.api.get<DocumentList>(`${base}?sort=title&limit=${wanted}`),
        this.api.get<DocumentList>(`${base}?sort=title&limit=200&trashed=true`),
      ]),
    );
    if (found) {
      this.#documents = found[0].documents;
      this.#total = found[0].total;
      this.#aside = found[1].documents;
      // What has arrived stands in the list below now.
      const arrivals = this.#arrivals;
      if (arrivals) arrivals.list = arrivals.list.filter((one) => !["ready", "flagged"].includes(one.state));
    }
    await this.#renewVersions();
    this.requestUpdate();
  }

  /** Reads the versions again that are open below a document which has a new one. */
  async #renewVersions(): Promise<void> {
    for (const one of this.#documents ?? []) {
      const shown = this.#versions.get(one.document_id)?.versions.find((each) => each.current);
      if (shown === undefined || shown.version === one.version) continue;
      const path = at`/api/manage/documents/${one.document_id}/versions`;
      const found = await this.attempt(() => this.api.get<VersionList>(path));
      if (found) this.#versions.set(one.document_id, found);
    }
  }

  async #more(): Promise<void> {
    const offset = this.#documents?.length ?? 0;
    const base = at`/api/manage/collections/${this.collectionId}/documents`;
    const found = await this.attempt(() =>
      this.api.get<DocumentList>(`${base}?sort=title&limit=${PART}&offset=${offset}`),
    );
    if (found) this.#documents = [...(this.#documents ?? []), ...found.documents];
    this.requestUpdate();
  }

  // -- files come in ---------------------------------------------------------------------------

  readonly #dragged = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    if (!this.#over) {
      this.#over = true;
      this.requestUpdate();
    }
  };

  readonly #left = (event: DragEvent): void => {
    if (event.relatedTarget !== null) return;
    this.#over = false;
    this.requestUpdate();
  };

  readonly #dropped = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#over = false;
    const items = Array.from(event.dataTransfer.items).filter((one) => one.kind === "file");
    const folders = items.some((one) => one.webkitGetAsEntry?.()?.isDirectory);
    const files = items
      .filter((one) => !one.webkitGetAsEntry?.()?.isDirectory)
      .map((one) => one.getAsFile())
      .filter((one) => one !== null);
    this.#said = folders ? "A folder is not taken; open it and drop its files." : "";
    this.requestUpdate();
    void this.#arrivals?.add(files);
  };

  #chosen(event: Event): void {
    const input = event.target as HTMLInputElement;
    void this.#arrivals?.add(Array.from(input.files ?? []));
    input.value = "";
  }

  // -- what is shown ---------------------------------------------------------------------------

  override render(): TemplateResult {
    return html`
      <section class="drop ${this.#over ? "over" : ""}" aria-label="Add files">
        <p><strong>${this.#over ? "Let go to add the files" : "Drop files here"}</strong></p>
        <p class="help" id="kinds">PDF, Word, PowerPoint and Excel files, CSV, Markdown, HTML, text, mail, books and scans.</p>
        <label class="button primary file">Choose files
          <input type="file" multiple aria-describedby="kinds" @change=${this.#chosen} />
        </label>
      </section>
      <p class="said" role="status">${this.#said}</p>
      ${this.told()}
      ${this.#onTheirWay()}
      ${this.#documents === null ? (this.fault ? nothing : loading()) : this.#list(this.#documents)}
      ${this.#putAside()}
    `;
  }

  #onTheirWay(): TemplateResult | typeof nothing {
    const list = this.#arrivals?.list ?? [];
    if (list.length === 0) return nothing;
    return html`<section aria-labelledby="arriving">
      <h2 id="arriving">${list.every((one) => OVER.has(one.state)) ? "Not added" : "On their way in"}</h2>
      <ul class="rows">${repeat(
        list,
        (one) => one.key,
        (one) => this.#arrival(one),
      )}</ul>
    </section>`;
  }

  #arrival(one: Arrival): TemplateResult {
    const name = plain(one.name);
    return html`<li class="row" data-state=${one.state}>
      <div class="row-main">
        <p class="row-title"><bdi>${name}</bdi></p>
        ${one.message ? html`<p class="reason">${one.message}</p>` : nothing}
        ${
          OVER.has(one.state) || one.state === "waiting"
            ? nothing
            : html`<progress aria-label="${name}" max="1" .value=${share(one) ?? 0}
              ?data-unknown=${share(one) === null}></progress>`
        }
      </div>
      <div class="row-state">${state(one)}</div>
      <div class="row-actions">
        ${
          one.state === "taken"
            ? html`<button class="button small" @click=${() => this.#arrivals?.replace(one)}
              aria-label="Add ${name} as the new version">Add as new version</button>`
            : nothing
        }
        ${
          OVER.has(one.state)
            ? html`<button class="button quiet small" @click=${() => this.#arrivals?.dismiss(one)}
              aria-label="Dismiss ${name}">Dismiss</button>`
            : nothing
        }
      </div>
    </li>`;
  }

  #list(documents: DocumentBody[]): TemplateResult | typeof nothing {
    if (documents.length === 0) {
      if ((this.#arrivals?.list.length ?? 0) > 0) return nothing;
      return html`<div class="empty"><h2>No document yet</h2>
        <p>Drop files above. Each can be searched as soon as it has been read.</p></div>`;
    }
    return html`<section aria-labelledby="documents">
      <h2 id="documents" class="visually-hidden">Documents</h2>
      <ul class="rows">${repeat(
        documents,
        (one) => one.document_id,
        (one) => this.#document(one),
      )}</ul>
      ${
        documents.length < this.#total
          ? html`<p class="more"><button class="button" ?disabled=${this.busy} @click=${this.#more}>
            Show more of ${count(this.#total, "document")}</button></p>`
          : nothing
      }
    </section>`;
  }

  #document(one: DocumentBody): TemplateResult {
    const title = plain(one.title) || "Without a title";
    const source = plain(one.source_uri.replace(/^upload:\/\//, ""));
    const versions = this.#versions.get(one.document_id);
    return html`<li class="row" data-state=${one.status}>
      <div class="row-main">
        <p class="row-title"><bdi>${title}</bdi></p>
        ${facts(
          source === title ? nothing : html`<bdi>${source}</bdi>`,
          one.pages > 0 ? count(one.pages, "page") : nothing,
          count(one.passages, "passage"),
          `added ${when(one.added_at)}`,
        )}
        ${one.flags.length > 0 ? flags(one.flags) : nothing}
        ${versions ? this.#history(versions) : nothing}
      </div>
      <div class="row-state">${one.status === "flagged" ? badge("warn", "Flagged") : badge("good", "Ready")}</div>
      <div class="row-actions">
        <button class="button quiet small" aria-expanded=${versions ? "true" : "false"}
          aria-label="Versions of ${title}" @click=${() => this.#toggle(one)}>Versions</button>
        <button class="button quiet small" aria-label="Download ${title}"
          @click=${() => this.#download(one)}>Download</button>
        <button class="button quiet small danger" aria-label="Delete ${title}"
          @click=${() => this.#delete(one)}>Delete</button>
      </div>
    </li>`;
  }

  #history(found: VersionList): TemplateResult {
    return html`<ol class="versions">
      ${found.versions.map(
        (one) => html`<li>
          <strong>Version ${one.revision}</strong>
          ${facts(when(one.added_at), count(one.passages, "passage"))}
          ${one.current ? badge("plain", "Current") : nothing}
        </li>`,
      )}
    </ol>`;
  }

  #putAside(): TemplateResult | typeof nothing {
    if (this.#aside.length === 0) return nothing;
    return html`<details class="aside">
      <summary>Put aside (${this.#aside.length})</summary>
      <ul class="rows">
        ${this.#aside.map((one) => {
          const title = plain(one.title) || plain(one.source_uri);
          return html`<li class="row">
            <div class="row-main"><p class="row-title"><bdi>${title}</bdi></p>
              <p class="meta">Nothing finds or opens it.</p></div>
            <div class="row-actions">
              <button class="button small" aria-label="Take back ${title}" @click=${() => this.#restore(one)}>Take back</button>
              <button class="button quiet small danger" aria-label="Erase ${title}"
                @click=${() => this.#delete(one, true)}>Erase</button>
            </div>
          </li>`;
        })}
      </ul>
    </details>`;
  }

  // -- what is done ----------------------------------------------------------------------------

  async #toggle(one: DocumentBody): Promise<void> {
    if (this.#versions.delete(one.document_id)) {
      this.requestUpdate();
      return;
    }
    const found = await this.attempt(() =>
      this.api.get<VersionList>(at`/api/manage/documents/${one.document_id}/versions`),
    );
    if (found) this.#versions.set(one.document_id, found);
    this.requestUpdate();
  }

  async #download(one: DocumentBody): Promise<void> {
    const blob = await this.attempt(() => this.api.blob(at`/api/manage/documents/${one.document_id}/file`));
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = plain(one.source_uri.split("/").pop() ?? "document");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async #delete(one: DocumentBody, aside = false): Promise<void> {
    const path = at`/api/manage/documents/${one.document_id}`;
    const title = html`<bdi><strong>${plain(one.title) || plain(one.source_uri)}</strong></bdi>`;
    const erase = { value: "erase", label: "Erase for good", kind: "danger" as const };
    const done = await ask({
      title: aside ? "Erase the document?" : "Delete the document?",
      body: html`
        ${
          aside
            ? nothing
            : html`<p>${title} can be put aside: nothing finds or opens it from then on, and you can take it back.</p>`
        }
        <p>${aside ? title : "Erased for good, it"} goes with all its versions and files, and its words are taken out of
          answers that are kept. That cannot be undone.</p>`,
      choices: aside ? [erase] : [{ value: "aside", label: "Put aside", kind: "primary" }, erase],
      act: (choice) => this.api.delete(choice === "erase" ? `${path}?hard=true` : path),
    });
    if (done === null) return;
    this.#said = done === "erase" ? "The document is erased." : "The document is put aside.";
    await this.#load();
    this.dispatchEvent(new CustomEvent("changed"));
  }

  async #restore(one: DocumentBody): Promise<void> {
    await this.attempt(() => this.api.post(at`/api/manage/documents/${one.document_id}/restore`));
    if (this.fault !== null) return;
    this.#said = "The document is back.";
    await this.#load();
    this.dispatchEvent(new CustomEvent("changed"));
  }
}

/** Which share of the work at a file is done; null where that is not known yet. */
function share(one: Arrival): number | null {
  if (one.state === "sending") return one.sent;
  return one.pages > 0 ? one.page / one.pages : null;
}

function state(one: Arrival): TemplateResult {
  switch (one.state) {
    case "sending":
      return badge("plain", one.sent < 1 ? `Sending, ${Math.round(one.sent * 100)} %` : "Sent");
    case "waiting":
      return badge("plain", "Waiting");
    case "reading":
      return badge("plain", one.pages > 0 ? `Reading page ${one.page} of ${one.pages}` : "Reading");
    case "ready":
      return badge("good", "Ready");
    case "flagged":
      return badge("warn", "Flagged");
    case "unchanged":
      return badge("plain", "Unchanged");
    case "taken":
      return badge("warn", "Name taken");
    case "stopped":
      return badge("plain", "Stopped");
    default:
      return badge("bad", "Failed");
  }
}

function flags(found: FlagBody[]): TemplateResult {
  const pages = new Set(found.map((one) => one.page).filter((page) => page !== null)).size;
  return html`<details class="flags">
    <summary>${pages > 0 ? `${count(pages, "page")} could not be read well` : "Not all of it could be read well"}</summary>
    <ul>
      ${found
        .slice(0, FLAGS)
        .map(
          (one) =>
            html`<li>${one.page === null ? nothing : html`<strong>Page ${one.page}</strong> `}${plain(one.reason)}</li>`,
        )}
      ${found.length > FLAGS ? html`<li>and ${found.length - FLAGS} more</li>` : nothing}
    </ul>
  </details>`;
}

customElements.define("pc-documents", Documents);
