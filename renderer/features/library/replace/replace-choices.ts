import type {
  ReplaceGroup,
  ReplacePassage,
  ReplacePreview,
  ReplaceTarget,
} from '../../../../electron/contract/replace.ts';

/** A line of the preview: a transcript, or one of its passages. */
export type PreviewRow =
  | { readonly kind: 'group'; readonly group: ReplaceGroup }
  | { readonly kind: 'passage'; readonly group: ReplaceGroup; readonly passage: ReplacePassage };

/** The excluded passages. */
export type Excluded = ReadonlySet<ReplacePassage>;

/** Returns all lines of a preview, each transcript before its passages. */
export const previewRows = ({ groups }: ReplacePreview): readonly PreviewRow[] =>
  groups.flatMap((group): PreviewRow[] => [
    { kind: 'group', group },
    ...group.passages.map((passage) => ({ kind: 'passage' as const, group, passage })),
  ]);

/** Returns the passages of a line. */
const passagesOf = (row: PreviewRow): readonly ReplacePassage[] =>
  row.kind === 'group' ? row.group.passages : [row.passage];

/** Whether all, some or none of the passages of a line are chosen. */
export function choiceOf(row: PreviewRow, excluded: Excluded): 'all' | 'some' | 'none' {
  const passages = passagesOf(row);
  const out = passages.filter((passage) => excluded.has(passage)).length;
  return out === 0 ? 'all' : out === passages.length ? 'none' : 'some';
}

/** Includes all passages of a line when any of them is excluded, or else excludes them. */
export function toggled(row: PreviewRow, excluded: Excluded): Excluded {
  const next = new Set(excluded);
  const includes = choiceOf(row, excluded) !== 'all';
  for (const passage of passagesOf(row)) {
    if (includes) next.delete(passage);
    else next.add(passage);
  }
  return next;
}

export interface IncludedMatches {
  readonly targets: readonly ReplaceTarget[];
  /** Number of replacements. */
  readonly places: number;
}

/** Counts what is replaced without the excluded passages. */
export function includedMatches({ groups }: ReplacePreview, excluded: Excluded): IncludedMatches {
  let places = 0;
  const targets: ReplaceTarget[] = [];
  for (const { id, passages } of groups) {
    const kept = passages.filter((passage) => !excluded.has(passage));
    if (kept.length === 0) continue;
    places += kept.reduce((sum, passage) => sum + passage.matchCount, 0);
    const segments = kept.flatMap(({ segment }) => (segment === null ? [] : [segment]));
    targets.push({ id, segments: segments.length === 0 ? null : segments });
  }
  return { targets, places };
}
