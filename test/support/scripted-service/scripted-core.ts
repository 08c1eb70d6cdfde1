import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import type { ServiceStatus } from '../../../electron/contract/service.ts';
import type { Longhand } from '../../../electron/core/longhand.ts';
import { add, memorySecrets, openCore, rowsOf } from '../core.ts';
import { FastClock } from '../clocks/fast-clock.ts';
import { silentWav } from '../speech/quick-speech.ts';
import { ScriptedService, type ScriptedServiceOptions } from './scripted-service.ts';

const minute = 60_000;
const final: ReadonlySet<string> = new Set(['done', 'failed', 'blocked', 'cancelled']);

export interface Reopening {
  /** Changes the data folder while no core is open. */
  readonly meanwhile?: (dataFolder: string) => Promise<void>;
}

/** The real core with its database in a folder, and a scripted service over real HTTP; both use one fast clock. */
export class ScriptedCore {
  readonly clock: FastClock;
  readonly service: ScriptedService;
  /** The services of other accounts, whose keys the core has from its next opening on. */
  readonly others: ScriptedService[] = [];
  /** Number of parallel uploads. */
  parallelUploads = 2;
  /** The limit of each account, in credits; `null`: none. */
  creditLimit: number | null = null;
  readonly #folder: string;
  #longhand: Longhand;

  private constructor(clock: FastClock, service: ScriptedService, folder: string) {
    this.clock = clock;
    this.service = service;
    this.#folder = folder;
    this.#longhand = this.#open();
  }

  /** @param now when the clock starts, Unix milliseconds. */
  static async start(
    options: Omit<ScriptedServiceOptions, 'clock'> = {},
    now?: number,
  ): Promise<ScriptedCore> {
    const clock = new FastClock(now);
    return new ScriptedCore(
      clock,
      await ScriptedService.start({ ...options, clock }),
      await mkdtemp(join(tmpdir(), 'longhand-')),
    );
  }

  get longhand(): Longhand {
    return this.#longhand;
  }

  #open(): Longhand {
    const { baseUrl } = this.service;
    const longhand = openCore(join(this.#folder, 'data'), {
      clock: this.clock,
      parallelUploads: () => this.parallelUploads,
      creditLimit: () => this.creditLimit,
      random: { next: () => 0.5, uuid: () => randomBytes(8).toString('hex') },
      secrets: memorySecrets(
        Object.fromEntries([this.service, ...this.others].map(({ baseUrl, key }) => [baseUrl, key])),
      ),
    });
    longhand.start();
    // Makes the core read the key.
    longhand.serviceStatus(baseUrl);
    return longhand;
  }

  /** Reopens the core with another account, whose service this returns. */
  async addAccount(): Promise<ScriptedService> {
    const other = await ScriptedService.start({ clock: this.clock });
    this.others.push(other);
    await this.reopen();
    return other;
  }

  /** Ends the core in the middle of its work, and starts it again on the same folder. */
  async reopen({ meanwhile }: Reopening = {}): Promise<void> {
    await this.#longhand.close();
    await meanwhile?.(join(this.#folder, 'data'));
    this.service.rules.clientRestarted();
    this.#longhand = this.#open();
  }

  async close(): Promise<void> {
    await this.#longhand.close();
    for (const service of [this.service, ...this.others]) await service.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Adds a recording with unique content, by default in three parts, and returns that content. */
  async addFile(name: string, sizeBytes = 2_500, service = this.service): Promise<Buffer> {
    const wave = silentWav(1, sizeBytes);
    randomBytes(sizeBytes - 44).copy(wave, 44);
    const path = this.pathOf(name);
    await writeFile(path, wave);
    service.rules.expectFile(name, wave);
    await add(this.longhand, [path], service.baseUrl);
    return wave;
  }

  /** Returns the path of a recording; its folder contains nothing else but the data folder. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  async addLink(url: string): Promise<void> {
    await add(this.longhand, [], this.service.baseUrl, [url]);
  }

  rows(): readonly QueueRow[] {
    return rowsOf(this.longhand);
  }

  /** Returns the only row. */
  row(): QueueRow {
    const [row] = this.rows();
    if (row === undefined) throw new Error('the queue is empty');
    return row;
  }

  status(): ServiceStatus {
    return this.longhand.serviceStatus(this.service.baseUrl);
  }

  /**
   * Lets time pass until `condition()` is true, but no longer than `limitMs`.
   *
   * @returns whether it is true.
   */
  advanceUntil(condition: () => boolean, limitMs = 60 * minute): Promise<boolean> {
    const isBusy = (): boolean => [this.service, ...this.others].some((service) => service.isBusy());
    return this.clock.advanceUntil(condition, isBusy, limitMs);
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.advanceUntil(() => false, ms);
  }

  /** Whether nothing continues without the user. */
  readonly isSettled = (): boolean => this.rows().every(({ state }) => final.has(state.kind));
}
