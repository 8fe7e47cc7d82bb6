/** A visitor's session: the token, the handle that is the same visitor tomorrow, and what a reload goes on with. */
import { isObject, type Json } from "../cited/shapes";
import { freshId } from "../shared/ids";

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

export interface Trouble {
  kind: "signed-out" | "refused" | "too-many" | "unavailable" | "offline";
  message: string;
}

const EARLY_SECONDS = 20;
const EXPIRED = "Your visit has expired, and a new one could not be begun. Reload the page to go on.";

/** Returns what a visitor is told: the server's own sentence is for those who run it, unless it is about the answer. */
export function sentence(kind: string, message: string, after?: number): string {
  const when = after === undefined || after < 2 ? "in a moment" : `in ${Math.ceil(after)} seconds`;
  switch (kind) {
    case "offline":
      return "The assistant cannot be reached. Check your connection and try again.";
    case "unavailable":
      return `The assistant is busy, or being restarted. Try again ${when}.`;
    case "too-many":
      return `There are too many questions just now. Try again ${when}.`;
    case "signed-out":
      return EXPIRED;
    case "forbidden":
    case "gone":
    case "refused":
      return "The assistant is not available on this page.";
    default:
      return message;
  }
}

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
    const said = await begun(`${this.base}/embed/v1/config`, {
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
    const said = await begun(`${this.base}/embed/v1/session`, {
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
    return { thread: freshId(), open: false, questions: [], pending: null };
  }

  keep(kept: Kept): void {
    write(sessionStorageOf(), this.#name, JSON.stringify(kept));
  }

  /** Returns the answers of a conversation, as their streams told them. */
  async answers(thread: string): Promise<Json[]> {
    const url = `${this.base}/api/conversations/${encodeURIComponent(thread)}/citations`;
    const ask = async (): Promise<Json> =>
      asked(url, { headers: { Authorization: `Bearer ${await this.token()}` } });
    const said = await ask().catch((trouble: Trouble) => {
      if (trouble.kind !== "signed-out") throw trouble;
      this.forget();
      return ask();
    });
    return Array.isArray(said["answers"]) ? said["answers"].filter(isObject) : [];
  }
}

/** Asks with the key of the page: where that is refused, a new visit would not help. */
function begun(url: string, init: RequestInit): Promise<Json> {
  return asked(url, init).catch((trouble: Trouble) => {
    if (trouble.kind !== "signed-out") throw trouble;
    throw { kind: "refused", message: sentence("refused", "") } satisfies Trouble;
  });
}

async function asked(url: string, init: RequestInit): Promise<Json> {
  let reply: Response;
  try {
    reply = await fetch(url, { ...init, credentials: "omit", cache: "no-store" });
  } catch {
    throw { kind: "offline", message: sentence("offline", "") } satisfies Trouble;
  }
  const said: unknown = await reply.json().catch(() => null);
  if (reply.ok && isObject(said)) return said;
  const { status } = reply;
  const kind =
    status === 401 ? "signed-out" : status === 429 ? "too-many" : status >= 500 ? "unavailable" : "refused";
  const after = Number(reply.headers.get("retry-after")) || undefined;
  throw { kind, message: sentence(kind, "", after) } satisfies Trouble;
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
