import { setImmediate as turn } from 'node:timers/promises';
import type { Item } from '../../electron/core/item/item.ts';
import { Ledger } from './ledger.ts';
import { backUpDatabase, damageDatabase, fullDisk } from './damage.ts';
import { Program, service } from './simulated-program.ts';
import { checkRule } from './broken-rule.ts';
import { SeededRandom } from './seeded-random.ts';
import { User } from './user.ts';
import { VirtualClock } from './virtual-clock.ts';
import { changes, paths, VirtualDisk } from './virtual-disk.ts';
import { VirtualNetwork, networkConditions } from './virtual-network.ts';
import { VirtualService } from './virtual-service.ts';

/** The program and everything around it; all events follow from one seed. */
export class World {
  readonly trace: string[] = [];
  readonly #clock = new VirtualClock();
  readonly #random: SeededRandom;
  readonly #disk = new VirtualDisk();
  readonly #service: VirtualService;
  readonly #network: VirtualNetwork;
  readonly #ledger: Ledger;
  readonly #folder: string;
  readonly #activeLimit: number;
  readonly #parallelUploads: number;
  /** Whether the user runs commands; without them no more items are active than the limit allows. */
  readonly #hasUser: boolean;
  readonly #user: User;
  #program: Program;
  #violation: unknown = null;
  #isDiskFull = false;
  /** When a commit first failed on the full disk; `null`: never. */
  #refusedAt: number | null = null;
  /** The process is killed after `in` more commits; `null`: it is not. */
  #killAt: { in: number; readonly moment: 'before' | 'after' } | null = null;
  #hasChanged = true;

