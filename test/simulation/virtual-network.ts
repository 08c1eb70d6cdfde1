import { Buffer } from 'node:buffer';
import {
  unexpectedFault,
  type ServiceResult,
  type Fault,
  type RequestKind,
} from '../../electron/core/api/service-results.ts';
import type { ServiceRequests } from '../../electron/core/queue/services/services.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { refused, type VirtualService } from './virtual-service.ts';

/** The condition of the network and the service, which affects all requests for some time. */
export type NetworkCondition = 'fair' | 'offline' | 'wrong-key' | 'no-credits' | 'rate-limited' | 'failing';

/** Every condition, `fair` more often. */
export const networkConditions: readonly [NetworkCondition, ...NetworkCondition[]] = [
  'fair',
  'fair',
  'fair',
  'offline',
  'wrong-key',
  'no-credits',
  'rate-limited',
  'failing',
];

export interface NetworkOptions {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly service: VirtualService;
  readonly note: (line: string) => void;
  /** Called when a part's acknowledgement has reached the program. */
  readonly onAcknowledged: (jobId: string, number: number) => void;
  /** Called when a request is sent. */
  readonly onSend: () => void;
  /** Called when a part is sent. */
  readonly onPartSent: (jobId: string, number: number) => void;
}

type Refusal = { readonly ok: false; readonly fault: Fault };

/** Delivers requests to the service and its responses back, late or not at all. */
export class VirtualNetwork {
  condition: NetworkCondition = 'fair';
  /** The probability of a fault of a single request, 0 to 1. */
  faultRate = 0.1;
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** The client of one process: requests that arrived before it was killed take effect, but their responses are lost. */
  client(isAlive: () => boolean): ServiceRequests {
    const { service, onPartSent, onAcknowledged } = this.#options;
    const send = <T>(
      kind: RequestKind,
      what: string,
      handle: () => ServiceResult<T>,
      signal: AbortSignal,
    ): Promise<ServiceResult<T>> => this.#deliver(kind, what, handle, signal, isAlive);
    return {
      create: (request, signal) =>
        send(
          'create',
          request.key.slice(-6),
          () => service.create(request, this.condition !== 'no-credits'),
          signal,
        ),
      async sendPart({ partPath }, number, body, signal) {
        const received: Uint8Array[] = [];
        for await (const chunk of body.chunks(() => undefined)) received.push(Buffer.from(chunk));
        const bytes = Buffer.concat(received);
        onPartSent(partPath, number);
        const handle = (): ServiceResult<null> => service.part(partPath, number, bytes);
        const response = await send('part', `${partPath} ${number}`, handle, signal);
        if (response.ok) onAcknowledged(partPath, number);
        return response;
      },
      complete: (jobId, _session, signal) => send('complete', jobId, () => service.complete(jobId), signal),
      status: (jobId, signal) => send('status', jobId, () => service.status(jobId), signal),
      delete: (jobId, signal) => send('delete', jobId, () => service.delete(jobId), signal),
      close: async () => undefined,
    };
  }

  #deliver<T>(
    kind: RequestKind,
    what: string,
    handle: () => ServiceResult<T>,
    signal: AbortSignal,
    isAlive: () => boolean,
  ): Promise<ServiceResult<T>> {
    const { clock, random, note } = this.#options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (isAlive()) this.#options.onSend();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const fault = this.#nextFault();
      clock.schedule(random.between(1, 500), () => {
        // A request that has not arrived is lost with its connection.
        if (signal.aborted || !isAlive()) return;
        const result = fault.when === 'before' ? fault.response : handle();
        const response = fault.when === 'after' ? fault.response : result;
        note(
          `${kind} ${what} -> ${response.ok ? 'ok' : describe(response.fault)}${fault.when === 'after' ? ' (done)' : ''}`,
        );
        clock.schedule(random.between(1, 500), () => {
          if (isAlive()) resolve(response);
        });
      });
    });
  }

  /** The fault of a request: before the service has processed it, after that, or none. */
  #nextFault():
    { readonly when: 'before' | 'after'; readonly response: Refusal } | { readonly when: 'never' } {
    const { random } = this.#options;
    const before = (response: Refusal) => ({ when: 'before', response }) as const;
    switch (this.condition) {
      case 'offline':
        return before({ ok: false, fault: { kind: 'offline', message: 'no network' } });
      case 'wrong-key':
        return before(refused(401, 'invalid_api_key'));
      case 'rate-limited':
        return before(refused(429, 'rate_limited', random.pick([null, 1_000, 60_000])));
      case 'failing':
        return before(refused(503, 'queue_unavailable', random.pick([null, 5_000])));
      case 'fair':
      case 'no-credits':
    }
    if (!random.chance(this.faultRate)) return { when: 'never' };
    const response = random.pick<Refusal>([
      { ok: false, fault: { kind: 'interrupted', message: 'reset', retryAfterMs: null } },
      { ok: false, fault: unexpectedFault('half a response') },
      refused(500, 'request_failed'),
      refused(503, 'provider_unavailable', 2_000),
    ]);
    return { when: random.pick(['before', 'after']), response };
  }
}

const describe = (fault: Fault): string => (fault.kind === 'refused' ? String(fault.code) : fault.kind);
