import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { systemRandom } from '../../electron/core/system.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { dropFiles, startProgram, type RunningProgram } from '../support/built-program.ts';
import { loopOf, watchLoop } from './support/event-loop.ts';
import { filledFolder } from './support/filled-folder.ts';
import { framesOf, watchFrames } from './support/frames.ts';
import { prefixed, watchMachine } from './support/machine-facts.ts';
import { median } from './support/median.ts';
import { pageThreadOf } from './support/page-thread.ts';
import { saveResults } from './support/results.ts';
import { scroll } from './support/scrolling.ts';
import { measureStartOf } from './support/start-of.ts';
import { untilSeen } from './support/until-seen.ts';

/**
 * Measures the window: a start compared with that of an empty Electron window, 10,000 dropped files, and 100,000 items
 * that are opened, scrolled and sorted. Uses the real program through Playwright. `npm run bench -- window`
 */

const starts = 5;
const openings = 5;
const droppedFiles = 10_000;
const manyItems = 100_000;
const firstRow = '[role="row"][aria-rowindex="2"]';

const project = resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(join(tmpdir(), 'longhand-bench-'));

/** Measures the time from the start of the process until the window is shown, median of several alternating starts. */
async function measureStart(): Promise<Record<string, number>> {
  const empty = join(folder, 'empty');
  await mkdir(empty);
  await writeFile(join(empty, 'package.json'), '{ "main": "main.cjs" }');
  await writeFile(
    join(empty, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron');
     app.whenReady().then(() => {
       const window = new BrowserWindow({ width: 1280, height: 820, show: false });
       window.once('ready-to-show', () => window.show());
       window.loadURL('data:text/html,<title>Empty</title><p>Empty');
     });`,
  );
  const data = await dataFolder('start');
  const ours: number[] = [];
  const emptyTimes: number[] = [];
  const machine = watchMachine();
  for (let run = 0; run < starts; run += 1) {
    emptyTimes.push(await measureStartOf(folder, empty, 'p'));
    ours.push(await measureStartOf(folder, project, 'nav', { LONGHAND_DATA: data }));
  }
  return {
    emptyWindowMs: Math.round(median(emptyTimes)),
    windowReadyMs: Math.round(median(ours)),
    timesEmpty: Math.round((median(ours) / median(emptyTimes)) * 100) / 100,
    ...machine(),
  };
}

/** Drops a folder of recordings on the window, with no other work in progress. */
async function measureDrop(): Promise<Record<string, number>> {
  const recordings = join(folder, 'season');
  await mkdir(recordings);
  for (let number = 0; number < droppedFiles; number += 1) {
    const recording = silentWav(1, 4096);
    // Each is a different recording.
    recording.writeUInt32LE(number, 2048);
    await writeFile(join(recordings, `episode ${number}.wav`), recording);
  }
  const program = await startProgram(await dataFolder('drop', (store) => (store.paused = true)));
  const { page } = program;
  await page.waitForSelector('nav');
  await watchLoop(program.app);
  await watchFrames(page);
  const thread = await pageThreadOf(program.app);
  const before = thread.times();
  const machine = watchMachine();
  const startedAt = performance.now();
  await dropFiles(page, [recordings]);
  await page.waitForSelector(firstRow, { timeout: 120_000 });
  const firstRowMs = performance.now() - startedAt;
  await page.waitForSelector(`[role="grid"][aria-rowcount="${droppedFiles + 1}"]`, { timeout: 120_000 });
  const allMs = performance.now() - startedAt;
  const after = thread.times();
  const shares = machine();
  const frames = await framesOf(page);
  const loop = await loopOf(program.app);
  const scrolling = await scroll(program);
  await program.close();
  return {
    files: droppedFiles,
    firstRowMs: Math.round(firstRowMs),
    allInQueueMs: Math.round(allMs),
    maxFrameMs: frames.maxMs,
    framesOver50Ms: frames.over50Ms,
    pageWorkedMs: Math.round(after.workedMs - before.workedMs),
    pageWaitedForProcessorMs: Math.round(after.waitedMs - before.waitedMs),
    mainLoopDelayP99Ms: loop.p99Ms,
    mainLoopLongestMs: loop.maxMs,
    ...shares,
    ...scrolling,
  };
}

/** Measures opening and scrolling a queue of 100,000 items. */
async function measureManyItems(): Promise<Record<string, number>> {
  const data = await dataFolder('many', (store) => {
    store.paused = true;
    for (let from = 0; from < manyItems; from += 10_000) {
      store.items.add(Array.from({ length: 10_000 }, (_, index) => newLink(from + index)));
    }
  });
  const launchedAt = performance.now();
  const program = await startProgram(data);
  const { page } = program;
  await page.waitForSelector(firstRow);
  const fromStartMs = performance.now() - launchedAt;
  const opening = await measureReopening(program);
  const returning = await measureReturn(program);
  const scrolling = await scroll(program);
  const sorting = await measureSorting(program);
  await program.close();
  return {
    items: manyItems,
    fromStartMs: Math.round(fromStartMs),
    ...opening,
    ...returning,
    ...scrolling,
    ...sorting,
  };
}

/** Measures the page from its start to its first row while the program runs. */
async function measureReopening({ app, page }: RunningProgram): Promise<Record<string, number>> {
  await page.addInitScript((selector) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      performance.mark('first-row');
    });
    observer.observe(document, { childList: true, subtree: true });
  }, firstRow);
  const thread = await pageThreadOf(app);
  const machine = watchMachine();
  const times: number[] = [];
  const worked: number[] = [];
  for (let run = 0; run < openings; run += 1) {
    const before = thread.times();
    await page.reload();
    await page.waitForSelector(firstRow);
    worked.push(thread.times().workedMs - before.workedMs);
    times.push(
      await page.evaluate(() => {
        const [seen] = performance.getEntriesByName('first-row');
        return seen?.startTime ?? NaN;
      }),
    );
    // Waits until all parts of the window are loaded.
    await page.waitForTimeout(1000);
  }
  return {
    firstRowsMs: Math.round(median(times)),
    firstRowsPageWorkedMs: Math.round(median(worked)),
    ...prefixed('firstRows', machine()),
  };
}

/** Measures the time from a click on "Queue" in the library to the frame after the one with the first row. */
async function measureReturn({ app, page }: RunningProgram): Promise<Record<string, number>> {
  const thread = await pageThreadOf(app);
  const machine = watchMachine();
  const times: number[] = [];
  const worked: number[] = [];
  const sidebar = page.locator('nav');
  for (let run = 0; run < openings; run += 1) {
    await sidebar.getByRole('button', { name: 'Library' }).click();
    await page.waitForTimeout(500);
    const before = thread.times();
    times.push(
      await untilSeen(page, 'click', { selector: firstRow }, () =>
        sidebar.getByRole('button', { name: 'Queue' }).click(),
      ),
    );
    worked.push(thread.times().workedMs - before.workedMs);
  }
  return {
    backToQueueMs: Math.round(median(times)),
    backToQueuePageWorkedMs: Math.round(median(worked)),
    ...prefixed('backToQueue', machine()),
  };
}

/** Measures sorting all waiting items by name, descending. */
async function measureSorting({ app, page }: RunningProgram): Promise<Record<string, number>> {
  await watchLoop(app);
  await watchFrames(page);
  const machine = watchMachine();
  const startedAt = performance.now();
  await page.evaluate(() => window.longhand.invoke('queue.sortWaiting', { by: 'name', descending: true }));
  const sortedMs = performance.now() - startedAt;
  const frames = await framesOf(page);
  const loop = await loopOf(app);
  return {
    sortedMs: Math.round(sortedMs),
    sortingLongestFrameMs: frames.maxMs,
    sortingLoopDelayP99Ms: loop.p99Ms,
    sortingLoopLongestMs: loop.maxMs,
    ...prefixed('sorting', machine()),
  };
}

const dataFolder = (name: string, fill?: (store: Store) => void): Promise<string> =>
  filledFolder(join(folder, name), fill);

/** Creates an item; the names are unordered, so that they can be sorted. */
const newLink = (number: number): Parameters<Store['items']['add']>[0][number] => ({
  service: 'on-device',
  source: { kind: 'link', url: `https://a.example/${number}.mp3` },
  name: `Episode ${(number * 7919) % manyItems}.mp3`,
  folderLabel: 'a.example',
  durationSeconds: 1800,
  options: defaultJobOptions,
  addedAt: 0,
  seed: systemRandom.uuid(),
});

try {
  const results = {
    start: await measureStart(),
    drop: await measureDrop(),
    many: await measureManyItems(),
  };
  for (const [name, values] of Object.entries(results)) {
    console.log(name);
    console.table(values);
  }
  saveResults('window', results);
} finally {
  await rm(folder, { recursive: true, force: true });
}
