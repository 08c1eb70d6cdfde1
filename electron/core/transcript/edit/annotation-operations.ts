import { maxNotes, maxSpeakerNameLength, maxTimeSeconds } from '../../../contract/limits.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type {
  Change,
  Draft,
  DraftSegment,
  EditOperation,
  Note,
  RenamedSpeaker,
} from '../../../contract/transcript.ts';
import { patternOf } from '../find.ts';
import { withRanges } from '../highlights.ts';
import { isAssignedByPerson, withHighlight, withNoSpeaker, withSpeakerConfidence } from '../segment.ts';
import { replaceMatches, type ReplaceOperation } from './text-operations.ts';
import { replaceControls } from '../plain-text.ts';

/**
 * Assigns segments to a speaker, or to none. Speakers that are identified later do not change what a person assigned.
 */
export function setSpeaker(draft: Draft, ids: readonly SegmentId[], speaker: number | null): Change {
  const chosenIds = new Set(ids);
  const pairs = draft.segments.flatMap((before, at) =>
    chosenIds.has(before.id) && !(before.speaker === speaker && isAssignedByPerson(before))
      ? [
          {
            at,
            before,
            after: withNoSpeaker(withSpeakerConfidence({ ...before, speaker }, null), speaker === null),
          },
        ]
      : [],
  );
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
}

/** Highlights segments, or removes their highlight. */
export function setHighlight(draft: Draft, ids: readonly SegmentId[], isHighlighted: boolean): Change {
  const chosenIds = new Set(ids);
  return changeHighlights(draft, (segment) =>
    chosenIds.has(segment.id) ? withHighlight(segment, isHighlighted ? true : undefined) : segment,
  );
}

type HighlightedWords = Omit<Extract<EditOperation, { kind: 'highlight-words' }>, 'kind'>;

/** Highlights whole words in segments, or removes their highlight. */
export function highlightWords(draft: Draft, { passages, isHighlighted }: HighlightedWords): Change {
  const bySegment = Map.groupBy(passages, ({ segment }) => segment);
  return changeHighlights(draft, (segment) => {
    const inSegment = bySegment.get(segment.id);
    if (inSegment === undefined) return segment;
    const ranges = inSegment.flatMap(({ from, text }) => {
      const range = { from, to: from + text.length };
      return segment.text.slice(from, range.to) === text ? [range] : [];
    });
    return withHighlight(segment, withRanges(segment, ranges, isHighlighted));
  });
}

function changeHighlights(draft: Draft, change: (segment: DraftSegment) => DraftSegment): Change {
  const pairs = draft.segments.flatMap((before, at) => {
    const after = change(before);
    const [one, other] = [before, after].map(({ extras }) => JSON.stringify(extras?.highlight));
    return one === other ? [] : [{ at, before, after }];
  });
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
}

/**
 * Names the speakers. If two have the same name, the first gets the segments of the second, as if a person had
 * assigned them.
 *
 * @param merged for each speaker, the index of the speaker it is merged into; `null`: none
 */
export function nameSpeakers(
  draft: Draft,
  names: readonly string[],
  merged: readonly (number | null)[] = [],
): Change {
  const before = draft.speakers;
  const newNames = names.map((name) => replaceControls(name).trim());
  const count = Math.max(before.length, newNames.length, merged.length);
  const nameOf = (speaker: number): string => newNames[speaker] ?? before[speaker] ?? '';
  const mergedInto = (speaker: number): number => {
    const name = newNames[speaker] ?? '';
    return merged[speaker] ?? (name === '' ? speaker : newNames.indexOf(name));
  };
  const finalSpeakers = Array.from({ length: count }, (_, speaker) => finalSpeaker(speaker, mergedInto));
  const after = Array.from({ length: count }, (_, speaker) => {
    if (finalSpeakers[speaker] !== speaker) return '';
    // A speaker without a name gets the name of one that is merged into it.
    const others = [...finalSpeakers.keys()].filter((other) => finalSpeakers[other] === speaker);
    return [speaker, ...others].map(nameOf).find((name) => name !== '') ?? '';
  });
  const pairs = draft.segments.flatMap((segment, at) => {
    const speaker = segment.speaker === null ? null : (finalSpeakers[segment.speaker] ?? segment.speaker);
    if (speaker === segment.speaker) return [];
    return [{ at, before: segment, after: withSpeakerConfidence({ ...segment, speaker }, null) }];
  });
  const isNamed = after.some((name, speaker) => name !== (before[speaker] ?? ''));
  return [
    ...(isNamed ? [{ kind: 'speakers' as const, before, after }] : []),
    ...(pairs.length > 0 ? [{ kind: 'replace' as const, pairs }] : []),
  ];
}

