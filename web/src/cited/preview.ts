/** Previews of cited passages and pictures of their pages, with the reader's token; the last ones are kept. */
import type { PreviewBody } from "../types/server";
import type { Cited } from "./shapes";

export type { PreviewBody };

/** A passage, or why there is none to show; `last` is what was read of it before it was gone. */
export type Shown =
  | { kind: "shown"; preview: PreviewBody }
  | { kind: "gone" | "signed-out" | "failed"; message: string; last?: PreviewBody };

export const GONE = "This source is no longer available.";
const UNREACHED = "The source could not be loaded. Check the connection and try again.";
const MOST_PREVIEWS = 60;
const MOST_PICTURES = 16;

export interface Wanted {
  mode: "page" | "crop";
  /** A page of the passage; its first one where none is named. */
  page?: number;
  /** Pixels. */
  width: number;
}

/** What was asked for last is kept, what was not asked for longest goes first. */
class Kept<T> {
  readonly #found = new Map<string, Promise<T>>();

  constructor(
    readonly most: number,
    readonly gone: (one: T) => void = () => {},
  ) {}

  get(key: string, make: () => Promise<T>, stays: (one: T) => boolean): Promise<T> {
    const found = this.#found.get(key) ?? make();
    this.#found.delete(key);
    this.#found.set(key, found);
    found.then(
      (one) => {
        if (!stays(one) && this.#found.get(key) === found) this.#found.delete(key);
      },
      () => this.#found.delete(key),
    );
    for (const [oldest, one] of this.#found) {
      if (this.#found.size <= this.most) break;
      this.#found.delete(oldest);
      void one.then(this.gone, () => {});
    }
    return found;
  }

  /** Returns what is kept, and lets go of it. */
  take(key: string): Promise<T> | undefined {
    const found = this.#found.get(key);
    this.#found.delete(key);
    return found;
  }

  clear(): void {
    for (const one of this.#found.values()) void one.then(this.gone, () => {});
    this.#found.clear();
  }
}

/** Loads what is behind a number. `token` is asked for each request, since a visitor's is renewed. */
export class Previews {
  readonly #shown = new Kept<Shown>(MOST_PREVIEWS);
  readonly #pictures = new Kept<string | null>(MOST_PICTURES, (url) => {
    if (url !== null) URL.revokeObjectURL(url);
  });

  constructor(
    private readonly base: string,
    private readonly token: () => string | Promise<string>,
  ) {}

  /**
   * Returns the passage of a citation; `quote` are the words to light, `question` what they answer. With `anew` the
   * server is asked although the passage is known: its source may have changed, or be gone.
   */
  preview(cited: Cited, question = "", quote = "", anew = false): Promise<Shown> {
    if (cited.chunk_id === null) return Promise.resolve({ kind: "gone", message: GONE });
    const path = address(this.base, cited, "/preview", question, quote);
    const before = anew ? this.#shown.take(path) : undefined;
    return this.#shown.get(
      path,
      () => this.#preview(path, before),
      (one) => one.kind === "shown" || one.last !== undefined,
    );
  }

  /** Returns the address of a picture in this page, or null: then there is none, and that is no fault. */
  picture(cited: Cited, wanted: Wanted, question = "", quote = ""): Promise<string | null> {
    if (cited.chunk_id === null) return Promise.resolve(null);
    const path = imageAddress(this.base, cited, wanted, question, quote);
    return this.#pictures.get(
      path,
      () => this.#picture(path),
      (one) => one !== null,
    );
  }

  /** Returns the same to be drawn, for pages whose policy lets no addresses of pictures in; it is not kept. */
  async drawn(cited: Cited, wanted: Wanted, question = "", quote = ""): Promise<ImageBitmap | null> {
    if (cited.chunk_id === null) return null;
    const image = await this.#image(imageAddress(this.base, cited, wanted, question, quote));
    return image === null ? null : createImageBitmap(image).catch(() => null);
  }

  /** Lets go of everything; pictures that are still shown go too. */
  clear(): void {
    this.#shown.clear();
    this.#pictures.clear();
  }

  async #preview(path: string, known?: Promise<Shown>): Promise<Shown> {
    const before = await known;
    const found = await this.#read(path);
    const last = before?.kind === "shown" ? before.preview : before?.last;
    if (last === undefined) return found;
    // What was read before stands in for what does not arrive, and says what a source said that is gone.
    if (found.kind === "failed") return before as Shown;
    return found.kind === "gone" ? { ...found, last } : found;
  }

  async #read(path: string): Promise<Shown> {
    try {
      const reply = await this.#fetch(path);
      if (reply.ok) return { kind: "shown", preview: (await reply.json()) as PreviewBody };
      if (reply.status === 404) return { kind: "gone", message: GONE };
      const said = ((await reply.json().catch(() => null)) as { error?: { message?: string } } | null)?.error;
      return { kind: reply.status === 401 ? "signed-out" : "failed", message: said?.message ?? UNREACHED };
    } catch {
      return { kind: "failed", message: UNREACHED };
    }
  }

  async #picture(path: string): Promise<string | null> {
    const image = await this.#image(path);
    return image === null ? null : URL.createObjectURL(image);
  }

  async #image(path: string): Promise<Blob | null> {
    try {
      const reply = await this.#fetch(path);
      const kind = reply.headers.get("content-type") ?? "";
      return reply.ok && /^image\/(png|webp|jpeg)/.test(kind) ? await reply.blob() : null;
    } catch {
      return null;
    }
  }

  async #fetch(path: string): Promise<Response> {
    return fetch(path, {
      headers: { Authorization: `Bearer ${await this.token()}` },
      credentials: "omit",
      cache: "no-store",
    });
  }
}

function imageAddress(base: string, cited: Cited, wanted: Wanted, question: string, quote: string): string {
  const more: Record<string, string> = { mode: wanted.mode, width: String(Math.round(wanted.width)) };
  if (wanted.page !== undefined) more["page"] = String(wanted.page);
  return address(base, cited, "/preview/image", question, quote, more);
}

function address(
  base: string,
  cited: Cited,
  end: string,
  question: string,
  quote: string,
  more: Record<string, string> = {},
): string {
  const asked = new URLSearchParams(more);
  if (cited.version !== null) asked.set("version", cited.version);
  if (quote) asked.set("quote", quote.slice(0, 4_000));
  else if (question) asked.set("q", question.slice(0, 4_000));
  const query = asked.toString();
  const path = `${base}/api/manage/citations/${encodeURIComponent(cited.chunk_id ?? "")}${end}`;
  return query ? `${path}?${query}` : path;
}
