import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Previews, Shown } from "../../cited/preview";
import { type Cited, safeLink } from "../../cited/shapes";
import type { Message } from "../../cited/transcript";
import { plain } from "../../shared/words";
import { Screen } from "../screen";
import { headOf, snippetOf, trustOf, verdictsOf } from "./source";

const ZOOMS = [1, 1.5, 2, 3];
const WIDTH = 560;
/** Where there is no room beside the answer: as the style sheet has it. */
const NARROW = "(max-width: 44rem)";

/**
 * The source behind a number: its words first, and its page where there is one. On a wide screen it stands beside the
 * answer; on a narrow one it stands alone, and a step back closes it.
 */
class Panel extends Screen {
  static override properties = {
    previews: { attribute: false },
    message: { attribute: false },
    cited: { attribute: false },
    question: { attribute: false },
    quote: { attribute: false },
  };
  declare previews: Previews;
  declare message: Message;
  declare cited: Cited;
  declare question: string;
  declare quote: string;
  #shown: Shown | null = null;
  #picture: string | null = null;
  #waits = false;
  #mode: "page" | "crop" = "page";
  #page: number | null = null;
  #zoom = 0;
  #turn = 0;
  #narrow = matchMedia(NARROW);
  /** There is a step back that belongs to this panel. */
  #stepped = false;
  #leaves = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#narrow.addEventListener("change", this.#stand);
    addEventListener("popstate", this.#back);
  }

  override disconnectedCallback(): void {
    this.#narrow.removeEventListener("change", this.#stand);
    removeEventListener("popstate", this.#back);
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("cited") && !changed.has("message")) return;
    const dialog = this.querySelector("dialog");
    if (!dialog?.open) this.#stand();
    this.querySelector<HTMLElement>(".panel-head button")?.focus({ preventScroll: true });
  }

  /** Shows the panel in the way that the screen has room for. */
  readonly #stand = (): void => {
    const dialog = this.querySelector("dialog");
    if (!dialog) return;
    if (dialog.open) dialog.close();
    if (this.#narrow.matches) {
      dialog.showModal();
      if (!this.#stepped) history.pushState({ source: true }, "");
      this.#stepped = true;
    } else dialog.show();
    this.requestUpdate();
  };

  readonly #back = (): void => {
    if (!this.#stepped) return;
    this.#stepped = false;
    this.#leaves = false;
    this.#leave();
  };

  readonly #leave = (): void => {
    if (this.#leaves) return;
    this.#leaves = this.#stepped;
    // The step that belongs to the panel is taken back with it, and that closes it.
    if (this.#stepped) history.back();
    else this.dispatchEvent(new CustomEvent("closed"));
  };

  readonly #cancelled = (event: Event): void => {
    event.preventDefault();
    this.#leave();
  };