/**
 * Gives the speakers new names.
 *
 * @param merges whether equal names merge speakers; otherwise those who would be merged keep their names
 */
export function renameSpeakers(draft: Draft, renamed: readonly string[], merges: boolean): Change {
  const before = draft.speakers;
  const unchanged = new Set(merges ? [] : mergedSpeakers(before, renamed));
  const after = before.map((name, speaker) => (unchanged.has(speaker) ? name : (renamed[speaker] ?? name)));
  if (after.every((name, speaker) => name === before[speaker])) return [];
  return merges ? nameSpeakers(draft, after) : [{ kind: 'speakers', before, after }];
}

/** Returns the renamed speakers who would get the same name as another one, and so be merged with them. */
export function mergedSpeakers(names: readonly string[], renamed: readonly string[]): readonly number[] {
  const conflicting = new Set<number>();
  // Repeated, because the name that a speaker keeps may conflict with another new name.
  for (;;) {
    const after = names.map((name, speaker) =>
      (conflicting.has(speaker) ? name : (renamed[speaker] ?? name)).trim(),
    );
    const counts = countBy(after);
    const equal = after.flatMap((name, speaker) =>
      !conflicting.has(speaker) &&
      renamed[speaker] !== names[speaker] &&
      name !== '' &&
      (counts.get(name) ?? 0) > 1
        ? [speaker]
        : [],
    );
    if (equal.length === 0) return [...conflicting];
    for (const speaker of equal) conflicting.add(speaker);
  }
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Returns the names of speakers after a replacement in those of the chosen ones. A name that would become too long stays. */
export function replacedNames(
  names: readonly string[],
  { query, replacement, speakers = [] }: ReplaceOperation,
): readonly string[] {
  const pattern = patternOf(query);
  if (pattern === null || speakers.length === 0) return names;
  const inserted = replaceControls(replacement);
  return names.map((name, speaker) =>
    speakers.includes(speaker)
      ? (replaceMatches(name, pattern, inserted, maxSpeakerNameLength)?.trim() ?? name)
      : name,
  );
}

/** Returns the names of speakers after some are renamed. */
export const namesAfter = (names: readonly string[], renames: readonly RenamedSpeaker[]): readonly string[] =>
  names.map((name, index) => {
    const renamed = renames.find(({ speaker, before }) => speaker === index && before === name);
    return renamed === undefined ? name : replaceControls(renamed.name).trim();
  });

/** Follows merges and returns the final speaker; of speakers that are merged in a cycle, the first. */
function finalSpeaker(speaker: number, mergedInto: (speaker: number) => number): number {
  const path = [speaker];
  for (;;) {
    const next = mergedInto(path.at(-1) ?? speaker);
    const cycle = path.slice(path.indexOf(next));
    if (path.includes(next)) return Math.min(...cycle);
    path.push(next);
  }
}

/** Adds a note, unless there are too many. */
export function addNote(draft: Draft, atSeconds: number, text: string): Change {
  if (draft.notes.length >= maxNotes) return [];
  const note = {
    id: draft.nextId,
    atSeconds: Math.min(Math.max(0, roundToMilliseconds(atSeconds)), maxTimeSeconds),
    text: replaceControls(text),
  };
  return setNotes(draft, [...draft.notes, note]);
}

export function changeNote(draft: Draft, id: number, text: string): Change {
  const after = replaceControls(text);
  const note = draft.notes.find((one) => one.id === id);
  if (note === undefined || note.text === after) return [];
  return setNotes(
    draft,
    draft.notes.map((one) => (one === note ? { ...one, text: after } : one)),
  );
}

export function removeNote(draft: Draft, id: number): Change {
  const remaining = draft.notes.filter((one) => one.id !== id);
  return remaining.length === draft.notes.length ? [] : setNotes(draft, remaining);
}

/** Replaces the notes, and puts them in the order of their times. */
const setNotes = (draft: Draft, after: readonly Note[]): Change => [
  { kind: 'notes', before: draft.notes, after: after.toSorted((a, b) => a.atSeconds - b.atSeconds) },
];
