import type { SegmentId, TranscriptId } from '../electron/contract/identifiers.ts';
import type { TextRange } from '../electron/contract/library.ts';

/** The screens that the navigation leads to. */
export const screens = ['queue', 'library', 'settings'] as const;
export type Screen = (typeof screens)[number];

/** A place in a transcript to go to: a segment, or a stretch of a text without times. */
export type Landing = SegmentId | TextRange;

/** Where in the window the user is. */
export type Place =
  | { readonly screen: Screen }
  /** What the service in use holds. */
  | { readonly screen: 'jobs' }
  | {
      readonly screen: 'transcript';
      readonly id: TranscriptId;
      readonly from: 'queue' | 'library';
      /** Where to land; absent: the beginning. */
      readonly at?: Landing;
      /** What a search has found there, as it is written: the find of the transcript goes on with it. */
      readonly sought?: string;
    };

/** The entry of the navigation that a place belongs to. */
export function screenOf(place: Place): Screen {
  if (place.screen === 'transcript') return place.from;
  return place.screen === 'jobs' ? 'library' : place.screen;
}
