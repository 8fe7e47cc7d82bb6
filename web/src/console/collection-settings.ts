import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { type Api, at } from "../shared/api";
import { count } from "../shared/words";
import type { CollectionBody, ScoresBody } from "../types/server";
import { notice, Screen, valueIn } from "./screen";

const STEP = 0.01;

/** Settings of a collection: its bar with what recent searches scored, its chunking, its name. */
class CollectionSettings extends Screen {
  static override properties = { api: { attribute: false }, collection: { attribute: false } };
  declare api: Api;
  declare collection: CollectionBody;
  #scores: ScoresBody | null = null;
  #own = false;
  #bar = 0;
  #saved = false;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("collection")) return;
    const before = changed.get("collection") as CollectionBody | undefined;
    const { score_threshold, bar } = this.collection;
    // The collection is read again while vectors are made; what somebody is about to set stays.
    if (
      before === undefined ||
      before.score_threshold !== score_threshold ||
      before.bar?.default !== bar?.default
    ) {
      this.#own = score_threshold !== null;
      this.#bar = score_threshold ?? bar?.default ?? 0;
    }
    if (before?.collection_id !== this.collection.collection_id) void this.#load();
  }

  async #load(): Promise<void> {
    // Without them the bar is set as well; a key that may only read is not told.
    const path = at`/api/manage/collections/${this.collection.collection_id}/scores`;
    this.#scores = await this.api.get<ScoresBody>(path).catch(() => null);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const one = this.collection;
    return html`<form class="settings" @submit=${this.#save} @input=${() => this.#touched()}>
      <section aria-labelledby="bar-title">
        <h2 id="bar-title">Confidence bar (retry &amp; citations)</h2>
        <p class="help">The score from which a passage counts as supported. Where nothing reaches it, the search is
          broadened once and tried again; what stays under it is marked as weak and never left out.</p>
        ${one.bar === null ? notice("plain", "Nothing is scored here, so there is no bar.") : this.#barFields(one.bar)}
      </section>
      <section aria-labelledby="how-title">
        <h2 id="how-title">How it is read</h2>
        <fieldset>
          <legend>Chunking</legend>
          <label class="choice"><input type="radio" name="chunking" value="flat" .checked=${one.chunking === "flat"} />
            <span><strong>Flat</strong><span class="help">A search returns the passage that fits.</span></span></label>
          <label class="choice"><input type="radio" name="chunking" value="hierarchical"
            .checked=${one.chunking === "hierarchical"} />
            <span><strong>Hierarchical</strong><span class="help">A search returns the section around the passage, for
              models that need more around it.</span></span></label>
        </fieldset>
        <dl class="facts">
          <div><dt>Embedder</dt><dd><code>${one.embedder}</code></dd></div>
          <div><dt>Reranker</dt><dd><code>${one.bar?.reranker ?? "none"}</code></dd></div>
          <div><dt>Collection</dt><dd><code>${one.collection_id}</code></dd></div>
        </dl>
      </section>
      ${this.told()}
      <div class="actions">
        <button class="button primary" ?disabled=${this.busy}>Save settings</button>
        <p class="said" role="status">${this.#saved ? "Saved." : ""}</p>
      </div>
    </form>`;
  }

  #barFields(bar: NonNullable<CollectionBody["bar"]>): TemplateResult {
    const one = this.collection;
    const low = this.#lowest(bar.lowest);
    const elsewhere = one.score_threshold !== null && one.reranker !== null && one.reranker !== bar.reranker;
    const now = this.#own ? this.#bar : bar.default;
    return html`
      ${
        elsewhere
          ? notice(
              "warn",
              `This bar was set for the reranker ${one.reranker}, so the platform's default holds now.`,
            )
          : nothing
      }
      <fieldset>
        <legend class="visually-hidden">Which bar holds</legend>
        <label class="choice"><input type="radio" name="whose" value="platform" .checked=${!this.#own}
        @change=${() => this.#choose(false)} />
        <span><strong>Platform default</strong><span class="help">${bar.default.toFixed(2)} at present; it follows the
          platform where that changes.</span></span></label>
        <label class="choice"><input type="radio" name="whose" value="own" .checked=${this.#own}
        @change=${() => this.#choose(true)} />
        <span><strong>A bar of its own</strong><span class="help">It stands, and belongs to the reranker that it was set
          for.</span></span></label>
      </fieldset>
      <div class="bar-picker" data-on=${this.#own}>
        ${this.#drawn(low, bar.highest, now)}
        <label class="visually-hidden" for="bar">Confidence bar</label>
        <input id="bar" type="range" min=${low} max=${bar.highest} step=${STEP} .value=${String(now)}
          ?disabled=${!this.#own} @input=${this.#slid} />
        <div class="scale" aria-hidden="true"><span>${low}</span><span>${bar.highest}</span></div>
        <label class="visually-hidden" for="bar-number">Confidence bar as a number</label>
        <input id="bar-number" class="small" type="number" min=${bar.lowest} max=${bar.highest} step=${STEP}
          .value=${now.toFixed(2)} ?disabled=${!this.#own} @change=${this.#slid} />
      </div>`;
  }

  /** Scores under 0 are rare: the scale is shown from 0 on, unless something lies there. */
  #lowest(lowest: number): number {
    const counts = this.#scores?.counts ?? [];
    const under = counts.slice(0, counts.length / 2).some((one) => one > 0);
    return lowest < 0 && !under && this.#bar >= 0 ? 0 : lowest;
  }

  /** The best scores of recent searches, as columns over the slider. */
  #drawn(low: number, high: number, now: number): TemplateResult | typeof nothing {
    const scores = this.#scores;
    if (scores === null) return nothing;
    if (scores.lowest === null || scores.highest === null || scores.searches === 0) {
      return html`<p class="help">Nobody has searched this collection since the server started. Once somebody does, the
        best score of each search is counted here.</p>`;
    }
    const { lowest, highest, counts, searches } = scores;
    const width = (highest - lowest) / counts.length;
    const top = Math.max(...counts);
    const under = counts.reduce(
      (sum, one, index) => sum + (lowest + (index + 0.5) * width < now ? one : 0),
      0,
    );
    const x = (score: number): number => ((score - low) / (high - low)) * 400;
    return html`
      <p class="help" id="scores-told">${
        under === 0
          ? `Of the last ${count(searches, "search", "searches")}, all reached this bar.`
          : `Of the last ${count(searches, "search", "searches")}, ${under.toLocaleString("en")} stayed under this bar.`
      }</p>
      <svg class="histogram" viewBox="0 0 400 72" preserveAspectRatio="none" role="img"
        aria-label="Best scores of recent searches" aria-describedby="scores-told">
        ${counts.map((one, index) => {
          const from = lowest + index * width;
          if (one === 0 || from < low - 1e-9) return nothing;
          const height = Math.max(3, (one / top) * 66);
          return svg`<rect class=${from + width / 2 < now ? "under" : "over"} x=${x(from) + 0.8}
            y=${72 - height} width=${Math.max(1, x(from + width) - x(from) - 1.6)} height=${height} rx="1"></rect>`;
        })}
        <line class="bar-line" x1=${x(now)} x2=${x(now)} y1="0" y2="72"></line>
      </svg>`;
  }

  #choose(own: boolean): void {
    this.#own = own;
    this.requestUpdate();
  }

  #slid(event: Event): void {
    const value = Number((event.target as HTMLInputElement).value);
    if (Number.isFinite(value)) this.#bar = value;
    this.requestUpdate();
  }

  #touched(): void {
    this.#saved = false;
    this.requestUpdate();
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const change = {
      chunking: valueIn(form, "chunking"),
      ...(this.collection.bar === null ? {} : { score_threshold: this.#own ? this.#bar : null }),
    };
    const path = at`/api/manage/collections/${this.collection.collection_id}`;
    const saved = await this.attempt(() => this.api.patch<CollectionBody>(path, change));
    if (!saved) return;
    this.#saved = true;
    this.dispatchEvent(new CustomEvent("saved"));
    this.requestUpdate();
  }
}

customElements.define("pc-collection-settings", CollectionSettings);
