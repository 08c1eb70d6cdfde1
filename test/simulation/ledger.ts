import { Buffer } from 'node:buffer';
import type { ItemId } from '../../electron/contract/identifiers.ts';
import { slotHoldingStates, type Item, type ItemState } from '../../electron/core/item/item.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { checkRule } from './broken-rule.ts';
import type { VirtualDisk } from './virtual-disk.ts';
import type { VirtualJob, VirtualService } from './virtual-service.ts';

interface Entry {
  readonly seed: string;
  /** How often the user has agreed to another job. */
  consents: number;
}

/** Checks the rules of the queue (`docs/reliability.md`). */
export class Ledger {
  readonly #service: VirtualService;
  readonly #disk: VirtualDisk;
  readonly #activeLimit: number;
  readonly #entries = new Map<ItemId, Entry>();
  readonly #removed = new Set<ItemId>();
  /** The texts of the transcripts that were saved. */
  readonly #saved = new Map<number, string>();
  /** The number of acknowledged parts of each job. */
  readonly #acknowledged = new Map<string, number>();
  #keepsLimit = true;
  #storesAll = true;

  constructor(service: VirtualService, disk: VirtualDisk, activeLimit: number) {
    this.#service = service;
    this.#disk = disk;
    this.#activeLimit = activeLimit;
  }

  onAdded(item: Item): void {
    this.#entries.set(item.id, { seed: item.seed, consents: 0 });
  }

  get ids(): readonly ItemId[] {
    return [...this.#entries.keys()];
  }

  /** The user removes the item's row. */
  onRemove(id: ItemId): void {
    this.#removed.add(id);
  }

  /** The user has undone the removal of items: none may be lost, and no second job is consented to. */
  onUndoRemove(ids: readonly ItemId[]): void {
    for (const id of ids) this.#removed.delete(id);
  }

  /** The user retries an item; without a job to continue with, this consents to a new one. */
  onRetry({ id, state }: Item): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const startsOver =
      state.kind === 'failed' ||
      state.kind === 'cancelled' ||
      (state.kind === 'cancelling' && state.next.kind === 'cancelled') ||
      (state.kind === 'blocked' &&
        (state.at.kind === 'waiting' || state.problem.code === 'idempotency_conflict'));
    if (startsOver) entry.consents += 1;
  }

  /** The user resumes or cancels items that already have jobs; these may exceed the limit for starts. */
  allowExtraStarts(): void {
    this.#keepsLimit = false;
  }

  /** The process has died, or could not store what it received: the last part of each job may be sent again. */
  allowResends(): void {
    for (const [id, parts] of this.#acknowledged) this.#acknowledged.set(id, parts - 1);
  }

  /** The database was restored from a backup; items added since then are lost, which was reported. */
  onRestored(store: Store): void {
    this.#acknowledged.clear();
    for (const [id, { seed }] of this.#entries) {
      if (store.items.get(id)?.seed !== seed) this.#entries.delete(id);
    }
    for (const id of this.#saved.keys()) if (store.transcripts.get(id) === null) this.#saved.delete(id);
    this.#keepsLimit = false;
    this.#storesAll = false;
  }

  onAcknowledged(jobId: string, number: number): void {
    this.#acknowledged.set(jobId, number);
  }

  /** A part is being sent. */
  onPartSent(jobId: string, number: number): void {
    const isNew = number > (this.#acknowledged.get(jobId) ?? 0);
    checkRule(isNew, () => `part ${number} of ${jobId} is sent again although it was acknowledged`);
  }

  onJobCreated(job: VirtualJob, items: readonly Item[]): void {
    const isKeyStored = items.some(
      ({ state }) => keyOf('at' in state ? state.at : state) === job.request.key,
    );
    checkRule(isKeyStored || !this.#storesAll, () => `${job.id} was created under a key that is not stored`);
  }

  /** Checks that the service has received the file as it was added. */
  onJobCompleted(job: VirtualJob, items: readonly Item[]): void {
    const source = items.find(({ seed }) => job.request.key.startsWith(keysOf(seed)))?.source;
    if (source?.kind !== 'file') return;
    const parts = [...job.parts].sort(([one], [two]) => one - two).map(([, bytes]) => bytes);
    const isSame = Buffer.concat(parts).equals(this.#disk.contentOf(source));
    checkRule(isSame, () => `what arrived as ${job.id} is not the file ${source.path}`);
  }

  /** Checks the rules; to be called after every step. */
  check(store: Store): void {
    const { items } = store;
    const counts = JSON.stringify(items.totals.counts(() => 'running'));
    items.reload();
    checkRule(
      counts === JSON.stringify(items.totals.counts(() => 'running')),
      () => 'the running totals are wrong',
    );
    for (const [id, { seed, consents }] of this.#entries) {
      const charges = this.#service.charges(keysOf(seed));
      checkRule(charges <= 1 + consents, () => `item ${id} is charged ${charges} times`);
      const item = items.get(id);
      checkRule(item !== null || this.#removed.has(id), () => `item ${id} is lost`);
      if (item?.state.kind === 'done') this.#checkTranscript(store, item);
    }
    for (const [id, text] of this.#saved)
      checkRule(store.transcripts.get(id)?.text === text, () => `transcript ${id} is lost`);
    const active = items.totals.count(slotHoldingStates);
    checkRule(!this.#keepsLimit || active <= this.#activeLimit, () => `${active} items are active at once`);
  }

  /** Checks that every item has ended; to be called after all faults and retries. */
  checkEnd(store: Store): void {
    const finalStates = new Set(['done', 'cancelled']);
    for (const [id, { seed }] of this.#entries) {
      const kind = store.items.get(id)?.state.kind ?? 'removed';
      checkRule(finalStates.has(kind) || kind === 'removed', () => `item ${id} never leaves ${kind}`);
      const needsNoJob = kind === 'cancelled' || kind === 'removed' || kind === 'done';
      checkRule(
        !needsNoJob || !this.#storesAll || !this.#service.isActive(keysOf(seed)),
        () => `item ${id} is ${kind}, but has an active job`,
      );
    }
  }

  #checkTranscript(store: Store, item: Item): void {
    const { id, source } = item;
    const transcriptId = store.transcripts.ofItem(item)?.id ?? -1;
    const text = store.transcripts.get(transcriptId)?.text;
    checkRule(text !== undefined, () => `item ${id} is done without a transcript`);
    const content = source.kind === 'file' ? Buffer.from(this.#disk.contentOf(source)).toString('hex') : '';
    checkRule(text === `heard ${content}`, () => `item ${id} has the transcript of something else`);
    this.#saved.set(transcriptId, text ?? '');
  }
}

const keyOf = (state: ItemState): string | null => ('request' in state ? state.request.key : null);
const keysOf = (seed: string): string => `longhand-${seed}-`;
