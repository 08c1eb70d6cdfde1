import { expect, test } from 'vitest';
import { maxSegmentTextLength, maxTextLength } from '../../../../../electron/contract/limits.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';
import { run } from './edit-arbitraries.ts';

test('other spellings that are given twice are replaced once', () => {
  const before = draftOf([newSegment(0, 1, 'an x')]);
  const { after } = run(before, [{ kind: 'respell', spellings: ['x', 'x', 'x'], replacement: 'x x' }]);
  expect(after.segments[0]?.text).toBe('an x x');
});

test('any number of spellings of a word is replaced in a long transcript', () => {
  const spellings = Array.from({ length: 1000 }, (_, at) => `Name${at}`);
  const text = 'Name7 and Name77, '.repeat(5000);
  const before = draftOf(Array.from({ length: 20 }, (_, at) => newSegment(at, at + 1, text)));
  const { after } = run(before, [{ kind: 'respell', spellings, replacement: 'Name' }]);
  expect(after.segments[19]?.text).toBe('Name and Name, '.repeat(5000));
});

test('a spelling that another replacement creates is replaced too', () => {
  const before = draftOf([newSegment(0, 1, 'so A. M. M. said')]);
  const spellings = ['A. M.', 'Anna Maria M.'];
  const { after } = run(before, [{ kind: 'respell', spellings, replacement: 'Anna Maria' }]);
  expect(after.segments[0]?.text).toBe('so Anna Maria said');
});

test('segments that would be too long together are not merged', () => {
  const before = draftOf([newSegment(0, 1, 'a'.repeat(maxSegmentTextLength)), newSegment(1, 2, 'b')]);
  expect(run(before, [{ kind: 'merge', segment: 0 }]).changes).toEqual([[]]);
});

test('a text without times does not grow beyond its limit, and a longer one can be cut', () => {
  const full = 'a'.repeat(maxTextLength);
  const insert = { kind: 'edit-text', at: 0, removed: 0, inserted: 'b' } as const;
  expect(run(draftOf([], full), [insert]).changes).toEqual([[]]);
  expect(run(draftOf([], full), [{ ...insert, removed: 1 }]).after.text).toHaveLength(maxTextLength);
  expect(run(draftOf([], `${full}aa`), [{ ...insert, removed: 2 }]).after.text).toHaveLength(
    maxTextLength + 1,
  );
});
