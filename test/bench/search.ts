import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerUrl } from '../../electron/workers/registry.ts';
import { LibrarySearch } from '../../electron/core/library/search/library-search.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { indexAll } from '../support/index-all.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { watchBlocking } from './support/blocking.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures a search over a large library: a million segments in 2,000 transcripts, with word frequencies of speech; the
 * first 50 hits ranked, with snippets, then all of them. Also measures saving a transcript of 500 segments, indexing all
 * of them, and the event loop delay of the main process meanwhile.
 * `npm run bench -- search`, or with fewer transcripts `LONGHAND_BENCH_TRANSCRIPTS=200 npm run bench -- search`
 */

const transcripts = Number(process.env['LONGHAND_BENCH_TRANSCRIPTS'] ?? 2000);
const segmentsEach = 500;
const wordsEach = 12;
const rounds = 40;
/** Rounds in which all matches are also counted and sorted. */
const wholeRounds = 10;

const random = new SeededRandom(20_261_121);
const pick = (count: number): number => Math.floor(random.next() * count);

/** Words of one to four syllables; the first ones are the frequent ones, as in any language. */
const syllables = [
  'ka',
  'lo',
  'mi',
  'ren',
  'to',
  'sa',
  'vel',
  'an',
  'du',
  'ich',
  'or',
  'pé',
  'ny',
  'har',
  'bou',
];
const vocabulary = Array.from({ length: 60_000 }, (_, rank) => {
  const length = rank < 15 ? 1 : rank < 240 ? 2 : rank < 3600 ? 3 : 4;
  let word = '';
  let rest = rank;
  for (let at = 0; at < length; at += 1, rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length] ?? '';
  }
  return word;
});
/** Zipf's law: the frequency of the word of rank r is proportional to 1/r. */
const spokenWord = (): string => vocabulary[Math.floor(vocabulary.length ** random.next()) - 1] ?? 'ka';
const spoken = (): string => `${Array.from({ length: wordsEach }, spokenWord).join(' ')}.`;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const rounded = (value: number): number => Math.round(value * 10) / 10;

function fill(store: Store): Record<string, number> {
  const times: number[] = [];
  let savingCpuMs = 0;
  for (let number = 0; number < transcripts; number += 1) {
    const segments = Array.from({ length: segmentsEach }, (_, index) => ({
      start: index * 4,
      end: index * 4 + 4,
      text: spoken(),
    }));
    const startedAt = performance.now();
    const before = process.cpuUsage();
    store.transcripts.save({
      itemId: null,
      service: 'bench',
      jobId: String(number),
      name: `Interview ${number} ${spokenWord()} ${spokenWord()}`,
      durationSeconds: segmentsEach * 4,
      recording: null,
      createdAt: number,
      transcript: { language: 'en', text: segments.map(({ text }) => text).join(' '), segments },
    });
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    savingCpuMs += (user + system) / 1000;
  }
  times.sort((a, b) => a - b);
  return {
    saveP50Ms: rounded(percentile(times, 0.5)),
    saveP95Ms: rounded(percentile(times, 0.95)),
    saveCpuMs: rounded(savingCpuMs / transcripts),
  };
}

/** Indexes everything, as the program does after saving. */
async function indexEverything(store: Store): Promise<Record<string, number>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const blocking = watchBlocking();
  const startedAt = performance.now();
  delay.enable();
  await indexAll(store, systemClock);
  delay.disable();
  const { heldP99Ms, heldMaxMs } = blocking();
  return {
    takeInHeldP99Ms: heldP99Ms,
    takeInHeldMaxMs: heldMaxMs,
    takeInSeconds: rounded((performance.now() - startedAt) / 1000),
    takeInLoopP99Ms: rounded(delay.percentile(99) / 1e6),
    takeInLoopMaxMs: rounded(delay.max / 1e6),
  };
}

