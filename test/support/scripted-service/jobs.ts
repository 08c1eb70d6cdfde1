/** An upload session as in the API, without its addresses (API part 2.3). */
export interface ScriptedSession {
  readonly part_size: number;
  readonly part_count: number;
}

export interface ScriptedJob {
  readonly id: string;
  readonly key: string;
  /** What is transcribed: the file's name or the link. In tests each recording has its own. */
  readonly content: string;
  /** `null` for a link. */
  readonly session: ScriptedSession | null;
  readonly fileSize: number;
  readonly durationSeconds: number;
  /** What it reports as unreadable, which may be anything. */
  readonly unreadableSeconds: unknown;
  readonly omittedSeconds: unknown;
  /** Unix milliseconds of the client's clock. */
  createdAt: number;
  readonly parts: Map<number, Buffer>;
  /** Parts that the client knows to be stored. */
  readonly acknowledged: Set<number>;
  status: string;
  /** The states that the next polls return, one each. */
  nextStatuses: string[];
  /** Credits that are charged and not refunded. */
  charged: number;
  /** Why it failed, if it has. */
  error: { readonly message: string; readonly code: string };
}

const final: ReadonlySet<string> = new Set(['completed', 'failed', 'deleted']);
/** API part 3: every other state counts as active. */
export const isActive = ({ status }: ScriptedJob): boolean => !final.has(status);

/** Returns the bytes of a file that was sent completely, in the order of its parts. */
export const bytesOf = ({ parts }: ScriptedJob): Buffer =>
  Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes));

export const isUploadComplete = ({ parts, session }: ScriptedJob): boolean =>
  parts.size === session?.part_count;

interface JobRequest {
  readonly content: string;
  /** `null` for a link. */
  readonly fileSize: number | null;
}

/** The jobs and the credits of one account. */
export class ScriptedAccount {
  readonly jobs = new Map<string, ScriptedJob>();
  readonly #byKey = new Map<string, { readonly body: string; readonly job: ScriptedJob }>();
  readonly #partBytes: number;
  readonly #nextStatuses: readonly string[];
  readonly #now: () => number;
  balance = 1_000;
  /** Whether jobs in progress never end. */
  holdsJobs = false;
  /** Whether jobs fail instead of being completed. */
  failsJobs = false;
  /** The code with which jobs fail for a reason that concerns the account; `null`: none does. */
  accountError: string | null = null;
  /** The duration of a recording in seconds, by its file's name or its link. */
  secondsOf: (content: string) => number = () => 90;
  /** How much of a recording it could not read, in seconds, by its file's name or its link. */
  unreadableOf: (content: string) => unknown = () => 0.5;
  omittedOf: (content: string) => unknown = () => 0.25;
  /** Whether credits are only checked after the upload, so that a job fails for lack of credits. */
  checksCreditsLate = false;

  constructor(partBytes: number, nextStatuses: readonly string[], now: () => number) {
    this.#now = now;
    this.#partBytes = partBytes;
    this.#nextStatuses = nextStatuses;
  }

  get activeJobs(): number {
    return [...this.jobs.values()].filter(isActive).length;
  }

  request(key: string): { readonly body: string; readonly job: ScriptedJob } | undefined {
    return this.#byKey.get(key);
  }

  create(key: string, body: string, { content, fileSize }: JobRequest): ScriptedJob {
    const session =
      fileSize === null
        ? null
        : { part_size: this.#partBytes, part_count: Math.ceil(fileSize / this.#partBytes) };
    const job: ScriptedJob = {
      id: `job-${this.jobs.size + 1}`,
      key,
      content,
      session,
      fileSize: fileSize ?? 0,
      durationSeconds: this.secondsOf(content),
      unreadableSeconds: this.unreadableOf(content),
      omittedSeconds: this.omittedOf(content),
      createdAt: this.#now(),
      parts: new Map(),
      acknowledged: new Set(),
      status: session === null ? 'accepted' : 'uploading',
      nextStatuses: [],
      charged: 0,
      error: { message: 'the audio is broken', code: 'no_audio' },
    };
    this.jobs.set(job.id, job);
    this.#byKey.set(key, { body, job });
    if (session === null) this.#begin(job);
    return job;
  }

  /** Completes the upload: the job is charged and started. */
  start(job: ScriptedJob): void {
    job.status = 'queued';
    this.#begin(job);
  }

  #begin(job: ScriptedJob): void {
    const cost = Math.ceil(job.durationSeconds / 60);
    const isShort = this.checksCreditsLate && this.balance < cost;
    const code = isShort ? 'insufficient_credits' : this.accountError;
    if (code !== null) job.error = { message: 'the account refuses it', code };
    job.nextStatuses = [...this.#nextStatuses, this.failsJobs || code !== null ? 'failed' : 'completed'];
    if (isShort) return;
    job.charged = cost;
    this.balance -= job.charged;
  }

  /** Advances the job between two polls. */
  advance(job: ScriptedJob): void {
    if (this.holdsJobs && job.nextStatuses.length === 1) return;
    const next = job.nextStatuses.shift();
    if (next === undefined) return;
    job.status = next;
    if (next === 'failed') this.#refund(job);
  }

  /** Deletes a job; an active one is refunded, a completed one is not (API part 4.6). */
  delete(job: ScriptedJob): void {
    if (isActive(job)) this.#refund(job);
    job.status = 'deleted';
    job.nextStatuses = [];
  }

  /** Loses all jobs, and what was charged for them. */
  loseJobs(): void {
    for (const job of this.jobs.values()) this.#refund(job);
    this.jobs.clear();
    this.#byKey.clear();
  }

  #refund(job: ScriptedJob): void {
    this.balance += job.charged;
    job.charged = 0;
  }
}
