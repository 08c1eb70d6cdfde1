import { commands, type CommandName } from '../../electron/contract/commands.ts';
import type { TranscriptId } from '../../electron/contract/identifiers.ts';
import { ProblemError } from '../../electron/contract/problem.ts';
import type { UndoResult } from '../../electron/contract/transcript.ts';
import { PipelinedEdits, type EditRequest } from '../../electron/core/store/library/pipelined-edits.ts';
import type { Store } from '../../electron/core/store/store.ts';
import type { Invoke } from '../../renderer/invoke.ts';

interface Input extends EditRequest {
  readonly finding: string;
  readonly accepted: boolean;
}

const isUndoResult = (response: unknown): response is UndoResult =>
  typeof response === 'object' && response !== null && 'change' in response;

/** Requests to the real store, parsed as the main process parses them, and held until the test delivers them in order. */
export class Wire {
  readonly #store: Store;
  readonly #sent: PipelinedEdits;
  #pending: (() => void)[] = [];
  readonly names: CommandName[] = [];
  /** Number of steps in the changes that responses contained. */
  receivedSteps = 0;
  /** Whether every request fails. */
  isDown = false;
  /** The requests that fail. */
  readonly failing = new Set<CommandName>();

  constructor(store: Store) {
    this.#store = store;
    this.#sent = new PipelinedEdits(store.edits);
  }

  readonly invoke = ((name: CommandName, input: never): Promise<unknown> => {
    this.names.push(name);
    return new Promise((resolve, reject) => {
      this.#pending.push(() => {
        try {
          const response = this.#respond(name, input);
          if (isUndoResult(response)) this.receivedSteps += response.change.length;
          resolve(response);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }) as Invoke;

  /** Whether requests are held. */
  get isBusy(): boolean {
    return this.#pending.length > 0;
  }

  /** Delivers the held requests and all that follow from their responses. */
  async deliverAll(): Promise<void> {
    while (this.isBusy) await this.deliverPending();
  }

  /** Delivers the earliest held request. */
  async deliverFirst(): Promise<void> {
    this.#pending.shift()?.();
    await new Promise((done) => setImmediate(done));
  }

  /** Delivers the latest held request. */
  async deliverLast(): Promise<void> {
    this.#pending.pop()?.();
    await new Promise((done) => setImmediate(done));
  }

  /** Delivers the held requests, but not those that follow from their responses. */
  async deliverPending(): Promise<void> {
    const requests = this.#pending;
    this.#pending = [];
    for (const deliver of requests) deliver();
    await new Promise((done) => setImmediate(done));
  }

  #respond(name: CommandName, input: Input): unknown {
    const { edits } = this.#store;
    if (this.isDown || this.failing.has(name)) throw new Error('the disk is full');
    if (!commands[name].input.safeParse(input).success) throw new ProblemError({ code: 'input_refused' });
    if (name === 'transcript.accept') return edits.setAccepted(input.id, input.finding, input.accepted);
    if (name === 'transcript.edit') return this.#sent.edit(input);
    if (name === 'transcript.get') return edits.openBeginning(input.id);
    if (name === 'transcript.redo') return this.#sent.redo(input);
    if (name === 'transcript.undo') return this.#sent.undo(input);
    throw new Error(`no handler for ${name}`);
  }
}

export const sentences = ['One net.', 'Two nets.', 'Three.'];

/** Saves a transcript of three sentences, two seconds each, as another one for each job. Returns its id. */
export function saveNets(store: Store, jobId = 'job'): TranscriptId {
  const segments = sentences.map((text, index) => ({ start: index * 2, end: index * 2 + 2, text }));
  return store.transcripts.save({
    itemId: null,
    service: 'test',
    jobId,
    name: 'Nets',
    durationSeconds: 6,
    recording: null,
    createdAt: 1,
    transcript: { language: 'en', text: sentences.join(' '), segments },
  }).id;
}
