import type { CommandInput, CommandResult } from '../../../electron/contract/commands.ts';
import type {
  Distinction,
  libraryCommands,
  LibraryCounts,
  LibraryQuery,
  LibraryView,
  MatchedPassage,
  TagChange,
  Transcript,
  TranscriptRow,
} from '../../../electron/contract/library-commands.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { matchText, snippetOf } from '../../../electron/core/transcript/search/search-marks.ts';
import { untimedPassages } from '../../../electron/core/library/search/untimed-passages.ts';
import { hasTerms, parseQuery } from '../../../electron/core/transcript/search/search-query.ts';

type Handlers = {
  readonly [N in keyof typeof libraryCommands]: (input: CommandInput<N>) => CommandResult<N>;
};

const trashedAt = Date.UTC(2026, 10, 20, 9, 30);

/** A library in memory that answers as the real one does, including tags and trash. */
export class FakeLibrary {
  readonly #transcripts = new Map<TranscriptId, Transcript>();
  readonly #trashed: Set<TranscriptId>;
  readonly #tags = new Map<TranscriptId, ReadonlySet<string>>();
  readonly #onChange: (counts: LibraryCounts) => void;

  constructor(
    transcripts: readonly Transcript[],
    trash: readonly Transcript[],
    onChange: (counts: LibraryCounts) => void,
  ) {
    for (const transcript of [...transcripts, ...trash]) this.#transcripts.set(transcript.id, transcript);
    this.#trashed = new Set(trash.map(({ id }) => id));
    this.#onChange = onChange;
  }

