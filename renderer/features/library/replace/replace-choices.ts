import type {
  ReplaceGroup,
  PatternTarget,
  ReplaceMatch,
  ReplacePreview,
  ReplaceQuery,
  ReplaceRequest,
  ReplaceSpeaker,
} from '../../../../electron/contract/replace.ts';
import { maxSpeakerNameLength, maxTextLength } from '../../../../electron/contract/limits.ts';
import {
  mergedSpeakers,
  namesAfter,
  replacedNames,
} from '../../../../electron/core/transcript/edit/annotation-operations.ts';
import { expand } from '../../../../electron/core/transcript/user-pattern.ts';
import type { ExpandedMatch, RenamedSpeaker } from '../../../../electron/contract/transcript.ts';
import { shortened } from '../../../ui/text/shortened.ts';

/** A line of the preview: a transcript, or one of its matches or speakers. */
export type PreviewRow =
  | { readonly kind: 'group'; readonly group: ReplaceGroup }
  | { readonly kind: 'match'; readonly group: ReplaceGroup; readonly match: ReplaceMatch }
  | { readonly kind: 'speaker'; readonly group: ReplaceGroup; readonly speaker: ReplaceSpeaker };

/** The excluded matches and speakers. */
export type ExcludedMatches = ReadonlySet<ReplaceMatch | ReplaceSpeaker>;

/** Returns all lines of a preview, each transcript before its speakers and matches. */
export const previewRows = ({ groups }: ReplacePreview): readonly PreviewRow[] =>
  groups.flatMap((group): PreviewRow[] => [
    { kind: 'group', group },
    ...group.speakers.map((speaker) => ({ kind: 'speaker' as const, group, speaker })),
    ...group.matches.map((match) => ({ kind: 'match' as const, group, match })),
  ]);

/** Returns the preview of a replacement that renames only some speakers. */
export const withSpeakers = (
  { groups, ...preview }: ReplacePreview,
  isRenamed: (speaker: ReplaceSpeaker) => boolean,
): ReplacePreview => ({
  ...preview,
  groups: groups
    .map((group) => ({ ...group, speakers: group.speakers.filter(isRenamed) }))
    .filter(({ matches, speakers }) => matches.length > 0 || speakers.length > 0),
});

/** Returns the speakers who would get the name of another speaker of their transcript. */
export const collidingSpeakers = (
  { groups }: ReplacePreview,
  query: ReplaceQuery,
  replacement: string,
): ReadonlySet<ReplaceSpeaker> =>
  new Set(
    groups.flatMap(({ names, speakers }) => {
      if (speakers.length === 0) return [];
      const renamed =
        query.mode === 'pattern'
          ? namesAfter(names, renamesOf(names, speakers, replacement))
          : replacedNames(names, { query, replacement, speakers: speakers.map(({ speaker }) => speaker) });
      const merged = mergedSpeakers(names, renamed);
      return speakers.filter(({ speaker }) => merged.includes(speaker));
    }),
  );

/** Counts the transcripts with a matching speaker that satisfies `isCounted`. */
export const countTranscripts = (
  { groups }: ReplacePreview,
  isCounted: (speaker: ReplaceSpeaker) => boolean,
): number => groups.filter(({ speakers }) => speakers.some(isCounted)).length;

/** Returns the matches and speakers that a line includes or excludes. */
function partsOf(row: PreviewRow): readonly (ReplaceMatch | ReplaceSpeaker)[] {
  switch (row.kind) {
    case 'group':
      return [...row.group.speakers, ...row.group.matches];
    case 'match':
      return [row.match];
    case 'speaker':
      return [row.speaker];
  }
}

/** Whether all, some or none of the parts of a line are included. */
export function inclusionOf(row: PreviewRow, excluded: ExcludedMatches): 'all' | 'some' | 'none' {
  const parts = partsOf(row);
  const excludedCount = parts.filter((part) => excluded.has(part)).length;
  return excludedCount === 0 ? 'all' : excludedCount === parts.length ? 'none' : 'some';
}