  constructor(seed: number, folder: string) {
    this.#random = new SeededRandom(seed);
    this.#folder = folder;
    this.#hasUser = seed % 4 !== 0;
    this.#activeLimit = this.#random.between(2, 5);
    this.#parallelUploads = this.#random.between(1, 4);
    const clock = this.#clock;
    this.#service = new VirtualService({
      clock,
      random: this.#random,
      activeLimit: this.#activeLimit,
      onCreated: (job) => this.#recordViolation(() => this.#ledger.onJobCreated(job, this.#items())),
      onCompleted: (job) => this.#recordViolation(() => this.#ledger.onJobCompleted(job, this.#items())),
    });
    this.#ledger = new Ledger(this.#service, this.#disk, this.#activeLimit);
    this.#network = new VirtualNetwork({
      clock,
      random: this.#random,
      service: this.#service,
      note: (line) => this.#note(line),
      onSend: () => this.#recordViolation(() => this.#checkMaySend()),
      onPartSent: (jobId, number) => this.#recordViolation(() => this.#ledger.onPartSent(jobId, number)),
      onAcknowledged: (jobId, number) => this.#ledger.onAcknowledged(jobId, number),
    });
    this.#user = new User({
      random: this.#random,
      disk: this.#disk,
      ledger: this.#ledger,
      program: () => this.#program,
      isDiskFull: () => this.#isDiskFull,
      note: (line) => this.#note(line),
    });
    for (const path of paths) this.#disk.write(path, this.#random.bytes(40));
    this.#program = this.#start();
    this.#user.add();
  }

  /** Runs a random event or the next timer. */
  async runRandomEvent(): Promise<void> {
    const roll = this.#random.between(0, 99);
    if (roll < 5) this.#user.add();
    else if (roll < 20 && this.#hasUser) this.#user.runRandomCommand();
    else if (roll < 26) this.#changeFile();
    else if (roll < 31) this.#changeNetwork();
    else if (roll < 33) this.#setDiskFull(!this.#isDiskFull);
    else if (roll < 36) await this.#restart('running');
    else if (roll < 39)
      this.#killAt = { in: this.#random.between(1, 6), moment: this.#random.pick(['before', 'after']) };
    else if (roll < 40) await this.#damage();
    else if (roll < 41) backUpDatabase(this.#folder);
    else if (roll < 42) this.#setClock();
    else await this.step();
    await this.#settle();
  }

  /** Runs the next timer. */
  async step(): Promise<void> {
    this.#clock.step();
    await this.#settle();
  }

  /** Ends all faults; the user then resumes everything. */
  async endFaults(): Promise<void> {
    this.#note('no faults from here on');
    this.#network.condition = 'fair';
    this.#network.faultRate = 0;
    this.#service.hasFaults = false;
    this.#killAt = null;
    this.#setDiskFull(false);
    for (const path of paths) this.#disk.replug(path);
    // Responses from before are still in flight.
    for (const endAt = this.#clock.elapsed + 2_000; this.#clock.elapsed < endAt && this.#clock.step();)
      await this.#settle();
    const { scheduler, queue } = this.#program;
    scheduler.setPaused(false);
    this.#ledger.allowExtraStarts();
    queue.resume(this.#ledger.ids);
    scheduler.reopen(service);
    scheduler.onSystemResume();
    await this.#settle();
  }

  /** The user retries failed and blocked items. */
  async tryAgain(): Promise<void> {
    for (const item of this.#items()) {
      if (item.state.kind === 'blocked' || item.state.kind === 'failed') this.#user.retry(item);
    }
    await this.#settle();
  }

  /** Whether nothing is left to do. */
  isQuiet(): boolean {
    return this.#items().every(({ state }) =>
      ['done', 'failed', 'blocked', 'cancelled'].includes(state.kind),
    );
  }

  checkEnd(): void {
    this.#ledger.checkEnd(this.#program.store);
    const states = this.#items().map(({ id, state }) => `${id} ${state.kind}`);
    this.#note(`the end: ${states.join(', ')}`);
  }

  async close(): Promise<void> {
    await this.#program.closeFiles();
  }

  /** Lets everything finish that needs no time, and checks the rules. */
  async #settle(): Promise<void> {
    await turn();
    if (!this.#program.isAlive) await this.#restart('killed');
    if (this.#violation !== null) throw this.#violation;
    if (this.#hasChanged) this.#ledger.check(this.#program.store);
    this.#hasChanged = false;
  }

  #start(): Program {
    return new Program({
      folder: this.#folder,
      clock: this.#clock,
      random: this.#random,
      network: this.#network,
      files: this.#disk,
      activeLimit: this.#activeLimit,
      parallelUploads: this.#parallelUploads,
      onCommit: (moment) => this.#commit(moment),
    });
  }

  #commit(moment: 'before' | 'after'): void {
    this.#hasChanged = true;
    if (this.#isDiskFull && moment === 'before') {
      this.#ledger.allowResends();
      this.#refusedAt ??= this.#clock.elapsed;
      throw fullDisk();
    }
    if (this.#killAt === null || this.#killAt.moment !== moment) return;
    this.#killAt.in -= 1;
    if (this.#killAt.in > 0) return;
    this.#killAt = null;
    this.#note(`killed ${moment} a commit`);
    this.#program.kill();
    throw new Error('the process was killed');
  }

  #items(): readonly Item[] {
    return this.#program.store.items.page({ filter: 'all', offset: 0, limit: 100 });
  }

  #changeFile(): void {
    const path = this.#random.pickAny(paths) ?? paths[0];
    const change = this.#random.pick(changes);
    this.#note(`${change} ${path}`);
    if (change === 'write' || change === 'overwrite') this.#disk[change](path, this.#random.bytes(40));
    else this.#disk[change](path);
  }

  #changeNetwork(): void {
    this.#network.condition = this.#random.pick(networkConditions);
    this.#note(`the network is ${this.#network.condition}`);
    if (this.#network.condition === 'fair')
      this.#user.run('try service', () => this.#program.scheduler.reopen(service));
  }

  #setDiskFull(isFull: boolean): void {
    if (isFull !== this.#isDiskFull) this.#note(isFull ? 'the disk is full' : 'the disk has space');
    this.#isDiskFull = isFull;
    this.#refusedAt = null;
  }

  #setClock(): void {
    const hours = this.#random.between(-48, 48);
    this.#note(`the clock is set by ${hours} h`);
    this.#clock.shift(hours * 3_600_000);
    if (this.#random.chance(0.5)) this.#user.run('wake', () => this.#program.scheduler.onSystemResume());
  }

  async #restart(state: 'running' | 'killed'): Promise<void> {
    if (state === 'running') this.#note('killed');
    this.#program.kill();
    await turn();
    this.#ledger.allowResends();
    await this.#program.closeFiles();
    this.#setDiskFull(false);
    this.#program = this.#start();
    this.#hasChanged = true;
  }

  /** Damages the database while it is closed; the next start restores its last backup. */
  async #damage(): Promise<void> {
    this.#note('the database is damaged');
    this.#program.kill();
    await turn();
    await this.#program.closeFiles();
    damageDatabase(this.#folder);
    this.#setDiskFull(false);
    this.#program = this.#start();
    checkRule(
      this.#program.store.openingProblem !== null,
      () => 'a damaged database is opened without a report',
    );
    this.#ledger.onRestored(this.#program.store);
    this.#hasChanged = true;
  }

  /** Checks that no request starts while nothing can be stored. */
  #checkMaySend(): void {
    const isKnown = this.#refusedAt !== null && this.#clock.elapsed > this.#refusedAt;
    checkRule(!isKnown, () => 'a request is sent although nothing can be stored');
  }

  /** Runs a check whose error the program would treat as a fault of the service, and records the error. */
  #recordViolation(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#violation ??= error;
    }
  }

  #note(line: string): void {
    this.trace.push(`${(this.#clock.elapsed / 1000).toFixed(3)} ${line}`);
  }
}
