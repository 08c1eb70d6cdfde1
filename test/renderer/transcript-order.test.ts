import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TranscriptDocument } from '../../electron/contract/transcript.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { TranscriptSession } from '../../renderer/features/transcript/session/transcript-session.ts';
import { saveIntervalMs } from '../../renderer/features/transcript/session/typing-buffer.ts';
import { testFolder } from '../support/test-folder.ts';
import { openStore } from '../unit/core/store/store-kit.ts';
import { saveNets, Wire } from './session-kit.ts';

let store: Store;
let id: number;
let wire: Wire;
let session: TranscriptSession;
const stored = (): TranscriptDocument => store.edits.open(id)!;
const texts = (): readonly string[] => stored().segments.map(({ text }) => text);
const settle = (): Promise<void> => wire.deliverAll();

beforeEach(async () => {
  store = openStore(await testFolder());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const ignore = (): void => undefined;
const seen = (): readonly string[] =>
  session.getState().draft.segments.map((one) => session.textOf(one.id, one.text));
const wordsIn = (lines: readonly string[]): readonly string[] =>
  (lines.join(' ').match(/\b[emt]\d+/g) ?? []).toSorted();

async function finish(): Promise<void> {
  session.pullChanges();
  await settle();
  await Promise.all([session.waitUntilSent(), settle()]);
  await settle();
  expect(session.getState().saving.kind).toBe('saved');
  expect(seen()).toStrictEqual(texts());
  expect(session.getState().draft.segments.map(({ text }) => text)).toStrictEqual(texts());
}

describe('in any order of typing, edits, pauses, fetches, undo and edits made elsewhere', () => {
  const segment = fc.nat({ max: 2 });
  const pause = fc.record({
    kind: fc.constant('pause' as const),
    ms: fc.constantFrom(10, saveIntervalMs, 500, 3000),
  });
  const action = fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('type' as const), segment }), weight: 6 },
    { arbitrary: pause, weight: 3 },
    { arbitrary: fc.record({ kind: fc.constantFrom('arrive' as const, 'pull' as const) }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant('elsewhere' as const), segment }), weight: 1 },
    {
      arbitrary: fc.record({ kind: fc.constantFrom('set-text' as const, 'insert' as const), segment }),
      weight: 2,
    },
    { arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'settle' as const) }), weight: 1 },
  );
  const deletion = fc.record({ kind: fc.constant('delete' as const), segment });
  const step = fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) });
  type Action =
    | {
        readonly kind: 'type' | 'elsewhere' | 'set-text' | 'insert' | 'delete';
        readonly segment: number;
      }
    | { readonly kind: 'pause'; readonly ms: number }
    | { readonly kind: 'arrive' | 'pull' | 'flush' | 'settle' | 'undo' | 'redo' };

  async function perform(next: Action, word: string): Promise<void> {
    const target = 'segment' in next ? session.getState().draft.segments[next.segment] : undefined;
    const text = target === undefined ? '' : session.textOf(target.id, target.text);
    switch (next.kind) {
      case 'type':
        if (target !== undefined) session.updateTyping(target.id, `${text} m${word}`);
        break;
      case 'set-text':
        if (target !== undefined)
          session.edit({ kind: 'set-text', segment: target.id, text: `e${word} ${text}` });
        break;
      case 'insert':
        if (target !== undefined)
          session.edit({ kind: 'insert', after: target.id, text: `e${word}`, fillsGap: false });
        break;
      case 'delete':
        if (target !== undefined) session.edit({ kind: 'delete', segments: [target.id] });
        break;
      case 'pause':
        vi.advanceTimersByTime(next.ms);
        break;
      case 'arrive':
        await wire.deliverPending();
        break;
      case 'pull':
        session.pullChanges();
        break;
      case 'elsewhere': {
        const { revision, segments } = stored();
        const changed = segments[next.segment];
        if (changed === undefined) break;
        const operation = {
          kind: 'set-text',
          segment: changed.id,
          text: `t${word} ${changed.text}`,
        } as const;
        store.edits.edit(id, revision, operation);
        break;
      }
      case 'settle':
        await settle();
        break;
      case 'flush':
      case 'undo':
      case 'redo':
        session[next.kind]();
        break;
    }
  }

  /** Opens a transcript that was edited before, so that an undo has to be fetched. */
  let opened = 0;
  function reopen(): void {
    opened += 1;
    id = saveNets(store, `job ${opened}`);
    for (const one of [0, 1, 2])
      store.edits.edit(id, one, { kind: 'set-text', segment: one, text: `No ${one}.` });
    wire = new Wire(store);
    session = new TranscriptSession(wire.invoke, stored(), {
      onRebased: ignore,
      onEarlierEditUndone: ignore,
      onNothingToDo: ignore,
    });
  }

  it('every word stays on screen, and is stored once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        reopen();
        const typed: string[] = [];
        const others: string[] = [];
        for (const [index, next] of actions.entries()) {
          await perform(next, String(index));
          if (next.kind === 'type') typed.push(`m${index}`);
          if (next.kind === 'elsewhere') others.push(`t${index}`);
          if (next.kind === 'set-text' || next.kind === 'insert') others.push(`e${index}`);
          expect(wordsIn(seen()).filter((word) => word.startsWith('m'))).toStrictEqual(typed.toSorted());
        }
        await finish();
        expect(wordsIn(texts())).toStrictEqual([...typed, ...others].toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it('what is on screen is stored, and no word twice', async () => {
    const actions = fc.array(
      fc.oneof({ arbitrary: action, weight: 10 }, { arbitrary: fc.oneof(step, deletion), weight: 2 }),
      {
        maxLength: 40,
      },
    );
    await fc.assert(
      fc.asyncProperty(actions, async (all) => {
        reopen();
        for (const [index, next] of all.entries()) await perform(next, String(index));
        await finish();
        const words = wordsIn(texts());
        expect(words).toStrictEqual([...new Set(words)]);
      }),
      { numRuns: 60 },
    );
  });
});
