import type { QueueRow } from '../../contract/queue.ts';
import { jobSlots } from '../../contract/limits.ts';
import type { Words } from '../../core/words.ts';
import { percentOf } from './events.ts';

/** The state of an item in plain words, with its progress. */
export function progressInWords(row: QueueRow, words: Words): string {
  const percent = percentOf(row);
  const state = stateInWords(row, words);
  return percent === null ? state : words.say('cli.withPercent', { state, percent });
}

/** The state of an item in plain words. */
export function stateInWords({ state }: QueueRow, words: Words): string {
  switch (state.kind) {
    case 'waiting':
      return words.say(`row.waiting.${state.waitsFor}`, { limit: jobSlots });
    case 'creating':
      return words.say(state.waitsFor === null ? 'row.creating' : `row.waiting.${state.waitsFor}`);
    case 'transcribing': {
      const { status } = state;
      return words.say(`job.${status}`, { defaultValue: words.say('job.other', { status }) });
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
