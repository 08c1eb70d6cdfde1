import type { ItemId, SegmentId, TranscriptId } from '../electron/contract/identifiers.ts';
import type { ServiceAddress } from '../electron/contract/service.ts';
import type { TextRange } from '../electron/contract/library-commands.ts';

/** The screens in the navigation. */
export const screens = ['queue', 'library', 'settings'] as const;
export type Screen = (typeof screens)[number];

/** What to scroll to in a transcript: a segment, or a range of a text without times. */
export type ScrollTarget = SegmentId | TextRange;

/** The screen that is shown, and what it shows. */
export type Route =
  | { readonly screen: 'queue' }
  /** `select`: transcripts that it lists and selects, newest first. */
  | { readonly screen: 'library'; readonly select?: readonly TranscriptId[] }
  /** `enterKeyFor`: the account whose key the screen asks for at once. */
  | { readonly screen: 'settings'; readonly enterKeyFor?: ServiceAddress }
  /** The jobs on a service; by default, the one for new recordings. */
  | { readonly screen: 'jobs'; readonly service?: ServiceAddress }
  /** The transcript of a recording that is being transcribed. */
  | { readonly screen: 'live'; readonly id: ItemId }
  | {
      readonly screen: 'transcript';
      readonly id: TranscriptId;
      readonly from: 'queue' | 'library';
      /** Where to scroll to; absent: where the user was, or else the beginning. */
      readonly at?: ScrollTarget;
      /** The query of the library search that led here; the find bar starts with it. */
      readonly searchQuery?: string;
      /** All words that the search found in the transcript, which are highlighted until it is edited or searched. */
      readonly searchWords?: readonly string[];
    };

/** The transcripts that were left for another entry of the navigation, by the entry that they belong to. */
export type LeftTranscripts = Partial<Readonly<Record<'queue' | 'library', Route>>>;

/** Returns the transcripts that were left after a change of the route: one that is left for its list is closed. */
export function leftAfter(left: LeftTranscripts, from: Route, to: Route): LeftTranscripts {
  const entry = screenOf(to);
  const others = { ...left };
  if (entry !== 'settings') delete others[entry];
  if (from.screen !== 'transcript' || from.from === entry) return others;
  // Where the user was in it is kept with the transcript.
  return { ...others, [from.from]: { screen: 'transcript', id: from.id, from: from.from } };
}

/** Returns what an entry of the navigation leads to: the transcript that was open there, unless it is chosen again. */
export const routeOfEntry = (entry: Screen, left: LeftTranscripts, current: Route): Route =>
  (entry === 'settings' || entry === screenOf(current) ? undefined : left[entry]) ?? { screen: entry };

/** Returns the entry of the navigation that a route belongs to. */
export function screenOf(route: Route): Screen {
  if (route.screen === 'transcript') return route.from;
  if (route.screen === 'live') return 'queue';
  return route.screen === 'jobs' ? 'library' : route.screen;
}
