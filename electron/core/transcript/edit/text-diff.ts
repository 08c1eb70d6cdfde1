import type { Change, Draft, EditOperation } from '../../../contract/transcript.ts';
import { diffArrays } from 'diff';
import { maxTextLength } from '../../../contract/limits.ts';
import { partitionPoint } from '../partition-point.ts';
import { isUnspaced, unspacedWords } from '../words-in-text.ts';

type TextEdit = Omit<Extract<EditOperation, { kind: 'edit-text' }>, 'kind'>;

const controls = /(?!\n)\p{Cc}/gu;

/** Normalizes text for a transcript without times: well-formed, with line breaks as the only control characters. */
export const plainLines = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/gu, '\n').replaceAll(controls, ' ');

/** Changes a range of a text without times, unless it would grow too long; does nothing in a transcript with times. */
export function editText(draft: Draft, { at, removed, inserted }: TextEdit): Change {
  const { text } = draft;
  if (text === null) return [];
  const after = plainLines(text.slice(0, at) + inserted + text.slice(at + removed));
  return after.length > Math.max(text.length, maxTextLength) ? [] : textChange(text, after);
}

/** Returns the change of one text into another, as the one range in which they differ. */
export function textChange(before: string, after: string): Change {
  const edit = diffRange(before, after);
  if (edit === null) return [];
  return [
    {
      kind: 'text',
      at: edit.at,
      removed: before.slice(edit.at, edit.at + edit.removed),
      inserted: edit.inserted,
    },
  ];
}

/** Returns the one range in which two texts differ; `null` if they are equal. */
export function diffRange(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < shorter - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { at, removed: before.length - at - tail, inserted: after.slice(at, after.length - tail) };
}

/** With more differing words, two texts are compared as a whole, because a full diff takes too long. */
const maxDifferences = 400;

/** A range of a text, in UTF-16 units, and its replacement. */
export interface Replacement {
  readonly at: number;
  readonly end: number;
  readonly inserted: string;
}

/** Merges two changed versions of a text: keeps every letter that was typed in `mine`, and elsewhere takes `theirs`. */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  const typed = diffRange(base, mine);
  if (typed === null) return theirs;
  if (theirs === base) return mine;
  const [at, end] = [typed.at, typed.at + typed.removed];
  const theirEdits = replacementsBetween(base, theirs).filter((one) => one.end <= at || one.at >= end);
  // Their insertion at the same position precedes the typed text.
  const edits = [...theirEdits, { at, end, inserted: typed.inserted }].sort(
    (a, b) => a.at - b.at || a.end - b.end,
  );
  let text = '';
  let copiedTo = 0;
  for (const edit of edits) {
    text += base.slice(copiedTo, edit.at) + edit.inserted;
    copiedTo = edit.end;
  }
  return text + base.slice(copiedTo);
}

/** Where a position goes that text is inserted at, and one within replaced text. */
interface MappedEdge {
  readonly insertion: 'before' | 'after';
  readonly within: 'start' | 'end';
}

/**
 * Returns a function that maps positions in a text, in UTF-16 units, to the text with these replacements, which are in
 * order and apart from each other.
 */
export function positionMapper(
  replacements: readonly Replacement[],
): (position: number, edge: MappedEdge) => number {
  /** By how much what follows each number of replacements has moved. */
  const shifts = [0];
  for (const { at, end, inserted } of replacements)
    shifts.push((shifts.at(-1) ?? 0) + inserted.length - (end - at));
  return (position, { insertion, within }) => {
    const index = partitionPoint(
      replacements,
      ({ at, end }) => end <= position && (insertion === 'before' || at < position),
    );
    const shift = shifts[index] ?? 0;
    const next = replacements[index];
    if (next === undefined || position <= next.at || next.end <= position) return position + shift;
    return next.at + shift + (within === 'end' ? next.inserted.length : 0);
  };
}

/**
 * Compares two texts, and returns a function that maps positions in the first to the second, in UTF-16 units: for several
 * positions, call this only once.
 */
