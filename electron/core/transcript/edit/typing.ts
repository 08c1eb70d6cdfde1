import type { Change, Draft } from '../../../contract/transcript.ts';
import { applyChange, invertChange } from './change.ts';
import { wholeChange } from './whole-text.ts';

/**
 * What was typed in one go and stored in two parts, as the one change that it is; empty when it comes to nothing.
 * `draft` is what the first part has made. `null` when the two are not of one and the same text.
 */
export function typedInAll(draft: Draft, begun: Change, goesOn: Change): Change | null {
  const [first] = begun;
  const [second] = goesOn;
  if (begun.length !== 1 || goesOn.length !== 1) return null;
  if (first?.kind === 'text' && second?.kind === 'text') {
    const before = applyChange(draft, invertChange(begun)).text ?? '';
    return wholeChange(before, applyChange(draft, goesOn).text ?? '');
  }
  if (first?.kind !== 'replace' || second?.kind !== 'replace') return null;
  const [begin] = first.pairs;
  const [end] = second.pairs;
  if (begin === undefined || end === undefined || first.pairs.length + second.pairs.length !== 2) return null;
  if (begin.after.id !== end.before.id) return null;
  const { at, before } = begin;
  return before.text === end.after.text
    ? []
    : [{ kind: 'replace', pairs: [{ at, before, after: end.after }] }];
}
