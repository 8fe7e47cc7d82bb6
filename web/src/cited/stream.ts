/** A client of AG-UI over `fetch`: the events of one run, and how it ended. */
import { freshId } from "../shared/ids";
import { isObject, type Json } from "./shapes";

/** How a run came to its end. */
export type Outcome =
  | { kind: "done" }
  | {
      /** `offline`: nothing was reached. `broken`: the stream was cut. `failed`: the run itself says so. */
      kind:
        | "signed-out"
        | "forbidden"
        | "gone"
        | "refused"
        | "too-many"
        | "unavailable"
        | "offline"
        | "broken"
        | "stopped"
        | "failed";
      /** A sentence for the reader, the server's own where it said one. */
      message: string;
      /** Seconds after which to try again, where the server names them. */
      after?: number;
    };

export interface Asked {
  /** `/api/agents/{id}/ag-ui`, or `/embed/v1/ag-ui`. */
  url: string;
  token: string;
  threadId: string;
  question: string;
  messageId: string;
  signal?: AbortSignal;
}

const MOST_IN_AN_EVENT = 8_000_000;
const KINDS: Record<number, Exclude<Outcome["kind"], "done">> = {
  401: "signed-out",
  403: "forbidden",
  404: "gone",
  429: "too-many",
  503: "unavailable",
};

/** Cuts a stream of server-sent events into the data of each. Lines end in CR, LF or both, and in nothing else. */
export class Sse {
  #line = "";
  #data: string[] = [];
  #size = 0;
  #afterCr = false;
  #begun = false;

  /** Takes a piece of text and returns the data of the events that it completes. */
  push(given: string): string[] {
    if (given === "") return [];
    let piece = given;
    if (!this.#begun) {
      this.#begun = true;
      piece = piece.replace(/^\ufeff/, "");
    }
    if (this.#afterCr && piece.startsWith("\n")) piece = piece.slice(1);
    const found: string[] = [];
    let at = 0;
    for (const end of piece.matchAll(/\r\n|\n|\r/g)) {
      this.#add(piece.slice(at, end.index));
      at = end.index + end[0].length;
      const whole = this.#ends();
      if (whole !== null) found.push(whole);
    }
    this.#afterCr = piece.endsWith("\r");
    this.#add(piece.slice(at));
    return found;
  }

  #add(text: string): void {
    this.#size += text.length;
    // An event that is larger than any of ours is passed over.
    if (this.#size <= MOST_IN_AN_EVENT) this.#line += text;
  }

  #ends(): string | null {
    const line = this.#line;
    this.#line = "";
    if (line !== "") {
      if (line.startsWith("data:")) this.#data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      return null;
    }
    const whole = this.#size <= MOST_IN_AN_EVENT && this.#data.length > 0 ? this.#data.join("\n") : null;
    this.#data = [];
    this.#size = 0;
    return whole;
  }
}

/** Asks, hands every event on in its order, and says how it ended. It never throws. */
export async function run(asked: Asked, take: (event: Json) => void): Promise<Outcome> {
  const stopped: Outcome = { kind: "stopped", message: "The answer was stopped." };
  const isStopped = (): boolean => asked.signal?.aborted === true;
  let reply: Response;
  try {
    reply = await fetch(asked.url, request(asked));
  } catch {
    if (isStopped()) return stopped;
    return { kind: "offline", message: "The server cannot be reached. Check the connection and ask again." };
  }
  if (!reply.ok || reply.body === null) return await refused(reply);
  let outcome: Outcome | null = null;
  const events = new Sse();
  const text = new TextDecoder();
  const pieces = reply.body.getReader();
  const all = (found: string[]): void => {
    for (const data of found) {
      const event = parsed(data);
      if (event === null) continue;
      if (event["type"] === "RUN_FINISHED") outcome ??= { kind: "done" };
      if (event["type"] === "RUN_ERROR") outcome = { kind: "failed", message: said(event["message"]) };
      take(event);
    }
  };
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) break;
      all(events.push(text.decode(value, { stream: true })));
    }
    all(events.push(`${text.decode()}\n\n`));
  } catch {
    if (isStopped()) return stopped;
  } finally {
    pieces.cancel().catch(() => {});
  }
  return outcome ?? { kind: "broken", message: "The connection was cut before the answer was finished." };
}

function request(asked: Asked): RequestInit {
  const body = {
    threadId: asked.threadId,
    runId: freshId(),
    state: {},
    messages: [{ id: asked.messageId, role: "user", content: asked.question }],
    tools: [],
    context: [],
    forwardedProps: {},
  };
  const made: RequestInit = {
    method: "POST",
    headers: {
      Authorization: `Bearer ${asked.token}`,
      "Content-Type": "application/json",
      Accept: "text/event-stream",
    },
    credentials: "omit",
    cache: "no-store",
    body: JSON.stringify(body),
  };
  if (asked.signal) made.signal = asked.signal;
  return made;
}

async function refused(reply: Response): Promise<Outcome> {
  const error = parsed(await reply.text().catch(() => ""))?.["error"];
  const message = said(isObject(error) ? error["message"] : undefined);
  const kind = KINDS[reply.status] ?? (reply.status >= 500 ? "unavailable" : "refused");
  const after = Number(reply.headers.get("retry-after"));
  return after > 0 ? { kind, message, after } : { kind, message };
}

function said(message: unknown): string {
  return typeof message === "string" && message ? message : "The answer could not be given.";
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
