import { useLayoutEffect, useRef } from 'react';
import type { SegmentId, TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { ScrollTarget } from '../../route.ts';
import { useWorkspace } from './workspace.ts';

/** Where the user was when they left a transcript. */
export interface ReadingPlace {
  /** The first segment on screen, or the caret in a text without times. */
  readonly at: ScrollTarget;
  /** The position of the playhead. */
  readonly seconds: number;
}

/** The number of transcripts whose places are kept; the oldest are dropped. */
const maxPlaces = 200;

/** A transcript and what is kept of it. */
type Entry = readonly [id: TranscriptId, ...values: readonly unknown[]];

/** Places in the page's local storage, under one key; at most {@link maxPlaces}, so that it stays small. */
class KeptPlaces<E extends Entry> {
  readonly #key: string;
  readonly #isEntry: (value: readonly unknown[]) => value is E;

  constructor(key: string, isEntry: (value: readonly unknown[]) => value is E) {
    this.#key = key;
    this.#isEntry = isEntry;
  }

  #entries(): readonly E[] {
    try {
      const values: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]');
      return Array.isArray(values)
        ? values.filter((value): value is E => Array.isArray(value) && this.#isEntry(value))
        : [];
    } catch {
      // Losing the places is harmless.
      return [];
    }
  }

  get(transcript: TranscriptId): E | undefined {
    return this.#entries().find(([id]) => id === transcript);
  }

  /** Replaces what is kept of a transcript; `null` forgets it. */
  set(transcript: TranscriptId, entry: E | null): void {
    const others = this.#entries().filter(([id]) => id !== transcript);
    const added = entry === null ? [] : [entry];
    localStorage.setItem(this.#key, JSON.stringify([...others, ...added].slice(-maxPlaces)));
  }
}

type ReadingEntry = readonly [id: TranscriptId, position: number, isOffset: boolean, seconds: number];

const readingPlaces = new KeptPlaces(
  'readingPlaces',
  (value): value is ReadingEntry =>
    [0, 1, 3].every((index) => Number.isFinite(value[index])) && typeof value[2] === 'boolean',
);

/** Returns where the user was in a transcript; `null` if it was not open recently. */
export function readingPlaceOf(transcript: TranscriptId): ReadingPlace | null {
  const entry = readingPlaces.get(transcript);
  if (entry === undefined) return null;
  const [, position, isOffset, seconds] = entry;
  return { at: isOffset ? { start: position, end: position } : position, seconds };
}

/** Replaces where the user was in a transcript; `null` forgets it. */
export function setReadingPlace(transcript: TranscriptId, place: ReadingPlace | null): void {
  if (place === null) {
    readingPlaces.set(transcript, null);
    return;
  }
  const { at, seconds } = place;
  const isOffset = typeof at !== 'number';
  readingPlaces.set(transcript, [transcript, isOffset ? at.start : at, isOffset, seconds]);
}

/** The finding at which the user left the review of a transcript. */
export interface ReviewPlace {
  readonly segment: SegmentId;
  /** Offset of its words in the text of the segment; `null`: all of it. */
  readonly start: number | null;
  readonly key: string;
}

type ReviewEntry = readonly [id: TranscriptId, segment: SegmentId, start: number | null, key: string];

const reviewPlaces = new KeptPlaces(
  'reviewPlaces',
  (value): value is ReviewEntry =>
    [value[0], value[1], value[2] ?? 0].every(Number.isFinite) && typeof value[3] === 'string',
);

/** Returns where the user left the review of a transcript; `null` if it was not reviewed recently. */
export function reviewPlaceOf(transcript: TranscriptId): ReviewPlace | null {
  const entry = reviewPlaces.get(transcript);
  if (entry === undefined) return null;
  const [, segment, start, key] = entry;
  return { segment, start, key };
}

/** Replaces where the user left the review of a transcript. */
export const setReviewPlace = (transcript: TranscriptId, { segment, start, key }: ReviewPlace): void =>
  reviewPlaces.set(transcript, [transcript, segment, start, key]);

/**
 * Keeps the user's place in the open transcript when they leave the text or the window is closed. Returns a function that
 * keeps it at once, in case the program is killed.
 *
 * @param currentTarget returns the position in the text; `null` if there is none
 */
export function useKeepReadingPlace(currentTarget: () => ScrollTarget | null): () => void {
  const { session, playback } = useWorkspace();
  const keep = (): void => {
    const at = currentTarget();
    if (at !== null) setReadingPlace(session.id, { at, seconds: playback.getState().time });
  };
  const latest = useRef(keep);
  useLayoutEffect(() => {
    latest.current = keep;
  });
  useLayoutEffect(() => {
    const onLeave = (): void => latest.current();
    window.addEventListener('pagehide', onLeave);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      onLeave();
    };
  }, []);
  return keep;
}
