import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { Segment } from '../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../electron/core/transcript/segment.ts';
import { wordsOrEstimates } from '../../electron/core/transcript/word-edits.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';
import { loopOf, watchLoop } from './support/event-loop.ts';
import { framesOf, watchFrames } from './support/frames.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures editing in a transcript of 5,000 segments, and in one of 50,000, which is 24 hours: the time from the click to
 * the first segments and from a key to its letter on screen, frames while scrolling, and the cost of saving an edit in
 * the main process. Uses the real program through Playwright. `npm run bench -- transcript [--words]`
 *
 * With `--words`, each word has its times; the size of the database shows what they cost.
 */

const { values } = parseArgs({ options: { words: { type: 'boolean', default: false } } });

const openings = 7;
const letters = 160;
const savedEdits = 60;

interface Length {
  readonly name: string;
  readonly segments: number;
  readonly secondsEach: number;
  readonly wordsEach: number;
}

const lengths: readonly Length[] = [
  { name: 'Six hours', segments: 5000, secondsEach: 4.32, wordsEach: 12 },
  { name: 'Twenty-four hours', segments: 50_000, secondsEach: 1.728, wordsEach: 5 },
];

const words =
  'the harbour and a net that nobody repaired for thirty years is closed now but they were talking about it on Sunday'.split(
    ' ',
  );

function segmentsOf({ segments, secondsEach, wordsEach }: Length): readonly Segment[] {
  const random = new SeededRandom(segments);
  const pick = (): string => words[Math.floor(random.next() * words.length)] ?? 'net';
  return Array.from({ length: segments }, (_, index) => {
    const text = `${Array.from({ length: wordsEach }, pick).join(' ')}.`;
    const segment = newSegment(index * secondsEach, (index + 1) * secondsEach, text);
    if (!values.words) return segment;
    const timed = wordsOrEstimates(segment).map((word) => ({
      ...word,
      probability: randomProbability(random),
    }));
    return withWords(segment, timed);
  });
}

/** One word in twenty is unsure, a larger share than with any model and real voices (docs/speech.md). */
const randomProbability = (random: SeededRandom): number =>
  random.next() < 0.05 ? 0.5 * random.next() : 0.7 + 0.3 * random.next();

const openStore = (path: string): Store =>
  new Store({
    folder: path,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });

const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return (
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN) * 10) / 10
  );
};

interface OpenTimes {
  /** Milliseconds from the click on a row to the frame with its first segments in a scrollable list. */
  readonly firstMs: number;
  /** Milliseconds to the frame with all of them in that list. */
  readonly wholeMs: number;
}

async function open(page: Page, { name, segments }: Length): Promise<OpenTimes> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  const row = page.getByRole('row', { name });
  await row.waitFor();
  const seen = page.evaluate(
    (count) =>
      new Promise<OpenTimes>((done) => {
        let clickedAt = 0;
        let firstMs: number | null = null;
        addEventListener('pointerdown', ({ timeStamp }) => (clickedAt = timeStamp), {
          capture: true,
          once: true,
        });
        const check = (): void => {
          const list = document.querySelector('[data-segment]')?.closest('section');
          const isScrollable = list !== null && list !== undefined && list.scrollHeight > list.clientHeight;
          const isComplete = isScrollable && list.querySelector(`[aria-setsize="${count}"]`) !== null;
          if (!isComplete) requestAnimationFrame(check);
          if (!isScrollable || (firstMs !== null && !isComplete)) return;
          // After the frame that shows them.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => {
              const wholeMs = performance.now() - clickedAt;
              firstMs ??= wholeMs;
              if (isComplete) done({ firstMs, wholeMs });
            });
            port1.start();
            port2.postMessage(null);
          });
        };
        requestAnimationFrame(check);
      }),
    segments,
  );
  await row.click();
  return seen;
}

/** Types words in the middle of the transcript, with pauses in which they are saved. Returns milliseconds per key. */
async function type(page: Page): Promise<readonly number[]> {
  const middle = page.locator('[data-segment]').nth(8).getByRole('textbox');
  await middle.click();
  await page.evaluate(() => {
    const waits: number[] = [];
    Object.assign(globalThis, { keyWaits: waits });
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => waits.push(performance.now() - timeStamp));
          port1.start();
          port2.postMessage(null);
        }),
      { capture: true },
    );
  });
  for (let letter = 0; letter < letters; letter += 1) {
    await page.keyboard.press('abcdefgh '[letter % 9] ?? 'a');
    await page.waitForTimeout(letter % 12 === 11 ? 900 : 70);
  }
  await page.getByText(/· saved$/).waitFor();
  return page.evaluate(() => (globalThis as unknown as { keyWaits: number[] }).keyWaits);
}