/** Typical queries, with words from the most frequent to the rarest. */
const kinds: Readonly<Record<string, () => string>> = {
  'rare word': () => `${vocabulary[5000 + pick(40_000)]} `,
  'middling word': () => `${vocabulary[200 + pick(800)]} `,
  'most frequent word': () => `${vocabulary[pick(5)]} `,
  'two words': () => `${vocabulary[20 + pick(100)]} ${vocabulary[500 + pick(3000)]} `,
  'two frequent words': () => `${vocabulary[pick(10)]} ${vocabulary[10 + pick(20)]} `,
  phrase: () => `"${vocabulary[pick(20)]} ${vocabulary[pick(60)]}" `,
  'excluded word': () => `${vocabulary[50 + pick(200)]} -${vocabulary[pick(5)]} `,
  'first letter': () => (vocabulary[pick(60)] ?? '').slice(0, 1),
  'two letters': () => (vocabulary[pick(60)] ?? '').slice(0, 2),
  'three letters': () => (vocabulary[pick(3000)] ?? '').slice(0, 3),
  'five letters': () => (vocabulary[300 + pick(10_000)] ?? '').slice(0, 5),
  'words that are nowhere together': () =>
    `${vocabulary[20_000 + pick(20_000)]} ${vocabulary[20_000 + pick(20_000)]} `,
};

const folder = await temporaryFolder();
const store = new Store({
  folder: folder.path,
  program: 'command-line',
  clock: systemClock,
  random: systemRandom,
  onLeaseLost: () => undefined,
});
const saving = fill(store);
const indexing = await indexEverything(store);
const search = new LibrarySearch({
  path: store.path,
  url: workerUrl('search'),
});
const runQuery = async (query: string, allMatches = false): Promise<{ wallMs: number; cpuMs: number }> => {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await search.list(
    { query, tag: null, sort: 'relevance', trash: false },
    { offset: 0, limit: 50, all: allMatches },
  );
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
};

/** Summarizes a list of times in milliseconds. */
function summary(times: readonly number[]): { p50Ms: number; p95Ms: number; maxMs: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    p50Ms: rounded(percentile(sorted, 0.5)),
    p95Ms: rounded(percentile(sorted, 0.95)),
    maxMs: rounded(sorted.at(-1) ?? 0),
  };
}

const first = await runQuery('warm ');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const allSamples: { wallMs: number; cpuMs: number }[] = [];
const table: Record<string, Record<string, number>> = {};
for (const [kind, query] of Object.entries(kinds)) {
  const samples: { wallMs: number; cpuMs: number }[] = [];
  const allMatchesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const words = query();
    samples.push(await runQuery(words));
    await sleep(2);
    if (round < wholeRounds) allMatchesMs.push((await runQuery(words, true)).wallMs);
  }
  allSamples.push(...samples);
  // On a busy computer, processor time is more reliable than wall-clock time.
  const cpu = summary(samples.map(({ cpuMs }) => cpuMs));
  table[kind] = {
    ...summary(samples.map(({ wallMs }) => wallMs)),
    cpuP50Ms: cpu.p50Ms,
    cpuP95Ms: cpu.p95Ms,
    allP50Ms: summary(allMatchesMs).p50Ms,
    allMaxMs: summary(allMatchesMs).maxMs,
  };
}
delay.disable();
await search.close();
await store.close();
const results = {
  segments: transcripts * segmentsEach,
  databaseMb: Math.round(statSync(resolve(folder.path, 'longhand.db')).size / 1e6),
  ...saving,
  ...indexing,
  firstMs: rounded(first.wallMs),
  ...summary(allSamples.map(({ wallMs }) => wallMs)),
  cpuP95Ms: summary(allSamples.map(({ cpuMs }) => cpuMs)).p95Ms,
  loopDelayP99Ms: rounded(delay.percentile(99) / 1e6),
  loopDelayMaxMs: rounded(delay.max / 1e6),
};
await folder.remove();
console.table(table);
console.table({ all: results });
saveResults('search', { ...results, kinds: table });
