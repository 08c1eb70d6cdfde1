import type { Change, Draft, DraftSegment, IdentifiedTurn } from '../../../contract/transcript.ts';
import { assignSpeakers } from '../assign-speakers.ts';
import { isAssignedByPerson, withSpeakerConfidence } from '../segment.ts';
import { maxSplices } from './segment-operations.ts';
import { TurnIndex } from '../turn-index.ts';

/** The number of steps between no and full confidence. Finer steps would only make the transcript larger. */
const confidenceSteps = 1000;

/**
 * Assigns segments to the speakers that were found in the recording, and splits them where the speaker changes. Segments
 * that a person has assigned stay. Speakers whom a person has named or assigned keep their index.
 *
 * @param turns in order of their start
 */
export function assignIdentified(draft: Draft, turns: readonly IdentifiedTurn[]): Change {
  if (draft.text !== null) return [];
  const index = new TurnIndex(turns);
  const draftSpeakers = matchSpeakers(draft, turns, index);
  const pairs: { readonly at: number; readonly before: DraftSegment; readonly after: DraftSegment }[] = [];
  const splices: Splice[] = [];
  let { nextId } = draft;
  for (const [at, parts] of assignSpeakers(draft.segments, turns).entries()) {
    const before = draft.segments[at];
    if (before === undefined || isAssignedByPerson(before)) continue;
    const inserted = parts.map(({ segment, speaker }, part) => {
      const assigned = {
        ...segment,
        id: part === 0 ? before.id : nextId++,
        speaker: speaker === null ? null : (draftSpeakers.get(speaker) ?? null),
      };
      return withSpeakerConfidence(assigned, speaker === null ? null : confidenceOf(index, segment, speaker));
    });
    const [only] = inserted;
    if (inserted.length > 1) splices.push({ at, removed: [before], inserted });
    else if (only !== undefined && hasOtherAssignment(before, only)) pairs.push({ at, before, after: only });
  }
  const merged = mergeSplices(splices);
  if (merged.length > maxSplices) {
    const assigned = new Map<number, readonly DraftSegment[]>([
      ...splices.map(({ at, inserted }) => [at, inserted] as const),
      ...pairs.map(({ at, after }) => [at, [after]] as const),
    ]);
    const inserted = draft.segments.flatMap((segment, at) => assigned.get(at) ?? [segment]);
    return [{ kind: 'splice', at: 0, removed: draft.segments, inserted }];
  }
  // Splices from the end, so that the earlier indexes stay valid.
  return [...(pairs.length > 0 ? [{ kind: 'replace' as const, pairs }] : []), ...merged.toReversed()];
}

type Splice = Omit<Extract<Change[number], { readonly kind: 'splice' }>, 'kind'>;

/** Merges splices of adjacent segments: a few long ones are stored much faster than many short ones. */
function mergeSplices(splices: readonly Splice[]): Change {
  const groups: Splice[][] = [];
  for (const splice of splices) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && last.at + 1 === splice.at) group.push(splice);
    else groups.push([splice]);
  }
  return groups.map((group) => ({
    kind: 'splice',
    at: group[0]?.at ?? 0,
    removed: group.flatMap(({ removed }) => removed),
    inserted: group.flatMap(({ inserted }) => inserted),
  }));
}

const hasOtherAssignment = (before: DraftSegment, after: DraftSegment): boolean =>
  before.speaker !== after.speaker || before.extras?.speakerConfidence !== after.extras?.speakerConfidence;

/** Returns how certain it is that a speaker speaks in a segment: the mean of their turns there, by duration. */
function confidenceOf(index: TurnIndex<IdentifiedTurn>, segment: DraftSegment, speaker: number): number {
  let [seconds, weighted, closest] = [0, 0, 0];
  for (const { turn, overlap } of index.turnsNear(segment)) {
    if (turn.speaker !== speaker) continue;
    closest = turn.confidence;
    seconds += Math.max(0, overlap);
    weighted += Math.max(0, overlap) * turn.confidence;
  }
  return Math.round((seconds > 0 ? weighted / seconds : closest) * confidenceSteps) / confidenceSteps;
}

/**
 * Returns the speaker of the draft for each speaker that was found, by their indexes. Each speaker whom a person has
 * named or assigned is matched with the found one who speaks most in their segments; the remaining found speakers get
 * the lowest free indexes.
 */
function matchSpeakers(
  draft: Draft,
  turns: readonly IdentifiedTurn[],
  index: TurnIndex<IdentifiedTurn>,
): ReadonlyMap<number, number> {
  const known = knownSpeakers(draft);
  const matches = new Map<number, number>();
  const matchedSeconds = new Map<number, number>();
  for (const [speaker, secondsByFound] of overlapSeconds(draft, index)) {
    if (!known.has(speaker)) continue;
    const [found, seconds] = [...secondsByFound].reduce((most, one) => (one[1] > most[1] ? one : most));
    if (seconds <= (matchedSeconds.get(found) ?? 0)) continue;
    matches.set(found, speaker);
    matchedSeconds.set(found, seconds);
  }
  let free = 0;
  for (const found of new Set(turns.map(({ speaker }) => speaker))) {
    if (matches.has(found)) continue;
    while (known.has(free)) free += 1;
    matches.set(found, free);
    free += 1;
  }
  return matches;
}

/** Returns the speakers who have a name or were assigned by a person. */
function knownSpeakers({ speakers, segments }: Draft): ReadonlySet<number> {
  const known = new Set([...speakers.keys()].filter((speaker) => speakers[speaker] !== ''));
  for (const segment of segments) {
    if (segment.speaker !== null && isAssignedByPerson(segment)) known.add(segment.speaker);
  }
  return known;
}

/** Returns for how many seconds the found speakers speak in the segments of each speaker of the draft. */
function overlapSeconds(
  draft: Draft,
  index: TurnIndex<IdentifiedTurn>,
): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const all = new Map<number, Map<number, number>>();
  for (const segment of draft.segments) {
    if (segment.speaker === null) continue;
    for (const { turn, overlap } of index.turnsNear(segment)) {
      if (overlap <= 0) continue;
      const seconds = all.get(segment.speaker) ?? new Map<number, number>();
      all.set(segment.speaker, seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + overlap));
    }
  }
  return all;
}
