import type { LibraryQuery } from '../../../../electron/contract/library-commands.ts';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import { Library } from '../../../../electron/core/library/library.ts';
import type { PageRequest } from '../../../../electron/core/library/search/library-searcher.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { quietLogger } from '../../../support/core.ts';

let jobs = 0;

/** Saves a transcript with these segments; those of which only the text is given last three seconds each. */
export function saveTranscript(
  store: Store,
  name: string,
  contents: readonly (string | Segment)[],
  createdAt = 0,
  statedSeconds: number | null = null,
): number {
  const segments = contents.map((one, index) =>
    typeof one === 'string' ? { start: index * 3, end: index * 3 + 3, text: one } : one,
  );
  return store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: `job-${(jobs += 1)}`,
    name,
    durationSeconds: contents.length * 3,
    statedSeconds,
    recording: null,
    createdAt,
    transcript: {
      language: 'en',
      text: segments.map(({ text }) => text).join(' '),
      segments,
    },
  }).id;
}

/** Saves a text without times. */
export const saveUntimed = (store: Store, name: string, text: string): number =>
  store.transcripts.save({
    itemId: null,
    service: 'import',
    jobId: `job-${(jobs += 1)}`,
    name,
    durationSeconds: null,
    recording: null,
    createdAt: 0,
    transcript: { text, segments: [], language: null },
  }).id;

/** Requests the first rows. */
export const firstPage = (more: Partial<PageRequest> = {}): PageRequest => ({
  offset: 0,
  limit: 50,
  all: false,
  ...more,
});

/** Returns a query of the whole library. */
export const queryFor = (query: string, more: Partial<LibraryQuery> = {}): LibraryQuery => ({
  query,
  tag: null,
  sort: 'relevance',
  trash: false,
  ...more,
});

/** Opens the library of a store with its threads. */
export const openLibrary = (
  store: Store,
  onTextsChanged: (ids: readonly number[]) => void = () => undefined,
): Library =>
  new Library({
    store,
    clock: eagerClock,
    logger: quietLogger,
    onChange: () => undefined,
    onTextsChanged,
  });
