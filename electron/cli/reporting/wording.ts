import type { QueueRow } from '../../contract/queue-commands.ts';
import { jobSlots } from '../../contract/limits.ts';
import type { Words } from '../../core/words.ts';
import { percentOf } from './run-events.ts';
import type { Problem } from '../../contract/problem.ts';
import type { TextOutput } from '../command-line-system.ts';

/** Returns the text of an item's state, with its progress. */
export function progressText(row: QueueRow, words: Words): string {
  const percent = percentOf(row);
  const state = stateText(row, words);
  return percent === null ? state : words.say('cli.withPercent', { state, percent });
}

/** Returns the text of an item's state. */
export function stateText({ state, service, heldBy }: QueueRow, words: Words): string {
  if (heldBy !== null) return words.say(`row.waiting.${heldBy}`);
  const isOnDevice = service === 'on-device';
  switch (state.kind) {
    case 'waiting':
      return words.say(`row.waiting.${state.waitsFor}`, { limit: jobSlots });
    case 'creating':
      if (state.waitsFor !== null) return words.say(`row.waiting.${state.waitsFor}`);
      return words.say(isOnDevice ? 'row.starting' : 'row.creating');
    case 'uploading':
    case 'completing':
      return words.say(isOnDevice ? 'row.reading' : `row.${state.kind}`);
    case 'transcribing': {
      const { status } = state;
      const defaultValue = words.say(`job.${status}`, { defaultValue: words.say('job.other', { status }) });
      return isOnDevice ? words.say(`job.onDevice.${status}`, { defaultValue }) : defaultValue;
    }
    case 'done':
      return state.wordCount === 0
        ? words.say('row.doneEmpty')
        : words.say('row.done', { words: words.say('unit.words', { count: state.wordCount }) });
    case 'blocked':
    case 'failed':
      return words.problem(state.problem);
    default:
      return words.say(`row.${state.kind}`);
  }
}

/** Makes a text one line: replaces control characters and those that change the text direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Returns an output that writes only printable characters and line breaks to a terminal: no text from a service or a
 * file can move its cursor, change its title or answer for the user. What is not a terminal gets every byte.
 */
export const safeOutput = (output: TextOutput): TextOutput => ({
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

/** Returns a problem with something of this name, as lines for people. */
export function problemLines(name: string, problem: Problem, words: Words): readonly string[] {
  const line = `${printable(name)}: ${words.problem(problem)}`;
  return problem.detail === undefined ? [line] : [line, `  ${printable(problem.detail)}`];
}
