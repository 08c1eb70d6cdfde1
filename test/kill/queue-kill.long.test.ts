import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { startProxy, type ReceivedRequest } from './proxy.ts';

const partBytes = 64 * 1024;
/** The minimum number of kill points, with a single poll; each further poll adds four. */
const minPoints = 40;
const credits = 100;

/** When a program is killed: at a point of its own, or when its nth request has reached the service or was processed. */
type Target =
  | { readonly by: 'nothing' }
  | { readonly by: 'itself'; readonly point: number }
  | { readonly by: 'service'; readonly moment: 'arrived' | 'done'; readonly request: number };

interface Run {
  readonly points: number;
  readonly requests: number;
  readonly wasKilled: boolean;
}

/** Runs the program until it is killed, then again to its end, and checks every rule. */
async function runUntilKilled(target: Target): Promise<Run> {
  const folder = await temporaryFolder();
  const service = await startOnDevice({
    dataFolder: join(folder.path, 'service'),
    limits: { partBytes },
    credits,
    key: randomBytes(24).toString('hex'),
  });
  let requests = 0;
  let victim: { kill(signal: 'SIGKILL'): unknown } | null = null;
  const proxy = await startProxy(service.baseUrl, (moment) => {
    if (moment === 'arrived') requests += 1;
    if (target.by === 'service' && target.moment === moment && target.request === requests)
      victim?.kill('SIGKILL');
  });
  try {
    const wanted = join(folder.path, 'interview.wav');
    const unwanted = join(folder.path, 'unwanted.wav');
    await writeFile(wanted, silentWav(4));
    await writeFile(unwanted, silentWav(9));
    const run = async (
      point: number,
      isVictim: boolean,
    ): Promise<{ output: string; signal: string | null }> => {
      const child = spawn(
        process.execPath,
        [
          resolve(import.meta.dirname, 'queue-program.ts'),
          join(folder.path, 'data'),
          proxy.baseUrl,
          service.key,
          String(point),
          wanted,
          unwanted,
        ],
        { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      // A response of the killed run must not kill the next one.
      victim = isVictim ? child : null;
      const exitSignal = new Promise<string | null>((done) => {
        child.on('exit', (_code, signal) => done(signal));
      });
      const output = await text(child.stdout);
      return { output, signal: await exitSignal };
    };
    const first = await run(target.by === 'itself' ? target.point : 0, true);
    const last = first.signal === null ? first : await run(0, false);
    expect(last.signal).toBeNull();
    await checkRules(folder.path, proxy.received, wanted);
    const { meta, data } = await listOf(service.baseUrl, service.key);
    expect(meta.balance_credits, 'one recording is charged once').toBe(credits - 1);
    expect(data.filter(({ status }) => status === 'completed')).toHaveLength(1);
    expect(data.every(({ status }) => status === 'completed' || status === 'deleted')).toBe(true);
    return {
      points: first.output.trim().split('\n').length,
      requests,
      wasKilled: first.signal === 'SIGKILL',
    };
  } finally {
    await proxy.close();
    await service.stop();
    await folder.remove();
  }
}

async function checkRules(
  folder: string,
  received: readonly ReceivedRequest[],
  wanted: string,
): Promise<void> {
  const database = new Database(join(folder, 'data', 'longhand.db'), { readonly: true });
  const rows = database.prepare('SELECT name, kind FROM items ORDER BY id').all();
  const transcripts = database.prepare('SELECT count(*) FROM transcripts').pluck().get();
  database.close();
  expect(rows).toEqual([
    { name: 'interview.wav', kind: 'done' },
    { name: 'unwanted.wav', kind: 'cancelled' },
  ]);
  expect(transcripts).toBe(1);

  const parts = received.filter(({ method }) => method === 'PUT');
  const distinct = new Set(parts.map(({ path, partNumber }) => `${path} ${partNumber}`));
  expect(parts.length - distinct.size, 'one part at most is sent again').toBeLessThanOrEqual(1);

  const completedPath = received
    .find(({ path }) => path.endsWith('/complete'))
    ?.path.replace(/complete$/, 'upload');
  const bytesByPart = new Map(
    parts.filter(({ path }) => path === completedPath).map(({ partNumber, body }) => [partNumber ?? 0, body]),
  );
  const bytes = Buffer.concat([...bytesByPart].sort(([one], [two]) => one - two).map(([, body]) => body));
  expect(bytes.equals(await readFile(wanted)), 'what arrives is the file').toBe(true);
}

interface JobList {
  readonly data: readonly { readonly status: string }[];
  readonly meta: { readonly balance_credits: number };
}

async function listOf(baseUrl: string, key: string): Promise<JobList> {
  const response = await fetch(`${baseUrl}/api/v1/transcriptions`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await response.json()) as JobList;
}

const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

/** Runs the program for each target, two at a time. */
async function runTargets(targets: readonly Target[]): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const rest = [...targets];
  const worker = async (): Promise<void> => {
    for (let target = rest.shift(); target !== undefined; target = rest.shift()) {
      const run = await runUntilKilled(target).catch((error: unknown) => {
        throw new Error(`killed at ${JSON.stringify(target)}`, { cause: error });
      });
      runs.push(run);
    }
  };
  await Promise.all([worker(), worker()]);
  return runs;
}

it('keeps every rule when killed before or after any commit, request or response', async () => {
  const complete = await runUntilKilled({ by: 'nothing' });
  expect(complete.wasKilled).toBe(false);
  const targets: readonly Target[] = [
    ...numbersTo(complete.points).map((point) => ({ by: 'itself', point }) as const),
    ...numbersTo(complete.requests).flatMap((request) => [
      { by: 'service', moment: 'arrived', request } as const,
      { by: 'service', moment: 'done', request } as const,
    ]),
  ];
  const runs = await runTargets(targets);
  const killCount = runs.filter(({ wasKilled }) => wasKilled).length;
  console.log(
    `${killCount} kill points: ${complete.points} of the program, ${2 * complete.requests} of the service`,
  );
  // A run may have fewer polls than the first one; then the last points of the first run are not reached.
  expect(killCount).toBeGreaterThanOrEqual(minPoints);
}, 900_000);
