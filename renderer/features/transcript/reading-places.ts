import { useLayoutEffect, useRef } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { ScrollTarget } from '../../route.ts';
import { useWorkspace } from './workspace.ts';

/** Where the user was when they left a transcript. */
export interface ReadingPlace {
  /** The first segment on screen, or the caret in a text without times. */
  readonly at: ScrollTarget;
  /** The position of the playhead. */
  readonly seconds: number;
}

/** The places of so many transcripts are kept, the latest. */
const maxPlaces = 200;

/** The entry in the local storage of the page: `[transcript, segment or offset, whether it is an offset, seconds]`. */
const storageKey = 'readingPlaces';

type Entry = readonly [id: TranscriptId, position: number, isOffset: boolean, seconds: number];

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  [0, 1, 3].every((index) => Number.isFinite(value[index])) &&
  typeof value[2] === 'boolean';

function parseEntries(stored: string | null): readonly Entry[] {
  try {
    const values: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(values) ? values.filter(isEntry) : [];
  } catch {
    // Losing the places is harmless.
    return [];
  }
}

const entries = (): readonly Entry[] => parseEntries(localStorage.getItem(storageKey));

/** Returns where the user was in a transcript; `null` if it was not open recently. */
export function readingPlaceOf(transcript: TranscriptId): ReadingPlace | null {
  const entry = entries().find(([id]) => id === transcript);
  if (entry === undefined) return null;
  const [, position, isOffset, seconds] = entry;
  return { at: isOffset ? { start: position, end: position } : position, seconds };
}

/** Replaces where the user was in a transcript; `null` forgets it. */
export function setReadingPlace(transcript: TranscriptId, place: ReadingPlace | null): void {
  const others = entries().filter(([id]) => id !== transcript);
  const { at } = place ?? {};
  const added: readonly Entry[] =
    place === null || at === undefined
      ? []
      : [
          typeof at === 'number'
            ? [transcript, at, false, place.seconds]
            : [transcript, at.start, true, place.seconds],
        ];
  localStorage.setItem(storageKey, JSON.stringify([...others, ...added].slice(-maxPlaces)));
}

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
