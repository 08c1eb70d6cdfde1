import type { Check } from './check.ts';
import { outOfReach } from './out-of-reach.ts';

/** What came of a check: the rule is kept, it is broken, or it can be neither shown nor refuted now. */
export interface Finding {
  readonly check: Check;
  readonly outcome: 'kept' | 'broken' | 'open';
  /** Why it is not `kept`. */
  readonly reason: string;
}

const marks: Readonly<Record<Finding['outcome'], string>> = {
  kept: 'ok    ',
  broken: 'BROKEN',
  open: 'open  ',
};

/** One check, in a line of its own; what is not kept with the reason below it. */
export function lineOf({ check, outcome, reason }: Finding): string {
  const line = `  ${marks[outcome]} ${check.rule} (${check.part})`;
  return reason === '' ? line : `${line}\n${indented(reason, 9)}`;
}

/** What was not tried and why, what is broken once more, and the numbers. */
export function summaryOf(findings: readonly Finding[], untried: readonly Check[]): string {
  const of = (outcome: Finding['outcome']): readonly Finding[] =>
    findings.filter((finding) => finding.outcome === outcome);
  const costing = (cost: Check['cost']): readonly Check[] => untried.filter((check) => check.cost === cost);
  return [
    'Not tried',
    ...untriedBy(costing('free'), 'were not come to'),
    ...untriedBy(costing('creates'), 'make jobs and delete them: --create tries them too'),
    ...untriedBy(costing('pays'), 'cost credits, 5 at most: --pay tries them too'),
    '  What no client can show, since it takes days, other eyes or money:',
    ...outOfReach.map(({ part, rule }) => `         ${rule} (${part})`),
    ...(of('broken').length === 0 ? [] : ['', 'Broken', ...of('broken').map(lineOf)]),
    '',
    `${of('kept').length} kept, ${of('broken').length} broken, ${of('open').length} left open, ` +
      `${untried.length} not tried`,
  ].join('\n');
}

function untriedBy(checks: readonly Check[], why: string): readonly string[] {
  if (checks.length === 0) return [];
  const parts = new Set(checks.flatMap(({ part }) => part.split(', ')).filter((part) => /^\d/.test(part)));
  const sorted = [...parts].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [`  ${checks.length} rules ${why}`, `         (parts ${sorted.join(', ')})`];
}

function indented(text: string, by: number): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : ' '.repeat(by) + line))
    .join('\n');
}
