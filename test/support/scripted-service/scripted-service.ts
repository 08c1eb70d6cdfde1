import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '../../../electron/core/ports.ts';
import { requestsInFlight } from '../servers/requests-in-flight.ts';
import {
  FaultPlan,
  send,
  sendFaulty,
  type Endpoint,
  type ActiveInjection,
  type Injection,
  type AlteredResponse,
  type ScriptedFault,
} from './faults.ts';
import { isActive, isUploadComplete, ScriptedAccount, type ScriptedJob } from './jobs.ts';
import { activeJobLimit, Rules } from './rules.ts';
import { ResponseWriter, jobsPath, defaultShape, type ScriptedResponse, type Shape } from './shape.ts';

export interface ScriptedServiceOptions {
  /** The client's own clock, so that both agree on durations. */
  readonly clock: Clock;
  readonly shape?: Partial<Shape>;
  readonly partBytes?: number;
}

/** A call that was answered. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Unix milliseconds of the client's clock. */
  readonly at: number;
  readonly content: string | null;
}

/**
 * A service over real HTTP that implements the API with jobs in memory, fails as a test wants it to, and checks that
 * its client keeps the rules of `docs/reliability.md`.
 */
export class ScriptedService {
  readonly key = 'scripted-key';
  /** Milliseconds of the clock before each response. */
  answerAfterMs = 0;
  readonly calls: Call[] = [];
  /** Recordings whose jobs the list omits, although they exist. */
  readonly hidden = new Set<string>();
  readonly account: ScriptedAccount;
  readonly rules: Rules;
  readonly #plan = new FaultPlan();
  readonly #clock: Clock;
  readonly #shape: Shape;
  readonly #server: Server;
  /** A server at another origin, to which the client must send nothing. */
  readonly #otherOrigin: Server;
  #writer: ResponseWriter;
  #port = 0;
  #stalled = 0;

