import type { ItemId, SegmentId, TranscriptId } from '../electron/contract/identifiers.ts';
import type { ServiceAddress } from '../electron/contract/service.ts';
import type { MatchedPassage, TextRange, TranscriptRow } from '../electron/contract/library-commands.ts';

/** The screens in the navigation. */
export const screens = ['queue', 'library', 'settings'] as const;
export type Screen = (typeof screens)[number];

/** What to scroll to in a transcript: a segment, or a range of a text without times. */
export type ScrollTarget = SegmentId | TextRange;

/** A subtitle in a transcript. */
export interface ShownCue {
  readonly startSeconds: number;
}

/** The screen that is shown, and what it shows. */
export type Route =
  | { readonly screen: 'queue' }
  /** `select`: transcripts that it lists and selects, newest first. `active`: the one whose row becomes active. */
  | {
      readonly screen: 'library';
      readonly select?: readonly TranscriptId[];
      readonly active?: TranscriptId;
    }
  /** `enterKeyFor`: the account whose key the screen asks for at once. */
  | { readonly screen: 'settings'; readonly enterKeyFor?: ServiceAddress }
  /** The jobs on a service; if absent, the default service. */
  | { readonly screen: 'jobs'; readonly service?: ServiceAddress }
  /** The transcript of a recording that is being transcribed. */
  | { readonly screen: 'live'; readonly id: ItemId }
  | {
      readonly screen: 'transcript';
      readonly id: TranscriptId;
      readonly from: 'queue' | 'library';
      /** Whether the program reopens it for the user: if it has been deleted since, `from` is shown instead. */
      readonly isReturn?: boolean;
      /** Where to scroll to; absent: where the user was, or else the beginning. */
      readonly at?: ScrollTarget;
      /** The subtitle to show in the preview at its start; a new object each time that it is chosen. */
      readonly cue?: ShownCue;
      /** This transcript among those that the search found. */
      readonly found?: SearchResults;
    };

/** What a search found, in its order, and which of it is open. */
export interface SearchResults {
  /** As it was typed. */
  readonly query: string;
  readonly rows: readonly TranscriptRow[];
  readonly index: number;
}

/** Returns the route back to what was shown. A transcript reopens at its stored reading place. */
export const resumedRoute = (route: Route): Route =>
  route.screen === 'transcript'
    ? { screen: 'transcript', id: route.id, from: route.from, isReturn: true }
    : route;

/** Returns what an entry of the navigation leads to: always its list, at the row of the transcript that is open. */
export const routeOfEntry = (entry: Screen, current: Route): Route =>
  entry === 'library' && current.screen === 'transcript' && current.from === 'library'
    ? { screen: 'library', active: current.id }
    : { screen: entry };

/** Returns the entry of the navigation that a route belongs to. */
export function screenOf(route: Route): Screen {
  if (route.screen === 'transcript') return route.from;
  if (route.screen === 'live') return 'queue';
  return route.screen === 'jobs' ? 'library' : route.screen;
}

/**
 * Returns the route to a transcript of the library.
 *
 * @param passage where to open it; absent if only the name was found
 * @param found this transcript among those that the search found
 */
export function routeToTranscript(
  { id }: TranscriptRow,
  passage: MatchedPassage | undefined,
  found: SearchResults,
): Route {
  const scrollTarget = passage?.segment ?? passage?.range;
  // Annotated: TypeScript does not check the properties of a spread object.
  const match: Partial<Extract<Route, { screen: 'transcript' }>> =
    passage === undefined || scrollTarget === undefined ? {} : { at: scrollTarget, found };
  return { screen: 'transcript', id, from: 'library', ...match };
}
