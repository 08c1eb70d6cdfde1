import type { ScriptedJob } from './jobs.ts';

/** Each point that the API leaves open, and the ways in which a service may implement it. */
export const openPoints = {
  /** Where an error body has its code (API part 7). */
  errorCode: ['error.code', 'error.type', 'top level', 'nowhere'],
  /** The `Location` of a new job; `absent` only where the body names the job. */
  location: ['absolute', 'relative', 'absent'],
  /** The upload session in the response to a create request (API part 2.3). */
  upload: ['beside data', 'inside data', 'alone'],
  uploadAddresses: ['absolute', 'relative'],
  /** The body of the response to a link's create request. */
  remoteBody: ['job', 'empty'],
  /** Whether a replay contains the upload session again. */
  replay: ['with upload', 'without upload'],
  /** A job's transcript before the job is completed (API part 2.1). */
  transcriptUntilDone: ['absent', 'null', 'empty'],
  list: ['array', 'data', 'data.items'],
  /** Whether a job contains its creation time. */
  created: ['absent', 'date', 'seconds'],
  /** What the list contains for each job (API part 2.4). */
  records: ['whole', 'identifier alone'],
  /** Fields and job states that the API does not define. */
  unknowns: ['none', 'many'],
  /** A failed job's error (API part 2.1). */
  jobError: ['object', 'string'],
  segments: ['present', 'absent', 'empty'],
  retryAfter: ['seconds', 'date', 'absent'],
  /** The bodies that the API does not define: the response to a part and to a deletion. */
  otherBodies: ['object', 'empty', 'text', 'text sent as HTML'],
  /** The body of an accepted completion. */
  completion: ['job', 'identifier alone'],
} as const;

/** A choice for each open point. */
export type Shape = { readonly [P in keyof typeof openPoints]: (typeof openPoints)[P][number] };

export const defaultShape: Shape = {
  errorCode: 'error.code',
  location: 'absolute',
  upload: 'beside data',
  uploadAddresses: 'absolute',
  remoteBody: 'job',
  replay: 'with upload',
  transcriptUntilDone: 'null',
  list: 'data',
  created: 'absent',
  records: 'whole',
  unknowns: 'none',
  jobError: 'object',
  segments: 'present',
  retryAfter: 'seconds',
  otherBodies: 'object',
  completion: 'job',
};

/** A response before it is sent; a body of `null` is empty. */
export interface ScriptedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const jobsPath = '/api/v1/transcriptions';
/** API part 4.4. */
export const pollSeconds = 3;
export const transcriptText = 'Good morning. Thank you for coming.';

/** Creates responses in the shape of one service. */
export class ResponseWriter {
  readonly #shape: Shape;
  readonly #baseUrl: string;

  constructor(shape: Shape, baseUrl: string) {
    this.#shape = shape;
    this.#baseUrl = baseUrl;
  }

