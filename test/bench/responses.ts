import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../electron/core/system.ts';
import { startCommand } from '../support/built-command.ts';
import { ScriptedService } from '../support/scripted-service/scripted-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { median } from './support/median.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures what responses of 60 MB and more cost, one that is accepted and one with a single word, which is not: the
 * peak memory of `transcribe` above that with a small response, the seconds until it ends, the longest block of its main
 * process meanwhile, and the milliseconds from an interrupt to its end. Needs Linux. `npm run bench -- responses`
 */

const size = 60e6;

/** Within the limits of a transcript, so that the response is accepted. */
const segmentCount = 960_000;
const words = 'Few words.';
const transcripts = {
  small: [{ start: 0, end: 1, text: words }],
  segments: Array.from({ length: segmentCount }, (_, index) => ({
    start: index,
    end: index + 1,
    text: words,
    note: 'not used',
  })),
  oneWord: [{ start: 0, end: 1, text: 'x'.repeat(size) }],
} as const;
type Kind = keyof typeof transcripts;

interface Measured {
  /** Peak resident memory of the command, in MiB. */
  readonly peakMiB: number;
  /** Seconds from the beginning of the response to the end of the command. */
  readonly seconds: number;
  /** The longest block of its event loop. */
  readonly blockMs: number;
  readonly code: number | null;
}

const folder = await temporaryFolder();
try {
  const small = await measureResponse('small');
  const results = {
    codes: { segments: 0, oneWord: 0 },
    mibAboveSmall: { segments: 0, oneWord: 0 },
    seconds: { segments: 0, oneWord: 0 },
    blockMs: { segments: 0, oneWord: 0 },
    interruptMs: { segments: 0, oneWord: 0 },
  };
  for (const kind of ['segments', 'oneWord'] as const) {
    const { peakMiB, seconds, blockMs, code } = await measureResponse(kind);
    results.codes[kind] = code ?? NaN;
    results.mibAboveSmall[kind] = Math.round(peakMiB - small.peakMiB);
    results.seconds[kind] = Number(seconds.toFixed(1));
    results.blockMs[kind] = Math.round(blockMs);
    const interrupts: number[] = [];
    for (const afterMs of [50, 150, 300, 600, 1000]) {
      const { seconds: secondsToEnd } = await measureResponse(kind, afterMs);
      interrupts.push(Math.round(secondsToEnd * 1000 - afterMs));
    }
    results.interruptMs[kind] = median(interrupts);
    console.log(kind, 'interrupts', interrupts);
  }
  console.table(results);
  saveResults('responses', results);
} finally {
  await folder.remove();
}

/** Runs `transcribe` with a service that returns the transcript, and interrupts it some time after the response began. */
async function measureResponse(kind: Kind, interruptAfterMs: number | null = null): Promise<Measured> {
  const service = await ScriptedService.start({ clock: systemClock, partBytes: 1024 ** 2 });
  const injected = service.inject({
    endpoint: 'status',
    from: 1,
    times: Infinity,
    fault: {
      kind: 'altered',
      alter: (response) => ({
        ...response,
        body: {
          data: {
            id: 'job-1',
            status: 'completed',
            transcript: { text: words, segments: transcripts[kind] },
          },
        },
      }),
      tookEffect: true,
    },
  });
  const name = `${kind}-${String(interruptAfterMs)}`;
  await writeFile(join(folder.path, `${name}.wav`), Buffer.alloc(2048, 1));
  const blockFile = join(folder.path, `${name}.block`);
  const command = startCommand(['transcribe', `${name}.wav`, '--service', service.baseUrl, '--to', 'txt'], {
    dataFolder: join(folder.path, name),
    folder: folder.path,
    environment: { LONGHAND_API_KEY: service.key, LONGHAND_BLOCK_FILE: blockFile },
    preload: resolve(import.meta.dirname, 'support/longest-block.cjs'),
  });
  let peakMiB = 0;
  const timer = setInterval(() => void readPeak(), 20);
  const readPeak = async (): Promise<void> => {
    const status = await readFile(`/proc/${command.pid}/status`, 'utf8').catch(() => '');
    peakMiB = Math.max(peakMiB, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  };
  await injected.first;
  command.kill('SIGUSR2');
  const startedAt = performance.now();
  if (interruptAfterMs !== null) {
    await delay(interruptAfterMs);
    command.kill('SIGINT');
  }
  const { code } = await command.ended;
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(timer);
  await service.stop();
  const blockMs = Number(await readFile(blockFile, 'utf8').catch(() => 'NaN'));
  return { peakMiB, seconds, blockMs, code };
}
