import type { Change, Draft, EditOperation } from '../../../contract/transcript.ts';
import { diffArrays } from 'diff';

type TextEdit = Omit<Extract<EditOperation, { kind: 'edit-text' }>, 'kind'>;

const controls = /(?!\n)\p{Cc}/gu;

/** Text as a transcript without times can hold it: well-formed, with line breaks and no other control characters. */
const plainLines = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/gu, '\n').replaceAll(controls, ' ');

/** Changes a stretch of a text without times; nothing in a transcript that has them. */
export function editText(draft: Draft, { at, removed, inserted }: TextEdit): Change {
  const { text } = draft;
  if (text === null) return [];
  return textChange(text, plainLines(text.slice(0, at) + inserted + text.slice(at + removed)));
}

/** The change of one text into another: the one stretch in which they differ. */
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

/** The one stretch in which two texts differ; `null` when they are the same. */
export function diffRange(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < shorter - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { at, removed: before.length - at - tail, inserted: after.slice(at, after.length - tail) };
}

/** Words that may differ between two texts before they are compared as a whole: looking further takes too long. */
const maxDifferences = 400;

/** A stretch of a text, in UTF-16 units, and what comes in its place. */
interface Replacement {
  readonly at: number;
  readonly end: number;
  readonly inserted: string;
}

/**
 * A text that two have changed, of whom one is typing in it: no letter of `mine` is lost, and `theirs` counts wherever
 * nothing was typed.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  const typed = diffRange(base, mine);
  if (typed === null) return theirs;
  if (theirs === base) return mine;
  const [at, end] = [typed.at, typed.at + typed.removed];
  const others = replacementsBetween(base, theirs).filter((one) => one.end <= at || one.at >= end);
  // What was inserted at the very place comes before what was typed there.
  const all = [...others, { at, end, inserted: typed.inserted }].sort((a, b) => a.at - b.at || a.end - b.end);
  let text = '';
  let done = 0;
  for (const stretch of all) {
    text += base.slice(done, stretch.at) + stretch.inserted;
    done = stretch.end;
  }
  return text + base.slice(done);
}

/** Where a place of a text is once it has become another, in UTF-16 units. */
export function mapPosition(before: string, after: string, place: number): number {
  let moved = place;
  for (const stretch of replacementsBetween(before, after)) {
    // Of a word that differs, the letters that do: a place beside them stays where it is.
    const letters = diffRange(before.slice(stretch.at, stretch.end), stretch.inserted);
    if (letters === null) continue;
    const { removed, inserted } = letters;
    const at = stretch.at + letters.at;
    if (at + removed <= place) moved += inserted.length - removed;
    else if (at < place) return moved + inserted.length - (place - at);
  }
  return moved;
}

const pieces = /[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;

/** The stretches in which two texts differ, word by word. */
function replacementsBetween(before: string, after: string): readonly Replacement[] {
  const changes = diffArrays(before.match(pieces) ?? [], after.match(pieces) ?? [], {
    maxEditLength: maxDifferences,
  });
  if (changes === undefined) {
    const whole = diffRange(before, after);
    return whole === null ? [] : [{ at: whole.at, end: whole.at + whole.removed, inserted: whole.inserted }];
  }
  const stretches: Replacement[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (!added && !removed) {
      at += text.length;
      continue;
    }
    const begun = stretches.at(-1)?.end === at ? stretches.pop() : undefined;
    const from = begun?.at ?? at;
    if (removed) at += text.length;
    stretches.push({ at: from, end: at, inserted: (begun?.inserted ?? '') + (added ? text : '') });
  }
  return stretches;
}
