/** A visitor's session: the token, the handle that is the same visitor tomorrow, and what a reload goes on with. */
import { isObject, type Json } from "../cited/shapes";

export interface Config {
  name: string;
  greeting: string;
  theme: Json;
  highlight: string;
  previews: boolean;
}

/** Words to be found on the page that is being opened. */
export interface Pending {
  /** The page that they are on, without its fragment. */
  url: string;
  /** Candidates, the most precise first. */
  words: { exact: string; before: string; behind: string }[];
  passage: string;
  /** The answer and the citation that led there, so that its preview can be shown instead. */
  message: string;
  index: number;
}

export interface Kept {
  thread: string;
  open: boolean;
  questions: { id: string; text: string; answer: string | null }[];
  pending: Pending | null;
}

export type Trouble = { kind: "refused" | "too-many" | "unavailable" | "offline"; message: string };

const EARLY_SECONDS = 20;
const OFFLINE = "The assistant cannot be reached. Check your connection and try again.";

export class Visit {
  #token: { value: string; until: number } | null = null;
  #minting: Promise<string> | null = null;
  readonly #name: string;

  constructor(
    readonly base: string,
    private readonly key: string,
  ) {
    this.#name = `pincite:${key.slice(-12)}`;
  }

  /** Returns a token that is good now. Throws a `Trouble`. */
  token(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return Promise.resolve(this.#token.value);
    this.#minting ??= this.#mint().finally(() => {
      this.#minting = null;
    });
    return this.#minting;
  }

  /** Lets go of a token that the server does not take any more. */
  forget(): void {
    this.#token = null;
  }

  async config(): Promise<Config> {
    const said = await asked(`${this.base}/embed/v1/config`, {
      headers: { Authorization: `Bearer ${this.key}` },
    });
    return {
      name: text(said["name"]) || "Assistant",
      greeting: text(said["greeting"]),
      theme: isObject(said["theme"]) ? said["theme"] : {},
      highlight: text(said["highlight"]),
      previews: said["previews"] === true,
    };
  }

  async #mint(): Promise<string> {
    const handle = read(localStorageOf(), `${this.#name}:visitor`);
    const body = handle ? { key: this.key, visitor_handle: handle } : { key: this.key };
    const said = await asked(`${this.base}/embed/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const value = text(said["token"]);
    const seconds = Number(said["expires_in"]) || 0;
    this.#token = { value, until: Date.now() + Math.max(1, seconds - EARLY_SECONDS) * 1000 };
    write(localStorageOf(), `${this.#name}:visitor`, text(said["visitor_handle"]));
    return value;
  }

  /** Returns what this tab was at. */
  kept(): Kept {
    try {
      const found: unknown = JSON.parse(read(sessionStorageOf(), this.#name) || "null");
      if (isObject(found) && typeof found["thread"] === "string" && Array.isArray(found["questions"]))
        return found as unknown as Kept;
    } catch {
      // What cannot be read is begun anew.
    }
    const thread = crypto.getRandomValues(new Uint32Array(4)).join("-");
    return { thread, open: false, questions: [], pending: null };
  }

  keep(kept: Kept): void {
    write(sessionStorageOf(), this.#name, JSON.stringify(kept));
  }

  /** Returns the answers of a conversation, as their streams told them. */
  async answers(thread: string): Promise<Json[]> {
    const said = await asked(`${this.base}/api/conversations/${encodeURIComponent(thread)}/citations`, {
      headers: { Authorization: `Bearer ${await this.token()}` },
    });
    return Array.isArray(said["answers"]) ? said["answers"].filter(isObject) : [];
  }
}

async function asked(url: string, init: RequestInit): Promise<Json> {
  let reply: Response;
  try {
    reply = await fetch(url, { ...init, credentials: "omit", cache: "no-store" });
  } catch {
    throw { kind: "offline", message: OFFLINE } satisfies Trouble;
  }
  const said: unknown = await reply.json().catch(() => null);
  if (reply.ok && isObject(said)) return said;
  const error = isObject(said) && isObject(said["error"]) ? text(said["error"]["message"]) : "";
  const kind = reply.status === 429 ? "too-many" : reply.status >= 500 ? "unavailable" : "refused";
  throw { kind, message: error || "The assistant is not available." } satisfies Trouble;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

// A page may be shown where there is no storage; then nothing is kept, and that is all.
function localStorageOf(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function sessionStorageOf(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

function read(storage: Storage | null, name: string): string {
  try {
    return storage?.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function write(storage: Storage | null, name: string, value: string): void {
  try {
    storage?.setItem(name, value);
  } catch {
    // It is full, or not allowed.
  }
}
