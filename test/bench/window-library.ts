import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../electron/core/store/store.ts';
import { allLoadedMark } from '../../renderer/loaded-mark.ts';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';
import { loopOf, watchLoop } from './support/event-loop.ts';
import { filledFolder } from './support/filled-folder.ts';
import { longTasksOf, watchTasks } from './support/long-tasks.ts';
import { watchMachine } from './support/machine-facts.ts';
import { median } from './support/median.ts';
import { pageThreadOf } from './support/page-thread.ts';
import { saveResults } from './support/results.ts';
import { scroll } from './support/scrolling.ts';
import { untilSeen } from './support/until-seen.ts';

/**
 * Measures the window with a library of 10,000 transcripts: from a click on “Library” to its rows, frames while scrolling,
 * from a search word to its results, sorting and selecting all. Uses the real program through Playwright. `npm run bench -- window-library`
 */

const transcripts = 10_000;
const segmentsEach = 12;
const rounds = 5;
const row = '[role="row"][aria-rowindex="2"]';

const random = new SeededRandom(transcripts);
const words =
  'the harbour and a net that nobody repaired for thirty years is closed now but they were talking about it on Sunday'.split(
    ' ',
  );
const pick = (): string => words[Math.floor(random.next() * words.length)] ?? 'net';

/** Saves the transcripts: one in twenty mentions a lighthouse, nearly all a harbour. Their names are unordered. */
function fill({ transcripts: repository }: Store): void {
  for (let number = 0; number < transcripts; number += 1) {
    const segments = Array.from({ length: segmentsEach }, (_, index) => {
      const sentence = Array.from({ length: 12 }, pick).join(' ');
      const text = index === 5 && number % 20 === 0 ? `The lighthouse, ${sentence}.` : `${sentence}.`;
      return { start: index * 4, end: index * 4 + 4, text };
    });
    repository.save({
      itemId: null,
      service: 'bench',
      jobId: String(number),
      name: `Interview ${String((number * 7919) % transcripts).padStart(4, '0')}`,
      durationSeconds: 60 + (number % 3600),
      recording: null,
      createdAt: number * 60_000,
      transcript: { language: 'en', text: segments.map(({ text }) => text).join(' '), segments },
    });
  }
}

type Results = Record<string, number>;

/** Measures an action repeatedly: wall-clock time, the page's processor time, and its longest block. */
async function measure(
  { app, page }: RunningProgram,
  name: string,
  action: (round: number) => Promise<number>,
): Promise<Results> {
  const thread = await pageThreadOf(app);
  const machine = watchMachine();
  const times: number[] = [];
  const before = thread.times();
  await watchLoop(app);
  await watchTasks(page);
  for (let round = 0; round < rounds; round += 1) times.push(await action(round));
  const tasks = await longTasksOf(page);
  const loop = await loopOf(app);
  return {
    [`${name}FirstMs`]: Math.round(times[0] ?? NaN),
    [`${name}Ms`]: Math.round(median(times)),
    [`${name}LongestTaskMs`]: tasks.maxMs,
    [`${name}TasksOver50Ms`]: tasks.count,
    [`${name}PageWorkedMs`]: Math.round((thread.times().workedMs - before.workedMs) / rounds),
    [`${name}LoopP99Ms`]: loop.p99Ms,
    [`${name}LoopLongestMs`]: loop.maxMs,
    [`${name}StolenPercent`]: machine().stolenPercent,
  };
}

async function measureInWindow(program: RunningProgram): Promise<Results> {
  const { page } = program;
  const openView = (name: string): Promise<void> => page.locator('nav').getByRole('button', { name }).click();
  const rest = (): Promise<void> => page.waitForTimeout(500);
  await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, allLoadedMark);
  await rest();

  const opening = await measure(program, 'rows', async () => {
    await openView('Queue');
    await rest();
    return untilSeen(page, 'click', { selector: `main ${row} [role="gridcell"]` }, () => openView('Library'));
  });
  const scrolling = await scroll(program);

  const field = page.getByRole('searchbox');
  /** Types a word letter by letter, to measure blocking, then inserts it at once, so that no earlier result is shown. */
  const search = (name: string, word: string): Promise<Results> =>
    measure(program, name, async () => {
      await field.pressSequentially(word, { delay: 70 });
      await rest();
      await field.fill('');
      await rest();
      const firstHit = { selector: `main ${row} mark`, text: word };
      const ms = await untilSeen(page, 'input', firstHit, () => field.fill(word));
      await field.fill('');
      await rest();
      return ms;
    });
  const rare = await search('searchRare', 'lighthouse');
  const common = await search('searchCommon', 'harbour');

  const sortMenu = page.locator('main select:visible');
  const sorting = await measure(program, 'sort', async () => {
    await sortMenu.selectOption('newest');
    await rest();
    return untilSeen(page, 'change', { selector: `main ${row} bdi`, text: 'Interview 0000' }, () =>
      sortMenu.selectOption('name'),
    );
  });

  const list = page.getByRole('grid');
  const selecting = await measure(program, 'selectAll', async () => {
    await list.focus();
    await page.keyboard.press('Escape');
    await rest();
    const selected = { selector: 'main [role="status"]', text: '10,000 selected' };
    return untilSeen(page, 'keydown', selected, () => page.keyboard.press('Control+a'));
  });
  return { transcripts, ...opening, ...scrolling, ...rare, ...common, ...sorting, ...selecting };
}

const folder = await mkdtemp(join(tmpdir(), 'longhand-bench-'));
try {
  const program = await startProgram(await filledFolder(join(folder, 'library'), fill));
  const results = { library: await measureInWindow(program) };
  await program.close();
  console.table(results.library);
  saveResults('window-library', results);
} finally {
  await rm(folder, { recursive: true, force: true });
}
