import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueRow } from '../../contract/queue-commands.ts';
import type { Problem } from '../../contract/problem.ts';
import type { ServiceStatus } from '../../contract/service.ts';
import type { Clock } from '../../core/ports.ts';
import type { Translator } from '../../core/translator.ts';
import { percentOf, type Reporter, type RunEvent } from './run-events.ts';
import type { TextOutput } from '../command-line-system.ts';

/** The version of `docs/command-line.schema.json`; it increases when a reader of the previous version could be misled. */
export const jsonSchemaVersion = 1;

/** Milliseconds between two progress lines of an item in one state. */
const progressIntervalMs = 1_000;

/** Reports a run as JSON, one object per line of standard output (`docs/command-line.md`). */
export class JsonReporter implements Reporter {
  readonly #stdout: TextOutput;
  readonly #translator: Translator;
  readonly #clock: Clock;
  readonly #reported = new Map<
    ItemId,
    { readonly state: string; readonly percent: number | null; readonly at: number }
  >();

  constructor(stdout: TextOutput, translator: Translator, clock: Clock) {
    this.#stdout = stdout;
    this.#translator = translator;
    this.#clock = clock;
  }

  report(event: RunEvent): void {
    if (event.type === 'item' && !this.#isDue(event.row)) return;
    writeJson(this.#stdout, toJson(event, this.#translator));
  }

  close(): void {
    this.#reported.clear();
  }

  #isDue(row: QueueRow): boolean {
    const state = row.state.kind;
    const percent = percentOf(row);
    const at = this.#clock.now();
    const last = this.#reported.get(row.id);
    if (last?.state === state && (last.percent === percent || at - last.at < progressIntervalMs))
      return false;
    this.#reported.set(row.id, { state, percent, at });
    return true;
  }
}

/** Writes an object as one line. */
export function writeJson(stdout: TextOutput, value: object): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}

/** Returns a problem as JSON: a stable code, and a text to show. */
export function problemToJson(problem: Problem, translator: Translator): object {
  const { code, detail } = problem;
  return { code, message: translator.problem(problem), ...(detail === undefined ? {} : { detail }) };
}

/** Returns the status of a service as JSON. */
export function serviceToJson({ service, condition }: ServiceStatus, translator: Translator): object {
  const problem = 'problem' in condition ? { problem: problemToJson(condition.problem, translator) } : {};
  return { service, condition: condition.kind, ...problem };
}

/** Returns an item as JSON. */
export function itemToJson(row: QueueRow, translator: Translator): object {
  const { id, name, state } = row;
  const percent = percentOf(row);
  return {
    item: id,
    name,
    state: state.kind,
    ...(percent === null ? {} : { percent }),
    ...(state.kind === 'done' ? { words: state.wordCount, ...state.shortfall } : {}),
    ...('problem' in state ? { problem: problemToJson(state.problem, translator) } : {}),
  };
}

function toJson(event: RunEvent, translator: Translator): object {
  switch (event.type) {
    case 'item':
      return { type: 'item', ...itemToJson(event.row, translator) };
    case 'service':
      return { type: 'service', ...serviceToJson(event.status, translator) };
    case 'preview': {
      const { rejected: _rejected, credits, ...preview } = event.preview;
      return { type: 'preview', ...preview, ...(event.isBilled ? { credits } : {}) };
    }
    case 'text':
      return { ...event, segments: event.segments.map(({ extras: _extras, ...plain }) => plain) };
    case 'left-out':
    case 'file-failed':
    case 'speakers-failed':
    case 'tags-failed':
      return { ...event, problem: problemToJson(event.problem, translator) };
    case 'end': {
      const { outcome, done, failed, left } = event;
      const problem =
        outcome.kind === 'needs-user' ? { problem: problemToJson(outcome.problem, translator) } : {};
      return { type: 'end', outcome: outcome.kind, done, failed, left, ...problem };
    }
    default:
      return event;
  }
}
