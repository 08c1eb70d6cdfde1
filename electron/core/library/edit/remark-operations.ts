import type { SegmentId } from '../../../contract/model/identifiers.ts';
import type { Change, Draft, Note } from '../../../contract/model/transcript.ts';
import { roundTime } from './draft.ts';
import { plainText } from './text-operations.ts';

export function setSpeaker(draft: Draft, ids: readonly SegmentId[], speaker: number | null): Change {
  const wanted = new Set(ids);
  const pairs = draft.segments.flatMap((before, at) =>
    wanted.has(before.id) && before.speaker !== speaker
      ? [{ at, before, after: { ...before, speaker } }]
      : [],
  );
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
}

export function nameSpeaker(draft: Draft, speaker: number, name: string): Change {
  const before = draft.speakers;
  const given = plainText(name).trim();
  if ((before[speaker] ?? '') === given) return [];
  const length = Math.max(before.length, speaker + 1);
  const after = Array.from({ length }, (_, at) => (at === speaker ? given : (before[at] ?? '')));
  return [{ kind: 'speakers', before, after }];
}

export function addNote(draft: Draft, atSeconds: number, text: string): Change {
  const note = { id: draft.nextId, atSeconds: Math.max(0, roundTime(atSeconds)), text: plainText(text) };
  return notes(draft, [...draft.notes, note]);
}

export function changeNote(draft: Draft, id: number, text: string): Change {
  const given = plainText(text);
  const note = draft.notes.find((one) => one.id === id);
  if (note === undefined || note.text === given) return [];
  return notes(
    draft,
    draft.notes.map((one) => (one === note ? { ...one, text: given } : one)),
  );
}

export function removeNote(draft: Draft, id: number): Change {
  const left = draft.notes.filter((one) => one.id !== id);
  return left.length === draft.notes.length ? [] : notes(draft, left);
}

const notes = (draft: Draft, after: readonly Note[]): Change => [
  { kind: 'notes', before: draft.notes, after: after.toSorted((a, b) => a.atSeconds - b.atSeconds) },
];
