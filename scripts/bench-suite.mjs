/**
 * The benchmarks that `npm run bench` runs without a name, and the table of their results: what is measured, its goal,
 * and what another program needed in the same run. The table replaces the text between the markers in
 * `docs/performance.md`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { readIfThere, root } from './setup/common.mjs';

/** The benchmarks and their options, the most important first: what does not fit into the time is left out. */
export const suite = /** @type {const} */ ([
  ['speech', ['--minutes', '1', '--models', 'tiny,base', '--peer', '--brief']],
  ['queue', []],
  ['export', []],
  ['upload', []],
  ['search', []],
  ['window', []],
  ['transcript', []],
]);

/** Milliseconds after which no further benchmark is started: all are to end within 15 minutes on two idle cores. */
export const lastStartMs = 11 * 60_000;

const markers = { start: '<!-- benchmarks: start -->', end: '<!-- benchmarks: end -->' };

/**
 * The results of one benchmark, as it saves them.
 *
 * @typedef {any} Results
 */

/**
 * A row of the table.
 *
 * @typedef {object} Row
 * @property {string} bench
 * @property {string} what
 * @property {string} goal Empty: there is none.
 * @property {(results: Results) => string} measured
 * @property {(results: Results) => string} [peer] The other program, and its result in the same run.
 */

/**
 * @typedef {object} SpeechFigures
 * @property {number} timesRealTime
 * @property {number} wordErrorRate
 * @property {number} peakMegabytes
 */
/** @type {(results: Results, name: string) => SpeechFigures} */
const speechOf = (results, name) =>
  results.figures.find((/** @type {{ name: string }} */ one) => one.name === name);
/** @type {(figures: SpeechFigures) => string} */
const speechText = ({ timesRealTime, wordErrorRate, peakMegabytes }) =>
  `${timesRealTime.toFixed(1)} times, ${(wordErrorRate * 100).toFixed(1)} %, ${peakMegabytes.toFixed(0)} MB`;

/** @type {readonly Row[]} */
const rows = [
  {
    bench: 'speech',
    what: 'Whisper tiny: speed in real time, word error rate, memory',
    goal: '',
    measured: (r) => speechText(speechOf(r, 'tiny')),
    peer: (r) => `transcribe-cpp, Whisper tiny: ${speechText(speechOf(r, 'peer tiny'))}`,
  },
  {
    bench: 'speech',
    what: 'Whisper base: the same',
    goal: '',
    measured: (r) => speechText(speechOf(r, 'base')),
  },
  {
    bench: 'queue',
    what: 'Event loop with 10,000 active items, 99th percentile',
    goal: 'under 20 ms',
    measured: ({ run }) => `${run.loopDelayP99Ms} ms, at ${run.eventsPerSecond} events a second`,
  },
  {
    bench: 'queue',
    what: 'Queue of 100,000 items ready after a start',
    goal: '',
    measured: ({ many }) => `${many.recoveryMs} ms`,
  },
  {
    bench: 'export',
    what: '1,000 one-hour transcripts to SRT',
    goal: 'within 5 s',
    measured: ({ srt }) => `${srt.seconds} s`,
  },
  {
    bench: 'upload',
    what: 'Upload of 2 GiB',
    goal: 'twice as fast as one `curl -T` per part',
    measured: (r) => `${r.longhandGBPerSecond} GB/s`,
    peer: (r) =>
      `curl: ${r.curlForEachPartGBPerSecond} GB/s, one process for all parts ${r.oneCurlForAllGBPerSecond} GB/s`,
  },
  {
    bench: 'upload',
    what: 'Memory of an upload above idle',
    goal: 'at most 120 MiB',
    measured: (r) => `${Math.round(r.mibAboveIdle)} MiB`,
  },
  {
    bench: 'search',
    what: 'Search in 1,000,000 segments, first 50 passages, 95th percentile',
    goal: 'under 50 ms',
    measured: (r) => `${r.p95Ms} ms`,
  },
  {
    bench: 'window',
    what: 'Window ready after the start',
    goal: '1.5 times an empty window',
    measured: ({ start }) => `${start.windowReadyMs} ms, ${start.timesEmpty} times`,
    peer: ({ start }) => `empty Electron window: ${start.emptyWindowMs} ms`,
  },
  {
    bench: 'window',
    what: '10,000 files dropped: all in the queue',
    goal: 'within 2 s',
    measured: ({ drop }) => `${drop.allInQueueMs} ms`,
  },
  {
    bench: 'window',
    what: '100,000 items: from a click on “Queue” to the first rows',
    goal: 'within 100 ms',
    measured: ({ many }) => `${many.backToQueueMs} ms`,
  },
  {
    bench: 'transcript',
    what: 'A transcript of 5,000 segments: from the click to its first segments',
    goal: 'within 150 ms',
    measured: (r) => `${r['5000 segments'].openMs} ms`,
  },
  {
    bench: 'transcript',
    what: 'From a key press to the letter on screen, 99th percentile',
    goal: '',
    measured: (r) => `${r['5000 segments'].keyToPaintP99Ms} ms`,
  },
];

/** @type {(bench: string) => string} */
const resultsFile = (bench) => resolve(root, `.cache/bench/${bench}.json`);

/** Deletes the results of earlier runs, which must not appear in the table of this one. */
export function forgetResults() {
  for (const [name] of suite) rmSync(resultsFile(name), { force: true });
}

/**
 * Returns the table of the benchmarks that have results, and says which have none.
 *
 * @param {(bench: string) => string | null} read Returns the results of a benchmark as JSON; `null`: there are none.
 * @returns {string}
 */
export function resultsTable(read) {
  const lines = rows.flatMap(({ bench, what, goal, measured, peer }) => {
    const json = read(bench);
    if (json === null) return [];
    const results = JSON.parse(json);
    return [`| ${what} | ${goal} | ${measured(results)} | ${peer?.(results) ?? ''} |`];
  });
  const missing = suite.map(([name]) => name).filter((name) => read(name) === null);
  return [
    '| What | Goal | Measured | Other program, same run |',
    '| ---- | ---- | -------- | ----------------------- |',
    ...lines,
    ...(missing.length === 0 ? [] : ['', `Not measured in this run: ${missing.join(', ')}.`]),
  ].join('\n');
}

/** Returns a sentence about the machine and the day of the results. */
function describeMachine() {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const day = new Date().toISOString().slice(0, 10);
  const model = (processor?.model ?? 'unknown processor').replaceAll(/\s+/g, ' ').trim();
  return `Measured by \`npm run bench\` on ${day}: ${cpus().length} × ${model}, ${gigabytes} GiB, ${process.platform} ${arch()}.`;
}

/**
 * Returns a document with a table between its markers.
 *
 * @param {string} document
 * @param {string} table
 * @returns {string}
 * @throws {Error} If a marker is missing.
 */
export function withTable(document, table) {
  const start = document.indexOf(markers.start);
  const end = document.indexOf(markers.end);
  if (start === -1 || end < start) throw new Error(`the document needs ${markers.start} and ${markers.end}`);
  return `${document.slice(0, start)}${markers.start}\n\n${table}\n\n${document.slice(end)}`;
}

/** Prints the results, and writes them into `docs/performance.md`. */
export function publishResults() {
  const path = resolve(root, 'docs/performance.md');
  const table = resultsTable((bench) => readIfThere(resultsFile(bench)));
  const text = `${describeMachine()}\n\n${table}`;
  console.log(`\n${text}`);
  writeFileSync(path, withTable(readFileSync(path, 'utf8'), text));
}
