import { probeFileDuration } from '../../electron/core/media/probe.ts';
import { Queue } from '../../electron/core/queue/queue.ts';
import { Scheduler } from '../../electron/core/queue/scheduling/scheduler.ts';
import type { ServiceAccess, Services } from '../../electron/core/queue/services/services.ts';
import type { SourceFiles } from '../../electron/core/queue/scheduling/source-file.ts';
import { Store } from '../../electron/core/store/store.ts';
import { quietLogger } from '../support/core.ts';
import { createEmptyLibrary } from '../support/empty-library.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { VirtualNetwork } from './virtual-network.ts';

export const service = 'https://cloud.example';

export interface ProgramOptions {
  readonly folder: string;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly network: VirtualNetwork;
  readonly files: SourceFiles;
  readonly activeLimit: number;
  readonly parallelUploads: number;
  /** Called before and after each commit; its errors are thrown by the commit. */
  readonly onCommit: (moment: 'before' | 'after') => void;
}

/** One process of the real program: when it is killed, its memory is lost and its database keeps what was committed. */
export class Program {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly queue: Queue;
  #isAlive = true;

  constructor(options: ProgramOptions) {
    const { random, network, files, parallelUploads } = options;
    const clock = options.clock.startProcess();
    const onCommit = (moment: 'before' | 'after'): void => {
      if (!this.#isAlive) throw new Error('this process was killed');
      options.onCommit(moment);
    };
    createEmptyLibrary(options.folder);
    this.store = new Store({
      folder: options.folder,
      program: 'command-line',
      clock,
      random,
      onLeaseLost: () => {
        throw new Error('no other program takes the folder');
      },
      onCommit,
    });
    const access: ServiceAccess = {
      kind: 'open',
      client: network.client(() => this.#isAlive),
      maxActiveJobs: options.activeLimit,
    };
    const services: Services = { access: () => access, onChange: () => () => undefined };
    this.scheduler = new Scheduler({
      store: this.store,
      services,
      clock,
      random,
      logger: quietLogger,
      files,
      parallelUploads: () => parallelUploads,
      canStartNew: () => true,
      defaultAutoExports: () => [],
      onSaved: () => undefined,
      onChange: () => undefined,
    });
    this.queue = new Queue({
      store: this.store,
      scheduler: this.scheduler,
      services,
      clock,
      random,
      probeDuration: probeFileDuration,
    });
    this.scheduler.start();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends the process like a power cut. */
  kill(): void {
    this.#isAlive = false;
  }

  /** Closes its files, as the system does for a killed process. */
  async closeFiles(): Promise<void> {
    this.#isAlive = false;
    await this.store.close();
  }
}
