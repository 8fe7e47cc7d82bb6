import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { Shown } from "../../cited/preview";
import type { Cited } from "../../cited/shapes";
import type { Message } from "../../cited/transcript";
import { headOf, isClosed, snippetOf, trustOf, verdictsOf } from "./source";

const SHOWN_AFTER = 120;
const GONE_AFTER = 180;

/** A number that somebody pointed at or opened: the button, the message that it stands in, and what it cites. */
export interface Behind {
  message: Message;
  cited: Cited;
  from: HTMLElement;
}

/** The card at a number: it comes when somebody points at the number, taps it or reaches it with Tab. */
export class Card {
  #open: (Behind & { shown: Shown | null }) | null = null;
  #timer = 0;
  #uncovered: Shown | null = null;

  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly look: (found: Behind) => Promise<Shown>,
    private readonly go: (found: Behind) => void,
  ) {
    host.addController({
      hostConnected: () => addEventListener("scroll", this.#scrolled, true),
      hostUpdated: () => {
        this.#place();
        this.#uncover();
      },
      hostDisconnected: () => {
        removeEventListener("scroll", this.#scrolled, true);
        clearTimeout(this.#timer);
      },
    });
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  isOf(number: HTMLElement): boolean {
    return this.#open?.from === number;
  }

  showSoon(found: Behind): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.show(found), SHOWN_AFTER);
  }

  readonly hideSoon = (): void => {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.hide(), GONE_AFTER);
  };

  async show(found: Behind): Promise<void> {
    clearTimeout(this.#timer);
    if (this.isOf(found.from)) return;
    this.#open?.from.removeAttribute("aria-describedby");
    const card = { ...found, shown: null as Shown | null };
    this.#open = card;
    this.host.requestUpdate();
    card.shown = await this.look(found);
    if (this.#open !== card) return;
    card.from.setAttribute("aria-describedby", "cite-card");
    this.host.requestUpdate();
  }

  hide(): void {
    clearTimeout(this.#timer);
    if (this.#open === null) return;
    this.#open.from.removeAttribute("aria-describedby");
    this.#open = null;
    this.host.requestUpdate();
  }

  render(): TemplateResult | typeof nothing {
    const card = this.#open;
    if (card === null) return nothing;
    return html`<div class="cite-card" role="tooltip" id="cite-card" @pointerenter=${() => clearTimeout(this.#timer)}
      @pointerleave=${this.hideSoon}>
      ${headOf(card.cited, card.shown)}
      ${snippetOf(card.message, card.cited, card.shown)}
      ${verdictsOf(card.cited, card.shown)}
      ${trustOf(card.message, card.cited)}
      ${
        isClosed(card.message, card.cited, card.shown)
          ? nothing
          : html`<button class="button small" tabindex="-1" @click=${() => this.go(card)}>Open the source</button>`
      }
    </div>`;
  }

  /** Scrolls a long passage to its lit words, once, when it comes. */
  #uncover(): void {
    const shown = this.#open?.shown ?? null;
    if (shown === this.#uncovered) return;
    this.#uncovered = shown;
    const mark = this.host.querySelector<HTMLElement>(".cite-card mark");
    const snippet = mark?.closest<HTMLElement>(".snippet");
    if (!mark || !snippet) return;
    const below = mark.getBoundingClientRect().bottom - snippet.getBoundingClientRect().bottom;
    if (below > 0) snippet.scrollTop = mark.offsetTop - 8;
  }

  readonly #scrolled = (event: Event): void => {
    if (this.#open && !(event.target as Element).closest?.(".cite-card")) this.#place();
  };

  /** Puts the card below its number, or above where there is more room, and inside the window. */
  #place(): void {
    const card = this.host.querySelector<HTMLElement>(".cite-card");
    if (!card || !this.#open) return;
    const number = this.#open.from.isConnected ? this.#open.from.getBoundingClientRect() : null;
    if (!number || number.bottom < 0 || number.top > innerHeight) {
      this.hide();
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.max(8, Math.min(number.left - 16, innerWidth - width - 8));
    const below = number.bottom + 8 + height <= innerHeight || number.top < height + 16;
    card.style.left = `${left}px`;
    card.style.top = `${Math.max(8, below ? Math.min(number.bottom + 8, innerHeight - height - 8) : number.top - height - 8)}px`;
  }
}
