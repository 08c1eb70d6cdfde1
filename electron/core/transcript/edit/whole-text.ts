import type { Change, Draft, EditOperation } from '../../../contract/transcript.ts';

type TextEdit = Omit<Extract<EditOperation, { kind: 'edit-text' }>, 'kind'>;

const controls = /(?!\n)\p{Cc}/gu;

/** Text as a transcript without times can hold it: well-formed, with line breaks and no other control characters. */
const plainLines = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/gu, '\n').replaceAll(controls, ' ');

/** Changes a stretch of a text without times; nothing in a transcript that has them. */
export function editWhole(draft: Draft, { at, removed, inserted }: TextEdit): Change {
  const { text } = draft;
  if (text === null) return [];
  return wholeChange(text, plainLines(text.slice(0, at) + inserted + text.slice(at + removed)));
}

/** The change of one text into another: the one stretch in which they differ. */
export function wholeChange(before: string, after: string): Change {
  const edit = differenceOf(before, after);
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
export function differenceOf(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < shorter - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { at, removed: before.length - at - tail, inserted: after.slice(at, after.length - tail) };
}