export function mapperBetween(before: string, after: string): (position: number) => number {
  // Considers only the differing letters of a word: a position next to them does not move.
  const letters = replacementsBetween(before, after).flatMap(({ at, end, inserted }) => {
    const edit = diffRange(before.slice(at, end), inserted);
    return edit === null
      ? []
      : [{ at: at + edit.at, end: at + edit.at + edit.removed, inserted: edit.inserted }];
  });
  const mapPosition = positionMapper(letters);
  return (position) => mapPosition(position, { insertion: 'before', within: 'end' });
}

/** Maps a position in a text to the changed text, in UTF-16 units. */
export const mapPosition = (before: string, after: string, position: number): number =>
  mapperBetween(before, after)(position);

const pieces = /[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;

/** Returns the replacements that turn one text into another, word by word. */
function replacementsBetween(before: string, after: string): readonly Replacement[] {
  const changes = diffArrays(before.match(pieces) ?? [], after.match(pieces) ?? [], {
    maxEditLength: maxDifferences,
  });
  if (changes === undefined) {
    const whole = diffRange(before, after);
    return whole === null ? [] : [{ at: whole.at, end: whole.at + whole.removed, inserted: whole.inserted }];
  }
  const replacements: Replacement[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (!added && !removed) {
      at += text.length;
      continue;
    }
    const previous = replacements.at(-1)?.end === at ? replacements.pop() : undefined;
    const from = previous?.at ?? at;
    if (removed) at += text.length;
    replacements.push({ at: from, end: at, inserted: (previous?.inserted ?? '') + (added ? text : '') });
  }
  return replacements;
}

/** A part of a text that was changed. */
export interface TextPart {
  readonly kind: 'same' | 'deleted' | 'inserted';
  readonly text: string;
}

/**
 * Compares two texts word by word. The parts without the inserted ones make up the first text, those without the deleted
 * ones the second.
 */
export function diffWords(before: string, after: string): readonly TextPart[] {
  const changes = diffArrays(wordsAndSpaces(before), wordsAndSpaces(after), {
    maxEditLength: maxDifferences,
  });
  const parts: TextPart[] = [];
  let [deleted, inserted] = ['', ''];
  const push = (kind: TextPart['kind'], text: string): void => {
    const last = parts.at(-1)?.kind === kind ? parts.pop() : undefined;
    if (text !== '' || last !== undefined) parts.push({ kind, text: (last?.text ?? '') + text });
  };
  const flush = (): void => {
    // White space at the end of both is not a change.
    const space = deleted.slice(deleted.trimEnd().length);
    const shared = inserted.endsWith(space) ? space.length : 0;
    push('deleted', deleted.slice(0, deleted.length - shared));
    push('inserted', inserted.slice(0, inserted.length - shared));
    push('same', deleted.slice(deleted.length - shared));
    [deleted, inserted] = ['', ''];
  };
  for (const [index, { added, removed, value }] of (changes ?? wholeDiff(before, after)).entries()) {
    const text = value.join('');
    // Adjacent changed words are one change, together with the space between them.
    const isBetween = deleted + inserted !== '' && changes?.[index + 1] !== undefined && text.trim() === '';
    if (removed || (!added && isBetween)) deleted += text;
    if (added || (!removed && isBetween)) inserted += text;
    if (added || removed || isBetween) continue;
    flush();
    push('same', text);
  }
  flush();
  return parts;
}

const wordsAndSpaces = (text: string): string[] =>
  (text.match(pieces) ?? []).flatMap((piece) => (isUnspaced(piece) ? unspacedWords(piece) : [piece]));

/** Returns the one range in which two texts differ as the changes of a diff. */
function wholeDiff(before: string, after: string) {
  const { at, removed, inserted } = diffRange(before, after) ?? { at: 0, removed: 0, inserted: '' };
  return [
    { added: false, removed: false, value: [before.slice(0, at)] },
    { added: false, removed: true, value: [before.slice(at, at + removed)] },
    { added: true, removed: false, value: [inserted] },
    { added: false, removed: false, value: [before.slice(at + removed)] },
  ];
}
