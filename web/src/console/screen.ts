import { html, LitElement, nothing, type TemplateResult } from "lit";
import { type Refused, refusal } from "../shared/api";

/** A part of the console. It stands in the page itself, so that one style sheet and one set of labels hold. */
export abstract class Screen extends LitElement {
  protected fault: Refused | null = null;
  protected busy = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Does some work; what the server refuses is kept to be shown, and the answer is undefined. */
  protected async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    this.fault = null;
    this.busy = true;
    this.requestUpdate();
    try {
      return await work();
    } catch (error) {
      this.fault = refusal(error);
      return undefined;
    } finally {
      this.busy = false;
      this.requestUpdate();
    }
  }

  /** What was refused, in the server's own words; `again` does once more what may come out otherwise then. */
  protected told(again?: () => void): TemplateResult | typeof nothing {
    if (this.fault === null) return nothing;
    const mayPass = this.fault.status === 0 || this.fault.status === 429 || this.fault.status >= 500;
    return html`${notice("bad", this.fault.message)}${
      again && mayPass
        ? html`<p><button class="button small" ?disabled=${this.busy} @click=${() => again()}>Try again</button></p>`
        : nothing
    }`;
  }
}

export type Kind = "good" | "warn" | "bad" | "plain";

/** A sentence that matters; a fault is read out at once. */
export function notice(kind: Kind, text: string): TemplateResult {
  return kind === "bad"
    ? html`<p class="notice bad" role="alert">${text}</p>`
    : html`<p class="notice ${kind}" role="status">${text}</p>`;
}

/** A word or two about a state: never the colour alone. */
export function badge(kind: Kind, text: string): TemplateResult {
  return html`<span class="badge ${kind}">${text}</span>`;
}

/** A line of facts, parted by dots; those that are not known are left out. */
export function facts(...known: (TemplateResult | string | typeof nothing)[]): TemplateResult {
  const shown = known.filter((one) => one !== nothing && one !== "");
  return html`<p class="meta">${shown.map((one) => html`<span>${one}</span>`)}</p>`;
}

/** A place where something is loaded. */
export function loading(): TemplateResult {
  return html`<p class="loading" role="status">Loading…</p>`;
}

/** Returns the value of a field of a form. */
export function valueIn(form: HTMLFormElement, name: string): string {
  const found = new FormData(form).get(name);
  return typeof found === "string" ? found : "";
}
