import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { plain } from "../shared/words";
import type { EmbedBody, EmbedList, HighlightPrecision, NewEmbedBody } from "../types/server";
import type { Widget } from "../widget/widget";
import { Screen } from "./screen";

/** What of an embed a visitor sees. */
export interface Look {
  name: string;
  greeting: string;
  highlight: HighlightPrecision | null;
  previews: boolean;
}

const NAME = "pincite-widget";
/** By this in its theme an embed is known as one of the console's own. */
const MARK = "console_preview";
const SETTLED_MS = 500;
const LEFT_BEHIND_MS = 3_600_000;

/** Whether an embed was made for a preview, and not for a site. */
export function isPreview(one: EmbedBody): boolean {
  return one.theme[MARK] === true;
}

/**
 * The widget as a visitor sees it, at work. It has a key of its own that opens nothing but this console's origin, and
 * that ends with the preview, so that what is seen is what the server gives a visitor and not what the console may do.
 */
class EmbedPreview extends Screen {
  static override properties = {
    api: { attribute: false },
    agentId: { attribute: false },
    look: { attribute: false },
  };
  declare api: Api;
  declare agentId: string;
  declare look: Look;
  #embed: NewEmbedBody | null = null;
  #shown = "";
  #starts = false;
  #timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.#end);
  }

  override disconnectedCallback(): void {
    removeEventListener("pagehide", this.#end);
    this.#end();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("agentId") && changed.get("agentId") !== undefined) this.#end();
    if (!changed.has("look") || this.#embed === null || JSON.stringify(this.look) === this.#shown) return;
    // A person is still writing.
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#renew(), SETTLED_MS);
  }

  /** Begins, where it has not. */
  readonly start = async (): Promise<void> => {
    if (this.#embed !== null || this.#starts) return;
    this.#starts = true;
    const look = this.look;
    const made = await this.attempt(() =>
      this.api.post<NewEmbedBody>(at`/api/manage/agents/${this.agentId}/embeds`, {
        ...look,
        allowed_origins: [location.origin],
        theme: { [MARK]: true },
      }),
    );
    this.#starts = false;
    if (!made) return;
    this.#embed = made;
    if (!this.isConnected) {
      this.#end();
      return;
    }
    this.#shown = JSON.stringify(look);
    void this.#sweep();
    await this.#draw(true);
    if (JSON.stringify(this.look) !== this.#shown) await this.#renew();
  };

  async #renew(): Promise<void> {
    const embed = this.#embed;
    if (embed === null) return;
    const look = this.look;
    const done = await this.attempt(() => this.api.patch(at`/api/manage/embeds/${embed.embed_id}`, look));
    if (done === undefined || this.#embed !== embed) return;
    this.#shown = JSON.stringify(look);
    await this.#draw(false);
  }

  /** Puts a new widget in place of the one that is there; what was asked before, it takes up itself. */
  async #draw(opens: boolean): Promise<void> {
    const found = await this.attempt(() => import("../widget/widget"));
    const stage = this.querySelector(".stage");
    if (!found || !stage || this.#embed === null) return;
    if (!customElements.get(NAME)) customElements.define(NAME, found.Widget);
    const widget = document.createElement(NAME) as Widget;
    stage.replaceChildren(widget);
    widget.begin(location.origin, this.#embed.key);
    if (!opens) return;
    const focused = document.activeElement as HTMLElement | null;
    widget.shadowRoot?.querySelector<HTMLElement>(".bubble")?.click();
    focused?.focus({ preventScroll: true });
  }

  readonly #end = (): void => {
    clearTimeout(this.#timer);
    const embed = this.#embed;
    this.#embed = null;
    this.querySelector(".stage")?.replaceChildren();
    if (embed === null) return;
    void this.api.leave(at`/api/manage/embeds/${embed.embed_id}`);
    // What the widget keeps in a browser goes by the end of its key.
    for (const storage of [localStorage, sessionStorage])
      for (const name of Object.keys(storage))
        if (name.startsWith("pincite:") && name.includes(embed.key.slice(-12))) storage.removeItem(name);
    this.requestUpdate();
  };

  /** Ends what a browser that was shut has left behind. */
  async #sweep(): Promise<void> {
    const path = at`/api/manage/agents/${this.agentId}/embeds`;
    const found = await this.api.get<EmbedList>(path).catch(() => null);
    for (const one of found?.embeds ?? []) {
      const isLeft = Date.now() - Date.parse(one.created_at) > LEFT_BEHIND_MS;
      if (isPreview(one) && one.revoked_at === null && isLeft)
        await this.api.delete(at`/api/manage/embeds/${one.embed_id}`).catch(() => {});
    }
  }

  override render(): TemplateResult {
    const isOn = this.#embed !== null;
    return html`<section class="preview" aria-labelledby="preview-title">
      <div class="preview-head">
        <h2 id="preview-title">Preview of <bdi>${plain(this.look.name)}</bdi></h2>
        ${isOn ? html`<button class="button quiet small" @click=${this.#end}>End the preview</button>` : nothing}
      </div>
      ${this.told()}
      <div class="stage ${isOn ? "on" : ""}"></div>
      ${
        isOn
          ? html`<p class="help">This is the widget itself, as a visitor sees it. Ask it something; changes to the fields show
            here before you save them.</p>`
          : html`<p class="help">Try the widget here, with its own key that works in this console alone and ends when
            you leave.</p>
            <p><button class="button small" ?disabled=${this.busy} @click=${this.start}>Show the preview</button></p>`
      }
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "pc-embed-preview": EmbedPreview;
  }
}

customElements.define("pc-embed-preview", EmbedPreview);
