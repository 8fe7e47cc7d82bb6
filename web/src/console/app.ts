import { html, nothing, type TemplateResult } from "lit";
import { Api } from "../shared/api";
import "./agent";
import "./agents";
import "./ask/ask";
import "./check";
import "./collection";
import "./library";
import { go, type Place, placeOf, STAYS } from "./route";
import { loading, Screen } from "./screen";
import { session, type Theme, theme } from "./session";
import "./sign-in";
import { startOf } from "./start";

const ROOMS: { screen: Place["screen"]; also: Place["screen"]; path: string; label: string }[] = [
  { screen: "ask", also: "ask", path: "/console/ask", label: "Ask" },
  { screen: "library", also: "collection", path: "/console/library", label: "Library" },
  { screen: "agents", also: "agent", path: "/console/agents", label: "Agents" },
  { screen: "check", also: "check", path: "/console/check", label: "Check" },
];

/** The console: who is signed in, where they are, and the frame around it. */
class App extends Screen {
  #place = placeOf(location.pathname);
  #api: Api | null = null;
  #why = "";

  override connectedCallback(): void {
    super.connectedCallback();
    const key = session.key();
    if (key !== null) this.#begin(key);
    addEventListener("popstate", this.#moved);
    document.addEventListener("click", this.#clicked);
  }

  override disconnectedCallback(): void {
    removeEventListener("popstate", this.#moved);
    document.removeEventListener("click", this.#clicked);
    super.disconnectedCallback();
  }

  #begin(key: string): void {
    this.#api = new Api(key, (why) => this.#end(why));
    this.#start();
  }

  /** Who names no screen gets the one that is of use to them. */
  #start(): void {
    const api = this.#api;
    if (api === null || this.#place.screen !== "start") return;
    void startOf(api).then((path) => {
      if (this.#api === api && this.#place.screen === "start") go(path, true);
    });
  }

  #end(why = ""): void {
    session.end();
    this.#api = null;
    this.#why = why;
    this.requestUpdate();
  }

  readonly #moved = (event?: PopStateEvent): void => {
    const before = this.#place;
    this.#place = placeOf(location.pathname);
    this.requestUpdate();
    this.#start();
    const isOther = before.screen !== this.#place.screen || before.id !== this.#place.id;
    const elsewhere = isOther && event?.state !== STAYS;
    if (elsewhere) scrollTo(0, 0);
    // Who hears the page is told where they are now.
    void this.updateComplete.then(() => {
      if (elsewhere) this.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    });
  };

  /** Links of the console are followed in the page; with a key held down the browser does as ever. */
  readonly #clicked = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href^="/console"]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target) return;
    event.preventDefault();
    history.pushState(null, "", link.pathname);
    this.#moved();
  };

  override render(): TemplateResult {
    if (this.#api === null) {
      document.title = "Sign in – pincite";
      return html`<pc-sign-in .why=${this.#why} @signed-in=${(event: CustomEvent<string>) => {
        session.begin(event.detail);
        this.#begin(event.detail);
        this.#why = "";
        this.requestUpdate();
      }}></pc-sign-in>`;
    }
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to the content</a>
      <header class="top">
        <a class="brand" href="/console">pin<mark>cite</mark></a>
        <nav aria-label="Console">
          ${ROOMS.map((room) => {
            const here = [room.screen, room.also].includes(this.#place.screen);
            return html`<a href=${room.path} aria-current=${here ? "page" : nothing}>${room.label}</a>`;
          })}
        </nav>
        <div class="who">
          <label class="visually-hidden" for="theme">Colours</label>
          <select id="theme" class="small" @change=${this.#coloured}>
            ${(["system", "light", "dark"] as Theme[]).map(
              (one) =>
                html`<option value=${one} ?selected=${theme.get() === one}>${
                  { system: "Auto", light: "Light", dark: "Dark" }[one]
                }</option>`,
            )}
          </select>
          <button class="button quiet small" @click=${() => this.#end()}>Sign out</button>
        </div>
      </header>
      <main id="main" tabindex="-1">${this.#screen(this.#api)}</main>
    `;
  }

  #screen(api: Api): TemplateResult {
    const { screen, id, tab } = this.#place;
    if (screen === "start") return loading();
    if (screen === "ask") return html`<pc-ask .api=${api} .conversation=${id}></pc-ask>`;
    if (screen === "library") return html`<pc-library .api=${api}></pc-library>`;
    if (screen === "collection")
      return html`<pc-collection .api=${api} .collectionId=${id} .tab=${tab}></pc-collection>`;
    if (screen === "agents") return html`<pc-agents .api=${api}></pc-agents>`;
    if (screen === "agent") return html`<pc-agent .api=${api} .agentId=${id} .tab=${tab}></pc-agent>`;
    if (screen === "check") return html`<pc-check .api=${api} .tab=${tab}></pc-check>`;
    return html`<div class="empty"><h1>There is no such page</h1>
      <p>The address leads nowhere. <a href="/console/library">Go to the library</a>.</p></div>`;
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>("main")?.focus();
  }

  #coloured(event: Event): void {
    theme.set((event.target as HTMLSelectElement).value as Theme);
  }
}

customElements.define("pc-app", App);
