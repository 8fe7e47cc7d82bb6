import { type Api, at, type Refused, refusal } from "../shared/api";
import type { JobBody, JobList } from "../types/server";

/** What became of a file that is being added, as far as it is known. */
export interface Arrival {
  key: string;
  name: string;
  state:
    | "sending"
    | "waiting"
    | "reading"
    | "ready"
    | "flagged"
    | "unchanged"
    | "failed"
    | "taken"
    | "stopped";
  /** Share of the bytes that have been sent. */
  sent: number;
  page: number;
  pages: number;
  message: string;
  job: string;
  /** The file itself, where it may have to be sent again. */
  file: File | null;
}

interface Told {
  file: string;
  status: Arrival["state"];
  page: number;
  pages: number;
  message: string | null;
}

export const OVER: ReadonlySet<Arrival["state"]> = new Set([
  "ready",
  "flagged",
  "unchanged",
  "failed",
  "taken",
  "stopped",
]);
const ENDED: ReadonlySet<string> = new Set(["done", "failed", "cancelled"]);
// A browser keeps six connections to one server; a stream holds one until its job has ended.
const STREAMS = 2;
const JOBS = 50;
const AGAIN_SECONDS = 2;
const DISMISSED = "pincite.dismissed";

/** The files that are on their way into one collection: sent, followed, and told of when something changes. */
export class Arrivals {
  list: Arrival[] = [];
  #streams = 0;
  #waiting: string[] = [];
  #followed = new Set<string>();
  #number = 0;
  readonly #gone = new AbortController();

  constructor(
    private readonly api: Api,
    private readonly collectionId: string,
    private readonly onChange: (finished: boolean) => void,
  ) {}

  /** Stops following; what the server is reading goes on. */
  close(): void {
    this.#gone.abort();
  }

  /** Takes up the jobs that the server is at, and what failed lately. */
  async takeUp(): Promise<void> {
    const { jobs } = await this.api.get<JobList>(`/api/manage/jobs?limit=${JOBS}`);
    const mine = jobs.filter((one) => one.kind === "ingest" && one.collection_id === this.collectionId);
    const newer = new Set<string>();
    const dismissed = new Set(sessionStorage.getItem(DISMISSED)?.split("\n"));
    for (const job of mine) {
      const files = toldOf(job);
      if (!ENDED.has(job.state)) this.#follow(job.job_id);
      for (const told of files) {
        const name = told.file;
        const shown = !ENDED.has(job.state) || told.status === "failed";
        if (!newer.has(name) && shown && !dismissed.has(`${job.job_id} ${name}`)) this.#told(job, told);
        newer.add(name);
      }
    }
    this.onChange(false);
  }

  /** Sends files; each ends in a row of its own, whatever becomes of the others. */
  async add(files: File[], replace = false): Promise<void> {
    if (files.length === 0) return;
    const names = new Set(files.map((one) => one.name));
    this.list = this.list.filter((one) => !(names.has(one.name) && OVER.has(one.state)));
    const rows = files.map((file) => this.#row(file.name, file));
    this.list = [...rows, ...this.list];
    this.onChange(false);
    const path = at`/api/manage/collections/${this.collectionId}/documents`;
    try {
      const job = await this.api.upload<JobBody>(path, files, replace, (share) => {
        for (const row of rows) row.sent = share;
        this.onChange(false);
      });
      for (const row of rows) {
        row.job = job.job_id;
        row.state = "waiting";
      }
      this.#heard(job);
      this.#follow(job.job_id);
    } catch (error) {
      const refused = refusal(error);
      if (refused.status === 409 && files.length > 1) {
        // One of them is there already: each by itself, so that the others come in.
        this.list = this.list.filter((one) => !rows.includes(one));
        for (const file of files) await this.add([file], replace);
        return;
      }
      this.#refused(rows, refused);
    }
    this.onChange(false);
  }

  /** Sends a file again as the new version of the one that is there. */
  replace(arrival: Arrival): Promise<void> {
    return arrival.file === null ? Promise.resolve() : this.add([arrival.file], true);
  }

  dismiss(arrival: Arrival): void {
    this.list = this.list.filter((one) => one !== arrival);
    const kept = sessionStorage.getItem(DISMISSED)?.split("\n") ?? [];
    sessionStorage.setItem(DISMISSED, [...kept, `${arrival.job} ${arrival.name}`].slice(-500).join("\n"));
    this.onChange(false);
  }

  #refused(rows: Arrival[], refused: Refused): void {
    for (const row of rows) {
      row.state = refused.status === 409 ? "taken" : "failed";
      row.message = refused.message;
    }
  }

  #row(name: string, file: File | null): Arrival {
    this.#number += 1;
    return {
      key: `arrival-${this.#number}`, name, state: "sending", sent: 0, page: 0, pages: 0, message: "", job: "", file,
    }; // biome-ignore format: one row of what it starts with
  }

  #follow(job: string): void {
    if (this.#followed.has(job)) return;
    this.#followed.add(job);
    this.#waiting.push(job);
    this.#next();
  }

  #next(): void {
    while (this.#streams < STREAMS && this.#waiting.length > 0) {
      const job = this.#waiting.shift() ?? "";
      this.#streams += 1;
      void this.#read(job).finally(() => {
        this.#streams -= 1;
        this.#next();
      });
    }
  }

  async #read(job: string): Promise<void> {
    const signal = this.#gone.signal;
    let state = "";
    while (!signal.aborted && !ENDED.has(state)) {
      try {
        for await (const event of this.api.follow(at`/api/manage/jobs/${job}/events`, signal)) {
          if (event.event !== "job") continue;
          const body = JSON.parse(event.data) as JobBody;
          state = body.state;
          this.#heard(body);
          this.onChange(ENDED.has(state));
        }
      } catch (error) {
        if (signal.aborted) return;
        const { status, message } = refusal(error);
        if (status >= 400 && status < 500 && status !== 429) {
          for (const row of this.list)
            if (row.job === job && !OVER.has(row.state)) Object.assign(row, { state: "failed", message });
          this.onChange(true);
          return;
        }
      }
      if (!ENDED.has(state)) await new Promise((resolve) => setTimeout(resolve, AGAIN_SECONDS * 1000));
    }
  }

  #heard(job: JobBody): void {
    for (const told of toldOf(job)) this.#told(job, told);
    if (job.state !== "failed" && job.state !== "cancelled") return;
    const said = job.error?.["message"];
    for (const row of this.list) {
      if (row.job !== job.job_id || OVER.has(row.state)) continue;
      row.state = job.state === "failed" ? "failed" : "stopped";
      row.message = typeof said === "string" ? said : "";
    }
  }

  #told(job: JobBody, told: Told): void {
    let row = this.list.find((one) => one.job === job.job_id && one.name === told.file);
    if (row === undefined) {
      row = this.#row(told.file, null);
      row.job = job.job_id;
      this.list = [...this.list, row];
    }
    row.state = told.status;
    row.page = told.page;
    row.pages = told.pages;
    row.message = told.message ?? "";
  }
}

function toldOf(job: JobBody): Told[] {
  const files = job.progress["files"] ?? job.result?.["files"];
  return Array.isArray(files) ? (files as Told[]) : [];
}
