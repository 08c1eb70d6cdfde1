import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueRow } from '../../contract/queue-commands.ts';
import type { ServiceStatus } from '../../contract/service.ts';
import type { Problem, ProblemCode } from '../../contract/problem.ts';
import type { Clock } from '../../core/ports.ts';
import type { Translator } from '../../core/translator.ts';
import { clockTime, durationTime } from '../../core/transcript/clock-time.ts';
import type { Reporter, RunEvent } from './run-events.ts';
import { conditionText, printable, problemLines, progressBar, progressText, stateText } from './wording.ts';
import { RunProgress } from './run-progress.ts';
import type { StatusLine } from './status-line.ts';
import type { TextOutput } from '../command-line-system.ts';

/** Problems for which the command line has its own text, which names commands and does not promise to wait. */
const endTexts = {
  offline: 'cli.unreachable',
  key_missing: 'cli.keyMissing',
  account_removed: 'cli.accountRemoved',
} as const satisfies Partial<Record<ProblemCode, string>>;

/**
 * Reports a run for people: written files on standard output, all else on standard error. On a terminal one line is
 * updated in place; elsewhere each new state of an item is printed on its own line.
 */
export class TextReporter implements Reporter {
  readonly #stdout: TextOutput;
  readonly #line: StatusLine;
  readonly #translator: Translator;
  readonly #states = new Map<ItemId, string>();
  readonly #progress: RunProgress;
  #hasReported = false;

  constructor(stdout: TextOutput, line: StatusLine, translator: Translator, clock: Clock) {
    this.#stdout = stdout;
    this.#progress = new RunProgress(clock);
    this.#line = line;
    this.#translator = translator;
  }

  report(event: RunEvent): void {
    this.#report(event);
    this.#hasReported = true;
  }

  close(): void {
    this.#line.clear();
  }

  #report(event: RunEvent): void {
    switch (event.type) {
      case 'added':
        return this.#line.print(this.#translator.translate('cli.added', { count: event.count }));
      case 'preview':
        return this.#preview(event);
      case 'left-out':
        return this.#printProblem(event.name, event.problem);
      case 'paused':
        return this.#line.print(this.#translator.translate('cli.stayPaused', { count: event.count }));
      case 'queue-paused':
        return this.#line.print(this.#translator.translate('cli.queuePaused'));
      case 'item':
        return this.#item(event.row);
      case 'text':
        return this.#text(event);
      case 'service':
        return this.#service(event.status);
      case 'file':
        return this.#line.writeAround(() => this.#stdout.write(`${event.path}\n`));
      case 'speakers': {
        const speakersText = this.#translator.translate('cli.library.speakers', { count: event.speakers });
        return this.#line.print(`${printable(event.name)}: ${speakersText}`);
      }
      case 'speakers-failed':
      case 'tags-failed':
      case 'file-failed':
        return this.#printProblem(event.name, event.problem);
      case 'end':
        return this.#end(event);
    }
  }

  #item(row: QueueRow): void {
    const state = stateText(row, this.#translator);
    const isNew = this.#states.get(row.id) !== state;
    this.#states.set(row.id, state);
    this.#progress.update(row);
    const name = printable(row.name);
    if (isNew && 'problem' in row.state) this.#printProblem(row.name, row.state.problem);
    else if (isNew && !this.#line.isLive && row.state.kind !== 'waiting') {
      this.#line.print(`${name}: ${state}`);
    }
    if (this.#line.isLive) this.#line.show(this.#progressLine(name, progressText(row, this.#translator)));
  }

  /** Returns the line of a terminal: most important first, since it is cut at the terminal's width. */
  #progressLine(name: string, state: string): string {
    const translate = this.#translator.translate.bind(this.#translator);
    const { percent, settled: done, count: all, secondsLeft } = this.#progress;
    return [
      progressBar(percent, this.#translator),
      translate('queue.doneOf', { done, all }),
      ...(secondsLeft === null ? [] : [translate('queue.timeLeft', { time: durationTime(secondsLeft) })]),
      `${name}: ${state}`,
    ].join(' · ');
  }

  #text({ name, segments }: Extract<RunEvent, { type: 'text' }>): void {
    for (const { start, text } of segments)
      this.#line.print(`${printable(name)} ${clockTime(start)}  ${printable(text)}`);
  }

  #preview({ preview, isBilled }: Extract<RunEvent, { type: 'preview' }>): void {
    const translate = this.#translator.translate.bind(this.#translator);
    const { recordings, seconds, credits, unmeasured, transcribed, queued, copies } = preview;
    const parts = [translate('cli.preview.recordings', { count: recordings })];
    if (seconds > 0) parts.push(translate('cli.preview.duration', { time: durationTime(seconds) }));
    if (isBilled && credits > 0) parts.push(translate('unit.credits', { count: credits }));
    if (unmeasured > 0) parts.push(translate('cli.preview.unmeasured', { count: unmeasured }));
    this.#stdout.write(`${parts.join(', ')}\n`);
    for (const [kind, names] of Object.entries({ transcribed, queued, copies }))
      for (const name of names)
        this.#stdout.write(`${printable(name)}: ${translate(`cli.preview.${kind}`)}\n`);
  }

  #printProblem(name: string, problem: Problem): void {
    for (const line of problemLines(name, problem, this.#translator)) this.#line.print(line);
  }

  #service(status: ServiceStatus): void {
    const text = conditionText(status, this.#translator);
    if (text !== null) this.#line.print(text);
  }

  #end({ outcome, done, failed, left }: Extract<RunEvent, { type: 'end' }>): void {
    const translate = this.#translator.translate.bind(this.#translator);
    if (outcome.kind === 'needs-user') {
      const { problem } = outcome;
      const { code } = problem;
      const key = Object.hasOwn(endTexts, code) ? endTexts[code as keyof typeof endTexts] : null;
      this.#line.print(
        key === null
          ? this.#translator.problem(problem)
          : translate(key, { service: problem.params?.['service'] }),
      );
    }
    if (done + failed + left === 0) {
      if (!this.#hasReported) this.#line.print(translate('cli.nothingLeft'));
      return;
    }
    const parts = [translate('cli.done', { count: done })];
    if (failed > 0) parts.push(translate('cli.failed', { count: failed }));
    if (left > 0) parts.push(translate('cli.left', { count: left }));
    this.#line.print(parts.join(' '));
    const continuesInWindow = outcome.kind === 'interrupted' && outcome.inWindow;
    if (left > 0) this.#line.print(translate(continuesInWindow ? 'cli.windowContinues' : 'cli.howToResume'));
  }
}
