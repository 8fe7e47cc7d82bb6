import { html, type TemplateResult } from "lit";
import { Api } from "../shared/api";
import { notice, Screen, valueIn } from "./screen";

/** Asks for an API key and tries it. */
class SignIn extends Screen {
  static override properties = { why: { attribute: false } };
  declare why: string;

  constructor() {
    super();
    this.why = "";
  }

  override render(): TemplateResult {
    return html`<main class="sign-in">
      <h1 class="brand">pin<mark>cite</mark></h1>
      <p class="lead">Every sentence of an answer, traceable to the passage it came from.</p>
      <form class="card" @submit=${this.#submit}>
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required
          placeholder="pck_…" aria-describedby="key-help" autofocus />
        <p class="help" id="key-help">The server makes a first key when it starts, and says in the terminal which
          file it is in. The key stays in this tab and is gone when you close it.</p>
        ${this.fault !== null ? this.told() : this.why ? notice("bad", this.why) : ""}
        <button class="button primary wide" ?disabled=${this.busy}>Sign in</button>
      </form>
    </main>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const key = valueIn(event.target as HTMLFormElement, "key").trim();
    this.why = "";
    const there = await this.attempt(() => new Api(key).get("/api/manage/collections"));
    if (there !== undefined) this.dispatchEvent(new CustomEvent("signed-in", { detail: key }));
  }
}

customElements.define("pc-sign-in", SignIn);
