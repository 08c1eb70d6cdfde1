import type { Check } from './check.ts';
import { uncheckableRules } from './uncheckable-rules.ts';

/** The result of a check: `failed` if the service breaks the rule, `inconclusive` if that can be neither shown nor refuted now. */
export interface Finding {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  /** Why it has not passed. */
  readonly reason: string;
}

const marks: Readonly<Record<Finding['outcome'], string>> = {
  passed: 'ok          ',
  failed: 'FAILED      ',
  inconclusive: 'inconclusive',
};

/** Formats one check on its own line, with the reason below it unless it has passed. */
export function lineOf({ check, outcome, reason }: Finding): string {
  const line = `  ${marks[outcome]} ${check.rule} (${check.part})`;
  return reason === '' ? line : `${line}\n${indented(reason, 15)}`;
}

/** Formats the summary: what was not checked and why, what has failed, and the counts. */
export function summaryOf(findings: readonly Finding[], unchecked: readonly Check[]): string {
  const withOutcome = (outcome: Finding['outcome']): readonly Finding[] =>
    findings.filter((finding) => finding.outcome === outcome);
  const uncheckedOfCost = (cost: Check['cost']): readonly Check[] =>
    unchecked.filter((check) => check.cost === cost);
  return [
    'Not checked',
    ...uncheckedBy(uncheckedOfCost('free'), 'were not reached'),
    ...uncheckedBy(uncheckedOfCost('creates'), 'create jobs and delete them: --create checks them too'),
    ...uncheckedBy(uncheckedOfCost('pays'), 'cost at most 5 credits: --pay checks them too'),
    '  What no client can check, since that takes days, access to the server or money:',
    ...uncheckableRules.map(({ part, rule }) => `         ${rule} (${part})`),
    ...(withOutcome('failed').length === 0 ? [] : ['', 'Failed', ...withOutcome('failed').map(lineOf)]),
    '',
    `${withOutcome('passed').length} passed, ${withOutcome('failed').length} failed, ${withOutcome('inconclusive').length} inconclusive, ` +
      `${unchecked.length} not checked`,
  ].join('\n');
}

function uncheckedBy(checks: readonly Check[], why: string): readonly string[] {
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
