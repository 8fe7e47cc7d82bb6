import type { Fault } from "../types/server";
import { EventReader, type StreamEvent } from "./events";

const UNKNOWN = "This server does not know this key.";
const UNREACHABLE = "The server cannot be reached. Is it running?";

/** What the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = "",
    readonly field: string | null = null,
  ) {
    super(message);
    this.name = "Refused";
  }
}

/** Returns any error as one that can be shown. */
export function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused(0, error instanceof TypeError ? UNREACHABLE : String(error));
}

/** Returns a path with its names escaped: `at\`/api/x/${id}\``. */
export function at(parts: TemplateStringsArray, ...names: string[]): string {
  return parts.reduce((whole, part, index) => whole + encodeURIComponent(names[index - 1] ?? "") + part);
}

/** Asks the server with one API key. A key that the server no longer knows ends the session through `onLost`. */
export class Api {
  constructor(
    private readonly key: string,
    private readonly onLost: (why: string) => void = () => {},
  ) {}

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#json<T>("GET", path, undefined, signal);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.#json<T>("POST", path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>("PATCH", path, body);
  }

  delete<T = void>(path: string): Promise<T> {
    return this.#json<T>("DELETE", path);
  }

  /** Deletes something although the page is being left; nobody hears how that went. */
  async leave(path: string): Promise<void> {
    const headers = { Authorization: `Bearer ${this.key}` };
    const request: RequestInit = { method: "DELETE", headers, credentials: "omit", keepalive: true };
    await fetch(path, request).catch(() => {});
  }

  /** Returns a file or picture, which needs the key as everything does. */
  async blob(path: string): Promise<Blob> {
    return (await this.#fetch("GET", path)).blob();
  }

  /** Sends files as a form; `onSent` hears which share of the bytes has left. */
  upload<T>(path: string, files: File[], replace: boolean, onSent: (share: number) => void): Promise<T> {
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    if (replace) form.append("replace", "true");
    // `fetch` does not tell how much of a body has been sent.
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", path);
      request.setRequestHeader("Authorization", `Bearer ${this.key}`);
      request.upload.onprogress = (event) => {
        if (event.lengthComputable && event.total > 0) onSent(event.loaded / event.total);
      };
      request.onerror = () =>
        reject(new Refused(0, "The files did not arrive: the connection was cut, or a file cannot be read."));
      request.onload = () => {
        const body = parsed(request.responseText);
        if (request.status < 300) resolve(body as T);
        else reject(this.#refused(request.status, body));
      };
      request.send(form);
    });
  }

  /** Follows a stream of events until the server ends it. */
  async *follow(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const reply = await this.#fetch("GET", path, undefined, signal);
    if (reply.body === null) return;
    const events = new EventReader();
    const pieces = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await pieces.read();
        if (done) return;
        yield* events.push(value);
      }
    } finally {
      await pieces.cancel().catch(() => {});
    }
  }

  async #json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const reply = await this.#fetch(method, path, body, signal);
    return parsed(await reply.text()) as T;
  }

  async #fetch(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.key}` };
    const request: RequestInit = { method, headers, credentials: "omit", cache: "no-store" };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(body);
    }
    if (signal !== undefined) request.signal = signal;
    const reply = await fetch(path, request);
    if (!reply.ok) throw this.#refused(reply.status, parsed(await reply.text()));
    return reply;
  }

  #refused(status: number, body: unknown): Refused {
    const said = (body as Partial<Fault> | null)?.error;
    const refused = new Refused(
      status,
      // The server's own sentence is for programs.
      status === 401 ? UNKNOWN : (said?.message ?? `The server answered with the status ${status}.`),
      said?.code,
      said?.field ?? null,
    );
    if (status === 401) this.onLost(refused.message);
    return refused;
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