  private constructor({ clock, shape, partBytes = 1024 }: ScriptedServiceOptions) {
    this.#clock = clock;
    this.#shape = { ...defaultShape, ...shape };
    const nextStatuses = this.#shape.unknowns === 'none' ? ['processing'] : ['polishing', 'processing'];
    this.account = new ScriptedAccount(partBytes, nextStatuses, () => clock.now());
    this.rules = new Rules(
      this.account,
      this.key,
      () => clock.now(),
      this.#shape.retryAfter === 'date' ? 999 : 0,
    );
    this.#writer = new ResponseWriter(this.#shape, '');
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
    this.#otherOrigin = createServer((request, response) => {
      this.rules.onStrayRequest(request);
      response.writeHead(200).end('{}');
    });
  }

  static async start(options: ScriptedServiceOptions): Promise<ScriptedService> {
    const service = new ScriptedService(options);
    await listen(service.#otherOrigin, 0);
    await service.startListening();
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The rules that the client has violated so far. */
  get violations(): readonly string[] {
    return this.rules.violations;
  }

  /** Whether a request is in flight that will be answered without time passing. */
  readonly isBusy = (): boolean => requestsInFlight(this.baseUrl) > this.#stalled;

  inject(injection: Injection): ActiveInjection {
    return this.#plan.inject(injection);
  }

  callsOf(endpoint: Endpoint): readonly Call[] {
    return this.calls.filter((call) => call.endpoint === endpoint);
  }

  /** Stops listening: connections are refused. */
  async stopListening(): Promise<void> {
    await close(this.#server);
  }

  async startListening(): Promise<void> {
    await listen(this.#server, this.#port);
    this.#port = portOf(this.#server);
    this.#writer = new ResponseWriter(this.#shape, this.baseUrl);
  }

  async stop(): Promise<void> {
    await Promise.all([close(this.#server), close(this.#otherOrigin)]);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', this.baseUrl);
    const endpoint = endpointOf(request.method, url.pathname);
    if (endpoint === null) return send(response, this.#writer.refusal(404, 'not_found'));
    const call = new ScriptedCall(request, url, body, this.account);
    const { content } = call;
    this.calls.push({ endpoint, at: this.#clock.now(), content });
    this.rules.onRequest(request);
    if (endpoint === 'create') this.rules.onCreate(call.key, body.toString(), content ?? '');

    if (this.answerAfterMs > 0) await this.#wait(this.answerAfterMs);
    const fault = this.#plan.take(endpoint, content);
    const isCarriedOut = fault === null || fault.tookEffect;
    const scripted = isCarriedOut ? this.#carryOut(endpoint, call) : { status: 200, headers: {}, body: null };
    if (fault !== null) return this.#sendFaulty(call, response, scripted, fault);
    // Recorded before it is sent: the client may read it and start its delay before this code continues.
    this.#recordResponse(endpoint, call, scripted);
    send(response, scripted);
  }

  async #wait(ms: number): Promise<void> {
    this.#stalled += 1;
    await new Promise<void>((resolve) => {
      this.#clock.schedule(ms, resolve);
    });
    this.#stalled -= 1;
  }

  #sendFaulty(
    call: ScriptedCall,
    response: ServerResponse,
    scripted: ScriptedResponse,
    fault: ScriptedFault | AlteredResponse,
  ): void {
    if (fault.kind === 'altered') return send(response, fault.alter(scripted));
    if (fault.kind === 'refusal') {
      this.rules.onRefusal(call.request, fault.code, fault.retryAfter, call.job);
      return send(response, this.#writer.refusal(fault.status, fault.code, fault.retryAfter ?? null));
    }
    if (fault.kind === 'stall') {
      this.#stalled += 1;
      response.once('close', () => (this.#stalled -= 1));
    }
    sendFaulty(response, scripted, fault.kind, `http://127.0.0.1:${portOf(this.#otherOrigin)}`);
  }

  #carryOut(endpoint: Endpoint, call: ScriptedCall): ScriptedResponse {
    const { account } = this;
    if (endpoint === 'create') return this.#create(call);
    if (endpoint === 'list') return this.#list();
    const { job } = call;
    if (job === undefined) return this.#writer.refusal(404, 'not_found');
    switch (endpoint) {
      case 'part':
        return this.#takePart(job, call);
      case 'complete':
        return this.#complete(job);
      case 'status':
        account.advance(job);
        return this.#writer.job(job, account.balance, this.#clock.now());
      case 'delete':
        if (job.status === 'deleted') return this.#writer.refusal(404, 'not_found');
        account.delete(job);
        return this.#writer.plain();
    }
  }

  #list(): ScriptedResponse {
    return this.#writer.list(
      [...this.account.jobs.values()].filter(({ content }) => !this.hidden.has(content)),
    );
  }

  #create({ key = '', body, content, fileSize }: ScriptedCall): ScriptedResponse {
    const earlier = this.account.request(key);
    if (earlier !== undefined) {
      return earlier.body === body.toString()
        ? this.#writer.created(earlier.job, true, this.#clock.now())
        : this.#writer.refusal(409, 'idempotency_conflict');
    }
    if (this.account.balance <= 0) return this.#writer.refusal(402, 'insufficient_credits');
    if (this.account.activeJobs >= activeJobLimit) return this.#writer.refusal(429, 'active_job_limit');
    const job = this.account.create(key, body.toString(), { content: content ?? '', fileSize });
    this.rules.onCharge(job.content);
    return this.#writer.created(job, false, this.#clock.now());
  }

  #takePart(job: ScriptedJob, { partNumber, body }: ScriptedCall): ScriptedResponse {
    if (job.status !== 'uploading') return this.#writer.refusal(409, 'invalid_status');
    this.rules.onPart(job, partNumber, body);
    job.parts.set(partNumber, body);
    return this.#writer.plain();
  }

  #complete(job: ScriptedJob): ScriptedResponse {
    if (job.status === 'deleted' || job.status === 'failed')
      return this.#writer.refusal(409, 'invalid_status');
    if (!isUploadComplete(job)) return this.#writer.refusal(409, 'upload_incomplete');
    const wasCompleted = job.status === 'completed';
    if (job.status === 'uploading') {
      this.rules.onStart(job);
      this.account.start(job);
      this.rules.onCharge(job.content);
    }
    return this.#writer.completion(job, wasCompleted, this.account.balance, this.#clock.now());
  }

  /** Records what the client knows after a response. */
  #recordResponse(
    endpoint: Endpoint,
    { job, partNumber, url }: ScriptedCall,
    scripted: ScriptedResponse,
  ): void {
    if (job === undefined || scripted.status >= 300) return;
    if (endpoint === 'part') job.acknowledged.add(partNumber);
    if (endpoint === 'status') this.rules.onJobReported(job, url.pathname);
    if (endpoint === 'complete') this.rules.onJobReported(job, url.pathname.replace(/\/complete$/, ''));
  }
}

/** A request with its parsed content. */
class ScriptedCall {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: Buffer;
  readonly job: ScriptedJob | undefined;
  readonly key: string | undefined;
  readonly partNumber: number;
  readonly content: string | null;
  /** `null` when the request is not about a file. */
  readonly fileSize: number | null;

  constructor(request: IncomingMessage, url: URL, body: Buffer, account: ScriptedAccount) {
    this.request = request;
    this.url = url;
    this.body = body;
    this.job = account.jobs.get(url.pathname.slice(jobsPath.length + 1).split('/')[0] ?? '');
    this.key = request.headers['idempotency-key']?.toString();
    this.partNumber = Number(url.searchParams.get('part_number'));
    const created = url.pathname === jobsPath && request.method === 'POST' ? parseCreateBody(body) : {};
    this.content = created.url ?? created.file_name ?? this.job?.content ?? null;
    this.fileSize = created.file_size ?? null;
  }
}

interface CreateBody {
  readonly url?: string;
  readonly file_name?: string;
  readonly file_size?: number;
}
const parseCreateBody = (body: Buffer): CreateBody => JSON.parse(body.toString()) as CreateBody;

function endpointOf(method: string | undefined, path: string): Endpoint | null {
  if (path === jobsPath) return method === 'POST' ? 'create' : 'list';
  if (!path.startsWith(`${jobsPath}/`)) return null;
  if (path.endsWith('/upload')) return 'part';
  if (path.endsWith('/complete')) return 'complete';
  return method === 'DELETE' ? 'delete' : 'status';
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const listen = async (server: Server, port: number): Promise<void> => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/** Returns the active jobs of the service. */
export const activeJobsOf = (service: ScriptedService): readonly ScriptedJob[] =>
  [...service.account.jobs.values()].filter(isActive);
