import type {
  ReplaceGroup,
  ReplaceMatch,
  ReplacePreview,
  ReplaceSpeaker,
  ReplaceTarget,
} from '../../../../electron/contract/replace.ts';
import type { Query } from '../../../../electron/contract/query.ts';
import { mergedSpeakers } from '../../../../electron/core/transcript/edit/annotation-operations.ts';

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
  query: Query,
  replacement: string,
): ReadonlySet<ReplaceSpeaker> =>
  new Set(
    groups.flatMap(({ names, speakers }) => {
      const operation = { query, replacement, speakers: speakers.map(({ speaker }) => speaker) };
      const merged = speakers.length === 0 ? [] : mergedSpeakers(names, operation);
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

export interface IncludedMatches {
  readonly targets: readonly ReplaceTarget[];
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
  const targets: ReplaceTarget[] = [];
  for (const group of groups) {
    const matches = group.matches.filter((match) => !excluded.has(match));
    const renamed = group.speakers.filter((speaker) => !excluded.has(speaker));
    if (matches.length === 0 && renamed.length === 0) continue;
    replacements += matches.length;
    if (matches.length > 0) transcripts += 1;
    speakers += renamed.length;
    targets.push({
      id: group.id,
      matches: matches.map(({ segment, offset }) => ({ segment, offset })),
      speakers: renamed.map(({ speaker }) => speaker),
    });
  }
  return { targets, replacements, transcripts, speakers };
}
