import { setImmediate as turn } from 'node:timers/promises';
import type { Item } from '../../electron/core/item/item.ts';
import { Ledger } from './ledger.ts';
import { backUpDatabase, damageDatabase, fullDisk } from './damage.ts';
import { Program, service } from './simulated-program.ts';
import { rule } from './broken-rule.ts';
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
  /** Without a user, never more items are active than the limit. */
  readonly #hasUser: boolean;
  readonly #user: User;
  #program: Program;
  #broken: unknown = null;
  #diskIsFull = false;
  /** When a commit first failed on the full disk; `null`: never. */
  #refusedAt: number | null = null;
  /** The process dies after `in` more commits; `null`: it does not. */
  #diesAt: { in: number; readonly moment: 'before' | 'after' } | null = null;
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
      onCreated: (job) => this.#must(() => this.#ledger.created(job, this.#items())),
      onComplete: (job) => this.#must(() => this.#ledger.completed(job, this.#items())),
    });
    this.#ledger = new Ledger(this.#service, this.#disk, this.#activeLimit);
    this.#network = new VirtualNetwork({
      clock,
      random: this.#random,
      service: this.#service,
      note: (line) => this.#note(line),
      onLeave: () => this.#must(() => this.#checkMaySend()),
      onPart: (jobId, number) => this.#must(() => this.#ledger.partLeaves(jobId, number)),
      onAcknowledged: (jobId, number) => this.#ledger.acknowledged(jobId, number),
    });
    this.#user = new User({
      random: this.#random,
      disk: this.#disk,
      ledger: this.#ledger,
      program: () => this.#program,
      isDiskFull: () => this.#diskIsFull,
      note: (line) => this.#note(line),
    });
    for (const path of paths) this.#disk.write(path, this.#random.bytes(40));
    this.#program = this.#start();
    this.#user.add();
  }

  /** Runs a random event or the next timer. */
  async chaos(): Promise<void> {
    const dice = this.#random.between(0, 99);
    if (dice < 5) this.#user.add();
    else if (dice < 20 && this.#hasUser) this.#user.act();
    else if (dice < 26) this.#touchFile();
    else if (dice < 31) this.#changeNetwork();
    else if (dice < 33) this.#fillDisk(!this.#diskIsFull);
    else if (dice < 36) await this.#crash('now');
    else if (dice < 39)
      this.#diesAt = { in: this.#random.between(1, 6), moment: this.#random.pick(['before', 'after']) };
    else if (dice < 40) await this.#damage();
    else if (dice < 41) backUpDatabase(this.#folder);
    else if (dice < 42) this.#setClock();
    else await this.step();
    await this.#settle();
  }

  /** Runs the next timer. */
  async step(): Promise<void> {
    this.#clock.step();
    await this.#settle();
  }

  /** Ends all faults, and lets the user resume everything. */
  async endFaults(): Promise<void> {
    this.#note('no faults from here on');
    this.#network.condition = 'fair';
    this.#network.faultRate = 0;
    this.#service.hasFaults = false;
    this.#diesAt = null;
    this.#fillDisk(false);
    for (const path of paths) this.#disk.bringBack(path);
    // Answers from before are still in flight.
    for (const end = this.#clock.elapsed + 2_000; this.#clock.elapsed < end && this.#clock.step();)
      await this.#settle();
    const { scheduler, queue } = this.#program;
    scheduler.setPaused(false);
    this.#ledger.calling();
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
    const ends = this.#items().map(({ id, state }) => `${id} ${state.kind}`);
    this.#note(`the end: ${ends.join(', ')}`);
  }

  async end(): Promise<void> {
    await this.#program.bury();
  }

  /** Lets everything finish that needs no time, and checks the rules. */
  async #settle(): Promise<void> {
    await turn();
    if (!this.#program.alive) await this.#crash('over');
    if (this.#broken !== null) throw this.#broken;
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
    if (this.#diskIsFull && moment === 'before') {
      this.#ledger.disturbed();
      this.#refusedAt ??= this.#clock.elapsed;
      throw fullDisk();
    }
    if (this.#diesAt === null || this.#diesAt.moment !== moment) return;
    this.#diesAt.in -= 1;
    if (this.#diesAt.in > 0) return;
    this.#diesAt = null;
    this.#note(`dies ${moment} a commit`);
    this.#program.die();
    throw new Error('the process dies');
  }

  #items(): readonly Item[] {
    return this.#program.store.items.page({ filter: 'all', offset: 0, limit: 100 });
  }

  #touchFile(): void {
    const path = this.#random.any(paths) ?? paths[0];
    const what = this.#random.pick(changes);
    this.#note(`${what} ${path}`);
    if (what === 'write' || what === 'overwrite') this.#disk[what](path, this.#random.bytes(40));
    else this.#disk[what](path);
  }

  #changeNetwork(): void {
    this.#network.condition = this.#random.pick(networkConditions);
    this.#note(`the network is ${this.#network.condition}`);
    if (this.#network.condition === 'fair')
      this.#user.run('try service', () => this.#program.scheduler.reopen(service));
  }

  #fillDisk(full: boolean): void {
    if (full !== this.#diskIsFull) this.#note(full ? 'the disk is full' : 'the disk has space');
    this.#diskIsFull = full;
    this.#refusedAt = null;
  }

  #setClock(): void {
    const hours = this.#random.between(-48, 48);
    this.#note(`the clock is set by ${hours} h`);
    this.#clock.shift(hours * 3_600_000);
    if (this.#random.chance(0.5)) this.#user.run('wake', () => this.#program.scheduler.onSystemResume());
  }

  async #crash(when: 'now' | 'over'): Promise<void> {
    if (when === 'now') this.#note('dies');
    this.#program.die();
    await turn();
    this.#ledger.disturbed();
    await this.#program.bury();
    this.#fillDisk(false);
    this.#program = this.#start();
    this.#hasChanged = true;
  }

  /** Damages the database while it is closed; the next start restores its last backup. */
  async #damage(): Promise<void> {
    this.#note('the database is damaged');
    this.#program.die();
    await turn();
    await this.#program.bury();
    damageDatabase(this.#folder);
    this.#fillDisk(false);
    this.#program = this.#start();
    rule(this.#program.store.openingProblem !== null, () => 'a damaged database is opened without a word');
    this.#ledger.restored(this.#program.store);
    this.#hasChanged = true;
  }

  /** Checks that no request starts while nothing can be stored. */
  #checkMaySend(): void {
    const knows = this.#refusedAt !== null && this.#clock.elapsed > this.#refusedAt;
    rule(!knows, () => 'a request leaves although nothing can be stored');
  }

  /** Checks a rule where the program would treat the error as a fault of the service. */
  #must(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#broken ??= error;
    }
  }

  #note(line: string): void {
    this.trace.push(`${(this.#clock.elapsed / 1000).toFixed(3)} ${line}`);
  }
}
