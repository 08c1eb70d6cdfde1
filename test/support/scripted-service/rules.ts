import type { IncomingMessage } from 'node:http';
import { bytesOf, isActive, type ScriptedAccount, type ScriptedJob } from './jobs.ts';
import { pollSeconds } from './shape.ts';

/** API part 8. */
export const activeJobLimit = 50;
/** This many equal requests at one moment are not retries but a request storm. */
const stormSize = 4;
/** Codes after which the service needs all parts again. */
const resendCodes: ReadonlySet<string | null> = new Set([
  'invalid_part',
  'part_size_mismatch',
  'empty_upload',
  'invalid_parts',
  'upload_incomplete',
]);

/** Watches a client from the service's side, and records each rule that it violates. */
export class Rules {
  readonly violations: string[] = [];
  readonly #account: ScriptedAccount;
  readonly #apiKey: string;
  readonly #now: () => number;
  /** An HTTP date has whole seconds. */
  readonly #toleranceMs: number;
  readonly #files = new Map<string, Buffer>();
  /** The earliest time of the next request, by its method and address. */
  readonly #notBefore = new Map<string, { readonly due: number; readonly setAt: number }>();
  readonly #notFoundCounts = new Map<ScriptedJob, number>();
  readonly #burst = new Map<string, { at: number; count: number }>();
  #rateLimit = { since: 0, until: 0 };
  #resendsAllowed = 0;

  constructor(account: ScriptedAccount, apiKey: string, now: () => number, toleranceMs: number) {
    this.#toleranceMs = toleranceMs;
    this.#account = account;
    this.#apiKey = apiKey;
    this.#now = now;
  }

  /** Declares the expected content of a file. */
  expectFile(name: string, bytes: Buffer): void {
    this.#files.set(name, bytes);
  }

  /**
   * Allows one part to be sent again, since the client may have been killed before it stored that the part was acknowledged,
   * and forgets all delays.
   */
  clientRestarted(): void {
    this.#resendsAllowed = 1;
    this.#rateLimit = { since: 0, until: 0 };
    this.#burst.clear();
    for (const [name, { setAt }] of this.#notBefore) {
      // A response at this very moment may not have been processed.
      if (name.startsWith('POST') || setAt === this.#now()) this.#notBefore.delete(name);
    }
  }

  /** Forgets all delays: after a retry by the user, an early request is not a violation. */
  userRetried(): void {
    this.#notBefore.clear();
  }

  onRequest(request: IncomingMessage): void {
    const now = this.#now();
    const name = nameOf(request);
    if (request.headers.authorization !== `Bearer ${this.#apiKey}`)
      this.#recordViolation(`${name} came without the key`);
    const { since, until } = this.#rateLimit;
    if (now > since && now < until)
      this.#recordViolation(`${name} came ${until - now} ms before the pause was over`);
    const due = this.#notBefore.get(name)?.due ?? 0;
    if (now < due) this.#recordViolation(`${name} came ${due - now} ms before its Retry-After`);
    const burst = this.#burst.get(name);
    if (burst === undefined || burst.at !== now) this.#burst.set(name, { at: now, count: 1 });
    else if ((burst.count += 1) === stormSize)
      this.#recordViolation(`${name} came ${stormSize} times at once`);
  }

  /** A request arrived at a place where the client must send nothing. */
  onStrayRequest(request: IncomingMessage): void {
    const key = request.headers.authorization === undefined ? 'without' : 'with';
    this.#recordViolation(`${nameOf(request)} went to another origin ${key} the key`);
  }

  onRefusal(
    request: IncomingMessage,
    code: string | null,
    retryAfter: string | undefined,
    job?: ScriptedJob,
  ): void {
    const seconds = Number(retryAfter);
    const wait = (Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - this.#now() : seconds * 1000) || 0;
    if (code === 'rate_limited') this.#rateLimit = { since: this.#now(), until: this.#now() + wait };
    else if (wait > 0) this.#forbidFor(nameOf(request), wait);
    if (resendCodes.has(code)) job?.acknowledged.clear();
    if (code === 'not_found' && job !== undefined)
      this.#notFoundCounts.set(job, (this.#notFoundCounts.get(job) ?? 0) + 1);
  }

  onCreate(key: string | undefined, body: string, content: string): void {
    if (key === undefined || !/^[\w.:-]{1,128}$/.test(key))
      return this.#recordViolation(`no valid key for ${content}`);
    const earlier = this.#account.request(key);
    if (earlier !== undefined && earlier.body !== body) this.#recordViolation(`the body of ${key} changed`);
    if (earlier !== undefined) return;
    const jobs = [...this.#account.jobs.values()];
    const other = jobs.find((job) => job.content === content && this.#isCurrent(job));
    if (other !== undefined)
      this.#recordViolation(`a second job for ${content} in addition to ${other.id}, ${other.status}`);
    if (this.#account.activeJobs >= activeJobLimit) this.#recordViolation('a job beyond the 50');
  }

  /** A poll has to wait for the delay in the previous response (API part 4.4). */
  onJobReported(job: ScriptedJob, path: string): void {
    if (isActive(job)) this.#forbidFor(`GET ${path}`, pollSeconds * 1000 - this.#toleranceMs);
  }

  /**
   * Whether requesting the same work again is a violation: a job that was reported missing three times counts as gone.
   */
  #isCurrent(job: ScriptedJob): boolean {
    return (isActive(job) || job.charged > 0) && (this.#notFoundCounts.get(job) ?? 0) < 3;
  }

  onPart(job: ScriptedJob, number: number, bytes: Buffer): void {
    const { part_size: size = 0, part_count: count = 0 } = job.session ?? {};
    const expected = Math.min(size, job.fileSize - (number - 1) * size);
    if (number < 1 || number > count) this.#recordViolation(`part ${number} of ${count}`);
    if (bytes.length !== expected)
      this.#recordViolation(`part ${number} has ${bytes.length} bytes, not ${expected}`);
    for (let before = 1; before < number; before += 1) {
      if (!job.parts.has(before)) this.#recordViolation(`part ${number} came before part ${before}`);
    }
    if (!job.acknowledged.has(number)) return;
    this.#resendsAllowed -= 1;
    if (this.#resendsAllowed < 0) this.#recordViolation(`part ${number} of ${job.id} was sent again`);
  }

  onStart(job: ScriptedJob): void {
    const file = this.#files.get(job.content);
    if (file !== undefined && !bytesOf(job).equals(file))
      this.#recordViolation(`${job.content} arrived as another file`);
  }

  /** Must be called after each charge. */
  onCharge(content: string): void {
    const charged = [...this.#account.jobs.values()].filter(
      (job) => job.content === content && job.charged > 0,
    );
    if (charged.length > 1) this.#recordViolation(`${content} was charged ${charged.length} times`);
  }

  #forbidFor(name: string, ms: number): void {
    const setAt = this.#now();
    this.#notBefore.set(name, { due: setAt + ms, setAt });
  }

  #recordViolation(what: string): void {
    this.violations.push(what);
  }
}

/** Returns the name of a request; requests with the same name are repetitions of one. */
function nameOf({ method, url, headers }: IncomingMessage): string {
  const key = headers['idempotency-key'];
  return `${method} ${url}${key === undefined ? '' : ` ${String(key)}`}`;
}
