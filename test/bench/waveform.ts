import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { fillLibrary } from '../support/library-folder.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures the waveform of a long recording: the time until all of it is shown roughly and completely, and the memory
 * and processor time of the page. Uses the real program through Playwright, and recordings made by ffmpeg.
 *
 * `npm run bench -- waveform [--hours 10] [--kinds opus,mp3,m4a] [--seconds 600]`
 *
 * `--seconds` is the time limit for one recording.
 */

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '10' },
    kinds: { type: 'string', default: 'opus,mp3,m4a' },
    seconds: { type: 'string', default: '600' },
  },
});

const encoders: Readonly<Record<string, readonly string[]>> = {
  opus: ['-c:a', 'libopus', '-b:a', '64k'],
  mp3: ['-c:a', 'libmp3lame', '-q:a', '6'],
  m4a: ['-c:a', 'aac', '-b:a', '96k'],
};
const hours = Number(values.hours);
const pollMs = 500;

const ffmpeg = (...args: readonly string[]): Buffer => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args]);

/** Repeats ten minutes of speech in stereo. */
function makeRecording(folder: string, kind: string): string {
  const [part, path] = [join(folder, `piece.${kind}`), join(folder, `long.${kind}`)];
  const stereo = ['-t', '600', '-ar', '48000', '-ac', '2'];
  ffmpeg('-stream_loop', '54', '-i', kennedy.wav, ...stereo, ...(encoders[kind] ?? []), part);
  ffmpeg('-stream_loop', String(Math.round(hours * 6) - 1), '-i', part, '-c', 'copy', path);
  return path;
}

/** Memory in megabytes and processor time in seconds of the page. */
const pageUsage = ({
  app,
}: RunningProgram): Promise<{ readonly megabytes: number; readonly seconds: number }> =>
  app.evaluate(({ app: program, BrowserWindow }) => {
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    const page = program.getAppMetrics().find((one) => one.pid === pid);
    return {
      megabytes: (page?.memory.workingSetSize ?? 0) / 1024,
      seconds: page?.cpu.cumulativeCPUUsage ?? 0,
    };
  });

async function measureWaveform(folder: string, kind: string): Promise<Record<string, number | string>> {
  const path = makeRecording(folder, kind);
  const data = join(folder, `data-${kind}`);
  await fillLibrary(data, [
    {
      name: 'Long',
      durationSeconds: hours * 3600,
      recording: { path, sizeBytes: (await stat(path)).size, fingerprint: null },
      transcript: { language: 'en', text: 'Long', segments: [{ start: 0, end: 5, text: 'Long.' }] },
    },
  ]);
  const program = await startProgram(data);
  const { page } = program;
  await page.locator('nav').getByRole('button', { name: 'Library' }).press('Enter');
  await page.getByRole('row', { name: 'Long' }).click();
  await page.getByRole('slider').waitFor();
  const startedAt = performance.now();
  const before = await pageUsage(program);
  const secondsSince = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
  const progress = page.getByText(/^Waveform: /u);
  let [roughAt, completeAt, peakMegabytes] = [0, 0, before.megabytes];
  while (completeAt === 0 && secondsSince() < Number(values.seconds)) {
    await page.waitForTimeout(pollMs);
    peakMegabytes = Math.max(peakMegabytes, (await pageUsage(program)).megabytes);
    const progressText = (await progress.count()) > 0 ? await progress.textContent() : null;
    const share = Number(/\d+/u.exec(progressText ?? '')?.[0] ?? 0);
    // Of ten hours, every sixteenth slice is one in 16 minutes.
    if (roughAt === 0 && share >= 7) roughAt = secondsSince();
    if (progressText === null && (await readdir(join(data, 'waveforms')).catch(() => [])).length > 0)
      completeAt = secondsSince();
  }
  const after = await pageUsage(program);
  await program.close();
  return {
    roughlySeconds: roughAt,
    wholeSeconds: completeAt === 0 ? 'not yet' : completeAt,
    pageMegabytesBefore: Math.round(before.megabytes),
    pageMegabytesAtMost: Math.round(peakMegabytes),
    pageProcessorSeconds: Math.round(after.seconds - before.seconds),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'longhand-bench-'));
try {
  const results: Record<string, Record<string, number | string>> = {};
  for (const kind of values.kinds.split(','))
    results[`${hours} h of ${kind}`] = await measureWaveform(folder, kind);
  console.table(results);
  saveResults('waveform', results);
} finally {
  await rm(folder, { recursive: true, force: true });
}
