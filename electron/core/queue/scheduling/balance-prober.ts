import type { ServiceAddress } from '../../../contract/service.ts';
import type { Clock, Logger, Random } from '../../ports.ts';
import { reactionTo } from '../machine/fault-reactions.ts';
import type { ServiceStates } from '../services/service-gate.ts';
import type { OpenAccess, Services } from '../services/services.ts';

export interface BalanceProberOptions {
  readonly services: Services;
  readonly states: ServiceStates;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly logger: Logger;
  /** Called when an answer has arrived. */
  readonly onChange: () => void;
  /** Called when a poll has ended in any way. */
  readonly onEnd: () => void;
}

/** Polls a failed job of an account for its balance, which may have been topped up. */
export class BalanceProber {
  readonly #options: BalanceProberOptions;
  readonly #polls = new Set<Promise<void>>();
  readonly #abort = new AbortController();

  constructor(options: BalanceProberOptions) {
    this.#options = options;
  }

  /** Polls for the balance of an account if that is due. */
  startDue(service: ServiceAddress, now: number): void {
    const { services, states, logger, onEnd } = this.#options;
    const access = services.access(service);
    const jobId = access.kind === 'open' ? states.gate(service).takeBalanceProbe(now) : null;
    if (access.kind !== 'open' || jobId === null) return;
    const poll = this.#readBalance(service, jobId, access)
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted)
          logger.warn('the balance could not be read', { error: String(error) });
      })
      .finally(() => {
        this.#polls.delete(poll);
        onEnd();
      });
    this.#polls.add(poll);
  }

  async #readBalance(service: ServiceAddress, jobId: string, { client }: OpenAccess): Promise<void> {
    const { states, clock, random, onChange } = this.#options;
    const { signal } = this.#abort;
    const result = await client.status(jobId, signal);
    if (signal.aborted) return;
    const gate = states.gate(service);
    const reaction = result.ok ? null : reactionTo('status', result.fault);
    if (reaction?.kind === 'service')
      gate.handle(reaction.serviceFault, { now: clock.now(), random: random.next() });
    else if (result.ok && result.balanceCredits !== null) states.setBalance(service, result.balanceCredits);
    else if (result.ok || reaction?.kind === 'job-gone') gate.onBalanceUnavailable();
    else gate.onBalancePollFailed();
    onChange();
  }

  /** Aborts all polls. */
  abort(): void {
    this.#abort.abort(new Error('the queue stops'));
  }

  /** Resolves when no poll is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.#polls);
  }
}
