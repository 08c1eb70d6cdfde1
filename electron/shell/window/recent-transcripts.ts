import type { TranscriptId } from '../../contract/identifiers.ts';
import type { NamedTranscript } from '../../core/store/library/library-store.ts';
import type { WindowStateStore } from './window-state.ts';

/** Number of transcripts that the menu lists. */
const maxRecent = 10;

export interface RecentTranscriptsOptions {
  readonly state: WindowStateStore;
  /** Returns the transcripts with these ids that are in the library, with their current names. */
  readonly listNames: (ids: readonly TranscriptId[]) => readonly NamedTranscript[];
  /** Called when the list, or a name in it, has changed. */
  readonly onChange: () => void;
}

/** The recently opened transcripts, for the menu. Those in the trash stay remembered but are not listed. */
export class RecentTranscripts {
  readonly #options: RecentTranscriptsOptions;
  #entries: readonly NamedTranscript[];

  constructor(options: RecentTranscriptsOptions) {
    this.#options = options;
    this.#entries = this.#read();
  }

  /** The latest first. */
  get entries(): readonly NamedTranscript[] {
    return this.#entries;
  }

  /** Remembers that a transcript was opened. */
  add({ id, createdAt }: Omit<NamedTranscript, 'name'>): void {
    const { state } = this.#options;
    const others = state.get().recentTranscripts.filter((one) => one.id !== id);
    state.change({ recentTranscripts: [{ id, createdAt }, ...others].slice(0, maxRecent) });
    this.refresh();
  }

  clear(): void {
    this.#options.state.change({ recentTranscripts: [] });
    this.refresh();
  }

  /** Looks for changes: transcripts may have been renamed, moved to the trash, restored or deleted. */
  refresh(): void {
    const entries = this.#read();
    if (JSON.stringify(entries) === JSON.stringify(this.#entries)) return;
    this.#entries = entries;
    this.#options.onChange();
  }

  #read(): readonly NamedTranscript[] {
    const { state, listNames } = this.#options;
    const { recentTranscripts } = state.get();
    if (recentTranscripts.length === 0) return [];
    const current = new Map(listNames(recentTranscripts.map(({ id }) => id)).map((one) => [one.id, one]));
    return recentTranscripts.flatMap(({ id, createdAt }) => {
      const one = current.get(id);
      return one?.createdAt === createdAt ? [one] : [];
    });
  }
}
