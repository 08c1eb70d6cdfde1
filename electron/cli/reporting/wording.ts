import type { QueueRow } from '../../contract/queue-commands.ts';
import { isKnownStatus, type JobStatus } from '../../contract/job-status.ts';
import { jobSlots } from '../../contract/limits.ts';
import { invisible } from '../../core/file-name.ts';
import { shortfallTimes } from '../../core/transcript/clock-time.ts';
import type { Translator } from '../../core/translator.ts';
import { percentOf } from './run-events.ts';
import { problemAt, textContext, type Problem } from '../../contract/problem.ts';
import type { ServiceAddress, ServiceStatus } from '../../contract/service.ts';
import type { TextOutput } from '../command-line-system.ts';

/** Returns the text of an item's state, with its progress. */
export function progressText(row: QueueRow, translator: Translator): string {
  return withPercent(row, stateText(row, translator), translator);
}

/** Appends the progress of an item to the text of its state. */
export function withPercent(row: QueueRow, state: string, translator: Translator): string {
  const percent = percentOf(row);
  return percent === null ? state : translator.translate('cli.withPercent', { state, percent });
}

/** Characters of a progress bar. */
const barLength = 12;

/** Returns a progress bar with its percentage. */
export function progressBar(percent: number, translator: Translator): string {
  const filled = Math.round((percent * barLength) / 100);
  const bar = '█'.repeat(filled) + '░'.repeat(barLength - filled);
  return `${bar} ${translator.translate('cli.percent', { percent })}`;
}

/** Returns the text of a job's status; one that this version does not know is shown unchanged. */
function statusText(status: JobStatus, service: ServiceAddress, translator: Translator): string {
  return isKnownStatus(status)
    ? translator.translate(`job.${status}`, textContext(service))
    : translator.translate('job.other', { status });
}

/** Returns the text of an item's state. */
export function stateText({ state, service, waitReason }: QueueRow, translator: Translator): string {
  const where = textContext(service);
  if (waitReason !== null) return translator.translate(`row.waiting.${waitReason}`, where);
  switch (state.kind) {
    case 'waiting':
      return translator.translate(`row.waiting.${state.waitsFor}`, { limit: jobSlots, ...where });
    case 'creating':
      if (state.waitsFor !== null) return translator.translate(`row.waiting.${state.waitsFor}`, where);
      return translator.translate('row.creating', where);
    case 'uploading':
    case 'completing':
      return translator.translate(`row.${state.kind}`, where);
    case 'transcribing':
      return statusText(state.status, service, translator);
    case 'done': {
      const done =
        state.wordCount === 0
          ? translator.translate('row.doneEmpty')
          : translator.translate('row.done', {
              words: translator.translate('unit.words', { count: state.wordCount }),
            });
      const { shortfall } = state;
      return shortfall === undefined
        ? done
        : `${done} · ${translator.translate('row.shortfall', shortfallTimes(shortfall))}`;
    }
    case 'blocked':
    case 'failed':
      return translator.problem(state.problem);
    default:
      return translator.translate(`row.${state.kind}`);
  }
}

/** Returns what is wrong with a service; `null` for nothing. */
export function conditionText(
  { service, condition }: Pick<ServiceStatus, 'service' | 'condition'>,
  translator: Translator,
): string | null {
  switch (condition.kind) {
    case 'ready':
    case 'starting':
      return null;
    case 'offline':
      return translator.problem(problemAt(service, { code: 'offline' }));
    case 'limited':
      return translator.problem(problemAt(service, { code: 'rate_limited' }));
    case 'no-credits':
    case 'over-limit':
    case 'stopped':
      return translator.problem(condition.problem);
  }
}

/** Makes a text one line: replaces control characters and those that change the text direction. */
export function printable(text: string): string {
  return text.replaceAll(invisible, '\ufffd');
}

/**
 * Returns an output that writes only printable characters and line breaks to a terminal: no text from a service or a
 * file can move its cursor, change its title or answer for the user. What is not a terminal gets every byte.
 */
export const printableOutput = (output: TextOutput): TextOutput => ({
  get isTerminal() {
    return output.isTerminal;
  },
  get columns() {
    return output.columns;
  },
  clearLine: () => output.clearLine(),
  write(text) {
    output.write(output.isTerminal ? text.split('\n').map(printable).join('\n') : text);
  },
});

/** Returns lines that tell the user about a problem with something of this name. */
export function problemLines(name: string, problem: Problem, translator: Translator): readonly string[] {
  const line = `${printable(name)}: ${translator.problem(problem)}`;
  return problem.detail === undefined ? [line] : [line, `  ${printable(problem.detail)}`];
}