  get handlers(): Handlers {
    return {
      'library.counts': () => this.#counts(),
      'library.list': ({ offset, limit, whole: _whole, ...listing }) => this.#list(listing, offset, limit),
      'library.ids': (listing) => this.#found(listing).map(({ id }) => id),
      'library.tags': () => {
        const names = [...new Set([...this.#tags.values()].flatMap((tags) => [...tags]))].toSorted();
        return names.map((name) => ({
          name,
          count: [...this.#tags.values()].filter((tags) => tags.has(name)).length,
        }));
      },
      'library.languages': () => [],
      'library.tagsOf': ({ ids }) => {
        const names = [...new Set([...this.#tags.values()].flatMap((tags) => [...tags]))].toSorted();
        return names.map((name) => ({
          name,
          count: ids.filter((id) => this.#tagsOf(id).has(name)).length,
        }));
      },
      'library.tag': ({ ids, add, remove }) => {
        return this.#changeTags(
          remove.map((name) => ({ name, ids })),
          add.map((name) => ({ name, ids })),
        );
      },
      'library.renameTag': ({ from, to }) => {
        const ids = this.#taggedWith(from);
        const isMerge = this.#taggedWith(to).length > 0;
        return { name: to, isMerge, undo: this.#changeTags([{ name: from, ids }], [{ name: to, ids }]) };
      },
      'library.removeTag': ({ name }) => {
        return this.#changeTags([{ name, ids: this.#taggedWith(name) }], []);
      },
      'library.changeTags': ({ remove, add }) => this.#changeTags(remove, add),
      'library.rename': ({ id, name }) => {
        const transcript = this.#transcripts.get(id);
        if (transcript !== undefined) this.#transcripts.set(id, { ...transcript, name });
        this.#changed();
      },
      'library.trash': ({ ids }) => {
        const moved = ids.filter((id) => this.#transcripts.has(id) && !this.#trashed.has(id));
        for (const id of moved) this.#trashed.add(id);
        this.#changed();
        const [only] = ids.length === 1 ? moved : [];
        return { count: moved.length, name: this.#transcripts.get(only ?? 0)?.name ?? null };
      },
      'library.restore': ({ ids }) => {
        const restored = ids.filter((id) => this.#trashed.delete(id));
        this.#changed();
        const [only] = ids.length === 1 ? restored : [];
        return { count: restored.length, name: this.#transcripts.get(only ?? 0)?.name ?? null };
      },
      'library.import': ({ paths }) => ({
        added: paths.map((name, index) => ({ id: 90_000 + index, name })),
        guessed: [],
        known: 0,
        trashed: [],
        rejected: [],
        unread: null,
      }),
      'library.interrupted': () => [],
      'library.resumeImport': () => ({
        added: [],
        guessed: [],
        known: 0,
        trashed: [],
        rejected: [],
        unread: null,
      }),
      'library.dismissInterrupted': () => undefined,
      'library.pickImport': () => null,
      'library.findRecordings': () => null,
      'library.copies': () => [],
      'library.purge': ({ ids }) => {
        for (const id of ids) {
          this.#transcripts.delete(id);
          this.#trashed.delete(id);
        }
        this.#changed();
        return { deleted: ids.length, leftAtService: 0, cancelled: false };
      },
    };
  }

  /** Sets tags without an event. */
  setTags(id: TranscriptId, tags: readonly string[]): void {
    this.#tags.set(id, new Set(tags));
  }

  #tagsOf(id: TranscriptId): ReadonlySet<string> {
    return this.#tags.get(id) ?? new Set();
  }

  #taggedWith(name: string): readonly TranscriptId[] {
    return [...this.#tags.keys()].filter((id) => this.#tagsOf(id).has(name));
  }

  #changeTags(remove: TagChange['remove'], add: TagChange['add']): TagChange {
    const removed = remove.map(({ name, ids }) => ({
      name,
      ids: ids.filter((id) => this.#tagsOf(id).has(name)),
    }));
    for (const { name, ids } of removed)
      for (const id of ids) this.#tags.set(id, new Set([...this.#tagsOf(id)].filter((tag) => tag !== name)));
    const added = add.map(({ name, ids }) => ({
      name,
      ids: ids.filter((id) => !this.#tagsOf(id).has(name)),
    }));
    for (const { name, ids } of added)
      for (const id of ids) this.#tags.set(id, new Set([...this.#tagsOf(id), name]));
    this.#changed();
    return { remove: added, add: removed };
  }

  transcript(id: TranscriptId): Transcript | undefined {
    return this.#transcripts.get(id);
  }

  #changed(): void {
    this.#onChange(this.#counts());
  }

  #counts(): LibraryCounts {
    const trashed = [...this.#transcripts.keys()].filter((id) => this.#trashed.has(id)).length;
    return { total: this.#transcripts.size - trashed, trashed };
  }

  #found({ query, tag, trash, sort }: LibraryQuery): readonly TranscriptRow[] {
    const parsed = parseQuery(query);
    const rows = [...this.#transcripts.values()]
      .filter(({ id }) => this.#trashed.has(id) === trash && (tag === null || this.#tagsOf(id).has(tag)))
      .map(({ itemId: _item, text, segments, ...row }) => {
        const passages: MatchedPassage[] =
          segments.length > 0
            ? segments.flatMap(({ start, text: passageText }, segment) => {
                const { marks } = matchText(passageText, parsed);
                return marks.length === 0 ? [] : [{ segment, start, ...snippetOf(passageText, marks) }];
              })
            : untimedPassages(text, parsed, 'any').map(({ range, text: passageText, marks }) => ({
                segment: null,
                start: null,
                ...(range !== undefined && { range }),
                ...snippetOf(passageText, marks),
              }));
        return {
          ...row,
          nameMarks: matchText(row.name, parsed).marks,
          excerpt: text.slice(0, 160),
          tags: [...this.#tagsOf(row.id)].toSorted(),
          passages: passages.slice(0, 3),
          passageCount: passages.length,
          trashedAt: trash ? trashedAt : null,
          distinction: this.#distinctionOf(row),
        };
      });
    const found =
      parsed.required.length === 0
        ? rows
        : rows.filter(({ nameMarks, passageCount }) => nameMarks.length + passageCount > 0);
    if (sort === 'name') return found.toSorted((a, b) => a.name.localeCompare(b.name));
    if (sort === 'oldest') return found.toReversed();
    return found;
  }

  /** Some samples count as edited. */
  #distinctionOf({ id, name }: Pick<Transcript, 'id' | 'name'>): Distinction | null {
    const hasNamesake = [...this.#transcripts.values()].some(
      (other) => other.id !== id && other.name === name && !this.#trashed.has(other.id),
    );
    return hasNamesake ? { accuracy: 'balanced', isEdited: id % 2 === 1 } : null;
  }

  #list(listing: LibraryQuery, offset: number, limit: number): LibraryView {
    const found = this.#found(listing);
    return {
      isSearch: hasTerms(parseQuery(listing.query)),
      total: found.length,
      offset,
      rows: found.slice(offset, offset + limit),
      passageTotal: found.reduce((sum, { passageCount }) => sum + passageCount, 0),
      isCapped: false,
      isComplete: true,
      isIndexing: false,
      // Another spelling, as the search of the views finds it.
      similar: listing.query === 'harbour' ? [{ query: 'harbor', count: 5 }] : [],
    };
  }
}