  /** A browser may close a dialog although it was told not to. */
  readonly #shut = (event: Event): void => {
    if (!(event.target as HTMLDialogElement).open) this.#leave();
  };

  /** Tab goes round in a panel that stands alone. */
  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.key !== "Tab" || !this.#narrow.matches) return;
    const all = [...this.querySelectorAll<HTMLElement>("button:enabled, a[href], [tabindex='0']")];
    const to = event.shiftKey ? all.at(-1) : all[0];
    if (document.activeElement !== (event.shiftKey ? all[0] : all.at(-1))) return;
    event.preventDefault();
    to?.focus();
  };

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("cited") && !changed.has("message")) return;
    this.#shown = null;
    this.#picture = null;
    this.#page = null;
    this.#zoom = 0;
    void this.#load();
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn;
    const shown = await this.previews.preview(this.cited, this.question, this.quote, true);
    if (turn !== this.#turn) return;
    this.#shown = shown;
    this.requestUpdate();
    if (shown.kind !== "shown" || !shown.preview.has_image) return;
    // The page on which the lit words begin.
    this.#page = shown.preview.highlight?.boxes[0]?.page ?? shown.preview.page;
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const turn = ++this.#turn;
    this.#waits = true;
    this.requestUpdate();
    const width = Math.min(2400, WIDTH * (ZOOMS[this.#zoom] ?? 1) * Math.min(2, devicePixelRatio || 1));
    const wanted = { mode: this.#mode, width, ...(this.#page === null ? {} : { page: this.#page }) };
    const picture = await this.previews.picture(this.cited, wanted, this.question, this.quote);
    if (turn !== this.#turn) return;
    this.#picture = picture;
    this.#waits = false;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const preview = this.#shown?.kind === "shown" ? this.#shown.preview : null;
    const link = this.cited.link ?? safeLink(preview?.source_uri);
    return html`<dialog class="panel" aria-labelledby="panel-title" aria-modal=${this.#narrow.matches ? "true" : nothing}
      @cancel=${this.#cancelled} @close=${this.#shut} @keydown=${this.#keyed}>
      <header class="panel-head">
        <div>${headOf(this.cited, this.#shown, "panel-title")}</div>
        <button class="button quiet small" aria-label="Close the source"
          @click=${this.#leave}>Close</button>
      </header>
      ${verdictsOf(this.cited, this.#shown)}
      ${preview?.columns ? html`<p class="meta"><bdi>${plain(preview.columns)}</bdi></p>` : nothing}
      ${snippetOf(this.message, this.cited, this.#shown)}
      ${trustOf(this.message, this.cited)}
      ${
        link
          ? html`<p><a class="button small" href=${link} target="_blank" rel="noopener noreferrer nofollow">Open the
            source</a></p>`
          : nothing
      }
      ${preview?.has_image && (this.#waits || this.#picture !== null) ? this.#paged(preview.page, preview.page_end) : nothing}
    </dialog>`;
  }

  #paged(first: number | null, last: number | null): TemplateResult {
    const page = this.#page ?? first ?? 1;
    const title = plain(this.cited.title) || "the source";
    const several = first !== null && last !== null && last > first;
    return html`<section class="page" aria-label="The page">
      <div class="page-tools">
        ${
          several && this.#mode === "page"
            ? html`<button class="button small" ?disabled=${page <= first} aria-label="Previous page"
                @click=${() => this.#go(page - 1)}>‹</button>
              <span class="meta">Page ${page}</span>
              <button class="button small" ?disabled=${page >= last} aria-label="Next page"
                @click=${() => this.#go(page + 1)}>›</button>`
            : nothing
        }
        <button class="button small" aria-pressed=${this.#mode === "crop" ? "true" : "false"}
          @click=${this.#crop}>Only the passage</button>
        <span class="zoom">
          <button class="button small" aria-label="Smaller" ?disabled=${this.#zoom === 0}
            @click=${() => this.#resize(-1)}>−</button>
          <button class="button small" aria-label="Larger" ?disabled=${this.#zoom === ZOOMS.length - 1}
            @click=${() => this.#resize(1)}>+</button>
        </span>
      </div>
      <div class="sheet zoom-${this.#zoom} ${this.#waits ? "waits" : ""}" tabindex="0" role="group"
        aria-label="Picture of the page; it can be moved">
        ${
          this.#picture === null
            ? html`<p class="meta" role="status">Loading the page…</p>`
            : html`<img src=${this.#picture} alt="Page ${page} of ${title}, with the cited words outlined"
              @error=${this.#broken} />`
        }
      </div>
    </section>`;
  }

  #go(page: number): void {
    this.#page = page;
    void this.#draw();
  }

  #crop(): void {
    this.#mode = this.#mode === "crop" ? "page" : "crop";
    void this.#draw();
  }

  #resize(by: number): void {
    this.#zoom = Math.max(0, Math.min(ZOOMS.length - 1, this.#zoom + by));
    void this.#draw();
  }

  #broken(): void {
    this.#picture = null;
    this.requestUpdate();
  }
}

customElements.define("pc-panel", Panel);