  refusal(status: number, code: string | null, retryAfter: string | null = null): ScriptedResponse {
    const message = `refused: ${code ?? status}`;
    const bodies: Record<Shape['errorCode'], unknown> = {
      'error.code': { error: { message, code } },
      'error.type': { error: { message, type: code } },
      'top level': { error: { message }, code },
      nowhere: { error: { message } },
    };
    return {
      status,
      headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
      body: code === null ? { error: { message } } : bodies[this.#shape.errorCode],
    };
  }

  created(job: ScriptedJob, replayed: boolean, now: number): ScriptedResponse {
    const headers = {
      ...this.#location(job),
      ...this.#retryAfter(now),
      ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    };
    const status = replayed ? 200 : job.session === null ? 202 : 201;
    return { status, headers, body: this.#createdBody(job, replayed) };
  }

  #createdBody(job: ScriptedJob, replayed: boolean): unknown {
    if (job.session === null) {
      return this.#shape.remoteBody === 'job' || this.#shape.location === 'absent'
        ? { data: { id: job.id, status: job.status }, ...this.#unknowns() }
        : null;
    }
    const data = { id: job.id, status: job.status, ...this.#unknowns() };
    if (replayed && this.#shape.replay === 'without upload') return { data };
    const base = this.#shape.uploadAddresses === 'absolute' ? this.#baseUrl : '';
    const upload = {
      ...job.session,
      part_url: `${base}${jobsPath}/${job.id}/upload`,
      complete_url: `${base}${jobsPath}/${job.id}/complete`,
      ...this.#unknowns(),
    };
    if (this.#shape.upload === 'inside data') return { data: { ...data, upload } };
    return this.#shape.upload === 'alone' && this.#shape.location !== 'absent'
      ? { upload }
      : { data, upload };
  }

  job(job: ScriptedJob, balance: number, now: number): ScriptedResponse {
    const body = { data: this.#record(job), meta: { balance_credits: balance }, ...this.#unknowns() };
    return { status: 200, headers: this.#retryAfter(now), body };
  }

  completion(job: ScriptedJob, wasCompleted: boolean, balance: number, now: number): ScriptedResponse {
    const jobResponse = this.job(job, balance, now);
    const body = this.#shape.completion === 'job' ? jobResponse.body : { data: { id: job.id } };
    return { ...jobResponse, status: wasCompleted ? 200 : 202, body };
  }

  list(jobs: readonly ScriptedJob[]): ScriptedResponse {
    const records = jobs
      .slice(-100)
      .map((job) => (this.#shape.records === 'whole' ? this.#record(job) : { id: job.id }));
    const bodies: Record<Shape['list'], unknown> = {
      array: records,
      data: { data: records },
      'data.items': { data: { items: records } },
    };
    return { status: 200, headers: {}, body: bodies[this.#shape.list] };
  }

  /** Creates a response whose body the API does not define. */
  plain(): ScriptedResponse {
    const { otherBodies } = this.#shape;
    const bodies: Record<Shape['otherBodies'], unknown> = {
      object: { ok: true },
      empty: null,
      text: 'OK',
      'text sent as HTML': 'OK',
    };
    const isHtml = otherBodies === 'text sent as HTML';
    return {
      status: 200,
      headers: isHtml ? { 'content-type': 'text/html; charset=utf-8' } : {},
      body: bodies[otherBodies],
    };
  }

  #record(job: ScriptedJob): unknown {
    const error = { object: job.error, string: job.error.message };
    return {
      id: job.id,
      status: job.status,
      progress: job.status === 'completed' ? 100 : 10,
      file_name: job.content,
      source_kind: 'audio',
      ...this.#created(job),
      duration_seconds: job.durationSeconds,
      unreadable_seconds: job.unreadableSeconds,
      omitted_seconds: job.omittedSeconds,
      billed_minutes: Math.ceil(job.durationSeconds / 60),
      credits_charged: job.charged,
      ...this.#transcript(job),
      error: job.status === 'failed' ? error[this.#shape.jobError] : null,
      ...this.#unknowns(),
    };
  }

  #created({ createdAt }: ScriptedJob): Readonly<Record<string, unknown>> {
    if (this.#shape.created === 'absent') return {};
    const date = new Date(createdAt).toISOString();
    return { created_at: this.#shape.created === 'date' ? date : Math.round(createdAt / 1000) };
  }

  #transcript(job: ScriptedJob): Readonly<Record<string, unknown>> {
    if (job.status !== 'completed') {
      const until = this.#shape.transcriptUntilDone;
      return until === 'absent' ? {} : { transcript: until === 'null' ? null : {} };
    }
    const segments = {
      present: {
        segments: [
          { start: 0, end: 1.5, text: 'Good morning.', ...this.#unknowns() },
          { start: 1.5, end: 4, text: 'Thank you for coming.' },
        ],
      },
      absent: {},
      empty: { segments: [] },
    };
    return { transcript: { text: transcriptText, ...segments[this.#shape.segments], ...this.#unknowns() } };
  }

  #location({ id }: ScriptedJob): Record<string, string> {
    const path = `${jobsPath}/${id}`;
    if (this.#shape.location === 'absent') return {};
    return { location: this.#shape.location === 'absolute' ? this.#baseUrl + path : path };
  }

  #retryAfter(now: number): Record<string, string> {
    if (this.#shape.retryAfter === 'absent') return {};
    const date = new Date(now + pollSeconds * 1000).toUTCString();
    return { 'retry-after': this.#shape.retryAfter === 'seconds' ? String(pollSeconds) : date };
  }

  #unknowns(): Record<string, unknown> {
    return this.#shape.unknowns === 'none'
      ? {}
      : { kind: 'offline', x_trace: { ok: [1, null] }, error_code: 'x' };
  }
}
