import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { ItemId } from '../../electron/contract/identifiers.ts';
import type { Item, Source } from '../../electron/core/item/item.ts';
import { isFullDisk } from './damage.ts';
import type { Ledger } from './ledger.ts';
import { service, type Program } from './simulated-program.ts';
import type { SeededRandom } from './seeded-random.ts';
import { paths, type VirtualDisk } from './virtual-disk.ts';

export interface UserOptions {
  readonly random: SeededRandom;
  readonly disk: VirtualDisk;
  readonly ledger: Ledger;
  /** The running program; after a crash it is a new one. */
  readonly program: () => Program;
  /** Whether nothing can be stored. */
  readonly isDiskFull: () => boolean;
  readonly note: (line: string) => void;
}

/** A user who adds recordings and runs random commands on them. */
export class User {
  readonly #options: UserOptions;
  /** What was removed last, in which program: only that one can undo it. */
  #removal: { readonly program: Program; readonly ids: readonly ItemId[] } | null = null;

  constructor(options: UserOptions) {
    this.#options = options;
  }

  /** Adds a recording or a link. */
  add(): void {
    const { random, disk, ledger, program, isDiskFull } = this.#options;
    const path = random.pickAny(paths) ?? paths[0];
    const isLink = random.chance(0.2);
    const source: Source | null = isLink
      ? { kind: 'link', url: `https://a.example${path}` }
      : disk.sourceAt(path);
    if (source === null || isDiskFull()) return;
    this.run(`add ${isLink ? 'link' : 'file'} ${path}`, () => {
      const { store, scheduler } = program();
      const recording = {
        service,
        source,
        name: path,
        folderLabel: '',
        durationSeconds: null,
        options: defaultJobOptions,
      };
      const ids = store.transaction(() =>
        store.items.add([{ ...recording, addedAt: 0, seed: random.uuid() }]),
      );
      for (const id of ids) {
        const item = store.items.get(id);
        if (item !== null) ledger.onAdded(item);
      }
      scheduler.pump();
    });
  }

  /** Runs a random command on an item or on the queue. */
  runRandomCommand(): void {
    const { random, ledger, program } = this.#options;
    const { queue, scheduler, store } = program();
    const id = random.pickAny(ledger.ids);
    const item = id === undefined ? null : store.items.get(id);
    if (id === undefined || item === null) return;
    const command = random.pick([
      'pause',
      'resume',
      'cancel',
      'retry',
      'retry',
      'remove',
      'undo removal',
      'undo removal',
      'clear finished',
      'pause all',
      'resume all',
      'try service',
    ]);
    this.run(`${command} ${id} (${item.state.kind})`, () => {
      switch (command) {
        case 'pause':
          return queue.pause([id]);
        case 'resume':
          ledger.allowExtraStarts();
          return queue.resume([id]);
        case 'cancel':
          ledger.allowExtraStarts();
          return queue.cancel([id]);
        case 'retry':
          return this.retry(item);
        case 'remove':
          ledger.allowExtraStarts();
          ledger.onRemove(id);
          this.#removal = { program: program(), ids: [id] };
          return queue.remove([id]);
        case 'undo removal': {
          const removal = this.#removal;
          this.#removal = null;
          if (removal?.program !== program()) return;
          ledger.allowExtraStarts();
          queue.undoRemove();
          return ledger.onUndoRemove(removal.ids);
        }
        case 'clear finished': {
          // As the command does: what is pending may finish more items.
          scheduler.changeItems(() => []);
          const ids = ledger.ids.filter((one) => {
            const kind = store.items.get(one)?.state.kind;
            return kind === 'done' || kind === 'cancelled';
          });
          for (const one of ids) ledger.onRemove(one);
          this.#removal = { program: program(), ids };
          return queue.clearDoneAndCancelled();
        }
        case 'pause all':
          return scheduler.setPaused(true);
        case 'resume all':
          return scheduler.setPaused(false);
        default:
          return scheduler.reopen(service);
      }
    });
  }

  /** Like `Queue.retry`: a file that has changed is accepted in its current form. */
  retry(item: Item): void {
    const { disk, ledger, program } = this.#options;
    const { store, scheduler } = program();
    ledger.onRetry(item);
    ledger.allowExtraStarts();
    const { state, source } = item;
    if (state.kind === 'blocked' && state.problem.code === 'file_changed' && source.kind === 'file') {
      const current = disk.sourceAt(source.path);
      if (current !== null)
        store.transaction(() => store.items.setSource(item.id, current, item.name, item.folderLabel));
    }
    scheduler.dispatch([item.id], { kind: 'retry' });
  }

  /** Runs a command; a full disk or a crash may interrupt it. */
  run(name: string, command: () => void): void {
    this.#options.note(name);
    try {
      command();
    } catch (error) {
      if (this.#options.program().isAlive && !isFullDisk(error)) throw error;
    }
  }
}
