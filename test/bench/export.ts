import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { presetRules } from '../../electron/contract/subtitle-rules.ts';
import { defaultWriteOptions } from '../../electron/core/formats/write/write-options.ts';
import type { ExportFormat } from '../../electron/contract/choices.ts';
import { Exporter } from '../../electron/core/library/export/exporter.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { segmentsOf } from '../support/window/sample-transcripts.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures the export of one-hour transcripts: seconds in its own thread, and how long it blocks the event loop of the
 * main process. `npm run bench -- export`
 */

const count = 1000;
/** The segments of an hour, about 8,000 words. */
const segments = segmentsOf(500);
const text = segments.map((segment) => segment.text).join(' ');

const folder = await temporaryFolder();
const data = join(folder.path, 'data');
await mkdir(data);
await new Store({
  folder: data,
  program: 'command-line',
  clock: systemClock,
  random: systemRandom,
  onLeaseLost: () => undefined,
}).close();
insertTranscripts();
const ids = Array.from({ length: count }, (_, index) => index + 1);

// The built worker, as in the program: from source, each thread would first have to strip types.
const url = new URL('../../out/main/export-worker.js', import.meta.url);
if (!existsSync(url)) throw new Error('The program is not built: npm run build');
const exporter = new Exporter({ folder: data, url });
const neverAborted = new AbortController().signal;
// Starts the thread, which is not measured.
const { broadcast } = presetRules;
await exporter.assess(
  {
    ids: ids.slice(0, 1),
    formats: ['srt'],
    speakers: true,
    highlightsOnly: false,
    layout: broadcast,
    rules: broadcast,
  },
  neverAborted,
);

/** Inserts the transcripts without the triggers that update the search index, which is not measured. */
function insertTranscripts(): void {
  const database = new Database(join(data, 'longhand.db'));
  const triggers = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .pluck();
  for (const name of triggers.all()) database.exec(`DROP TRIGGER ${name}`);
  const addTranscript = database.prepare(
    `INSERT INTO transcripts (id, service, job_id, name, language, duration_seconds, word_count, text, created_at)
     VALUES (?, 'on-device', ?, ?, 'en', 3600, 8000, ?, 0)`,
  );
  const addSegment = database.prepare(
    'INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text) VALUES (?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (let id = 1; id <= count; id += 1) {
      addTranscript.run(id, String(id), `Episode ${id}.mp3`, text);
      segments.forEach(({ start, end, text: segmentText }, index) =>
        addSegment.run(id, index, start, end, segmentText),
      );
    }
  })();
  database.close();
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Exports the given number of transcripts. */
async function measure(transcripts: number, formats: readonly ExportFormat[]): Promise<object> {
  const outputFolder = join(folder.path, formats.join('-'));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const report = await exporter.run(
    {
      ids: ids.slice(0, transcripts),
      formats,
      template: '{name}',
      where: 'folder',
      folder: outputFolder,
      existing: 'number',
      writing: defaultWriteOptions,
    },
    neverAborted,
    () => undefined,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  const names = await readdir(outputFolder);
  if (report.count !== names.length) throw new Error(`${report.count} reported, ${names.length} found`);
  const { size } = await stat(join(outputFolder, names[0] ?? ''));
  return {
    transcripts,
    files: names.length,
    kilobytesEach: Math.round(size / 1000),
    seconds: rounded(seconds),
    // Independent of other load on the processor.
    processorSeconds: rounded((user + system) / 1e6),
    loopDelayP99Ms: rounded(delay.percentile(99) / 1e6),
    loopDelayMaxMs: rounded(delay.max / 1e6),
  };
}

const results = {
  srt: await measure(count, ['srt']),
  txt: await measure(count, ['txt']),
  docx: await measure(100, ['docx']),
};
console.table(results);
saveResults('export', results);
await exporter.close();
await folder.remove();