/** Returns the excluded parts after all parts of a line are included, or, if none was excluded, excluded. */
export function toggleRow(row: PreviewRow, excluded: ExcludedMatches): ExcludedMatches {
  const next = new Set(excluded);
  const shouldInclude = inclusionOf(row, excluded) !== 'all';
  for (const part of partsOf(row)) {
    if (shouldInclude) next.delete(part);
    else next.add(part);
  }
  return next;
}

/** UTF-16 units of an expanded replacement that a line shows; more than fits. */
const maxShownLength = 500;

/** Returns the replacement of each mark of a line: for a pattern, the expanded one. */
export const shownReplacements = (
  { captures }: ReplaceMatch | ReplaceSpeaker,
  replacement: string,
): string | readonly string[] =>
  captures === undefined
    ? replacement
    : ('groups' in captures ? [captures] : captures).map((one) =>
        shortened(expand(one, replacement).slice(0, 2 * maxShownLength), maxShownLength),
      );

/** Returns the new names of speakers in whose names a pattern was found. One that would become too long stays. */
const renamesOf = (
  names: readonly string[],
  speakers: readonly ReplaceSpeaker[],
  replacement: string,
): readonly RenamedSpeaker[] =>
  speakers.flatMap(({ speaker, captures = [] }) => {
    const before = names[speaker] ?? '';
    const name = captures.reduceRight(
      (text, { start, end, ...match }) => text.slice(0, start) + expand(match, replacement) + text.slice(end),
      before,
    );
    return name.length > maxSpeakerNameLength ? [] : [{ speaker, before, name }];
  });

export interface IncludedMatches {
  /** The transcripts with something to replace, without the excluded matches and speakers. */
  readonly groups: readonly ReplaceGroup[];
  /** Number of replacements in the texts. */
  readonly replacements: number;
  /** Number of transcripts with replacements in their texts. */
  readonly transcripts: number;
  /** Number of speakers that are renamed. */
  readonly speakers: number;
}

/** Returns and counts what is replaced without the excluded matches and speakers. */
export function includedMatches({ groups }: ReplacePreview, excluded: ExcludedMatches): IncludedMatches {
  let [replacements, transcripts, speakers] = [0, 0, 0];
  const included: ReplaceGroup[] = [];
  for (const group of groups) {
    const matches = group.matches.filter((match) => !excluded.has(match));
    const renamed = group.speakers.filter((speaker) => !excluded.has(speaker));
    if (matches.length === 0 && renamed.length === 0) continue;
    replacements += matches.length;
    if (matches.length > 0) transcripts += 1;
    speakers += renamed.length;
    included.push({ ...group, matches, speakers: renamed });
  }
  return { groups: included, replacements, transcripts, speakers };
}

/** Returns what replaces the included matches; `null` if the texts would become too long. */
export function replaceRequest(
  { mode, ...query }: ReplaceQuery,
  replacement: string,
  groups: readonly ReplaceGroup[],
  mergesSpeakers: boolean,
): ReplaceRequest | null {
  const choices = { query, replacement, mergesSpeakers };
  if (mode === 'text') {
    const targets = groups.map(({ id, matches, speakers }) => ({
      id,
      matches: matches.map(({ segment, offset }) => ({ segment, offset })),
      speakers: speakers.map(({ speaker }) => speaker),
    }));
    return { ...choices, mode, targets };
  }
  let length = 0;
  const targets: PatternTarget[] = [];
  for (const { id, matches, speakers, names } of groups) {
    const expanded: ExpandedMatch[] = [];
    for (const { segment, offset, captures } of matches) {
      if (captures === undefined) continue;
      const text = expand(captures, replacement);
      length += text.length;
      if (length > maxTextLength) return null;
      const {
        searchedHash,
        groups: [found],
      } = captures;
      expanded.push({ segment, offset, length: found?.length ?? 0, replacement: text, searchedHash });
    }
    targets.push({ id, matches: expanded, speakers: renamesOf(names, speakers, replacement) });
  }
  return { ...choices, mode, targets };
}