/** Scrolls the list with the wheel in ever larger steps. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(600, 500);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, step < 60 ? 200 : 8000);
    await page.waitForTimeout(16);
  }
}

async function measureInWindow(
  { page, app }: RunningProgram,
  length: Length,
): Promise<Record<string, number>> {
  const opened: OpenTimes[] = [];
  for (let round = 0; round < openings; round += 1) opened.push(await open(page, length));
  // Until the review has read the text.
  await page.waitForTimeout(3000);
  await watchLoop(app);
  const waits = await type(page);
  const loop = await loopOf(app);
  await watchFrames(page);
  await scroll(page);
  const frames = await framesOf(page);
  return {
    firstOpenMs: Math.round(opened[0]?.firstMs ?? NaN),
    firstOpenWholeMs: Math.round(opened[0]?.wholeMs ?? NaN),
    openMs: percentile(
      opened.slice(1).map(({ firstMs }) => firstMs),
      0.5,
    ),
    openWholeMs: percentile(
      opened.slice(1).map(({ wholeMs }) => wholeMs),
      0.5,
    ),
    keyToPaintP50Ms: percentile(waits, 0.5),
    keyToPaintP99Ms: percentile(waits, 0.99),
    keyToPaintLongestMs: percentile(waits, 1),
    typingMainLoopP99Ms: loop.p99Ms,
    typingMainLoopLongestMs: loop.maxMs,
    scrollFramesPerSecond: frames.perSecond,
    scrollLongestFrameMs: frames.maxMs,
  };
}

/**
 * Measures edits in the main process: of one segment, the first, which starts the history, and later ones; and of all
 * segments.
 */
function measureInStore(store: Store, id: number): Record<string, number> {
  let { revision = 0, segments = [] } = store.edits.open(id) ?? {};
  const times: number[] = [];
  for (let edit = 0; edit < savedEdits; edit += 1) {
    const segment = segments[(edit * 7919) % segments.length]?.id ?? 0;
    const startedAt = performance.now();
    ({ revision } = store.edits.edit(id, revision, { kind: 'set-text', segment, text: `Typed ${edit}.` }));
    times.push(performance.now() - startedAt);
  }
  const query = { text: '.', matchCase: false, wholeWords: false };
  const startedAt = performance.now();
  ({ revision } = store.edits.edit(id, revision, { kind: 'replace', query, replacement: '!' }));
  const replacedAt = performance.now();
  store.edits.undo(id, revision);
  return {
    replaceAllMs: percentile([replacedAt - startedAt], 0),
    undoAllMs: percentile([performance.now() - replacedAt], 0),
    firstSaveMs: percentile(times.slice(0, 1), 0),
    saveP50Ms: percentile(times.slice(1), 0.5),
    saveP99Ms: percentile(times.slice(1), 0.99),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'longhand-bench-'));
const save = (store: Store, length: Length, jobId: string): number => {
  const segments = segmentsOf(length);
  return store.transcripts.save({
    itemId: null,
    service: 'bench',
    jobId,
    name: length.name,
    durationSeconds: length.segments * length.secondsEach,
    recording: null,
    createdAt: Date.now(),
    transcript: { language: 'en', text: segments.map(({ text }) => text).join(' '), segments },
  }).id;
};

try {
  const results: Record<string, Record<string, number>> = {};
  for (const length of lengths) {
    const path = join(folder, String(length.segments));
    const store = openStore(path);
    save(store, length, 'read');
    await store.close();
    const { size } = await stat(join(path, 'longhand.db'));
    const settings = { service: 'on-device', addWithoutAsking: true, keepWorkingWhenClosed: false };
    await writeFile(join(path, 'settings.json'), JSON.stringify(settings));
    const program = await startProgram(path);
    const windowResults = await measureInWindow(program, length);
    await program.close();
    const reopened = openStore(path);
    const storeResults = measureInStore(reopened, save(reopened, length, 'edited'));
    results[`${length.segments} segments`] = {
      ...windowResults,
      ...storeResults,
      databaseMB: Math.round(size / 1e5) / 10,
    };
    await reopened.close();
  }
  console.table(results);
  saveResults(values.words ? 'transcript-words' : 'transcript', results);
} finally {
  await rm(folder, { recursive: true, force: true });
}
