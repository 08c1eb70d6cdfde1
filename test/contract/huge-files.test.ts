import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { partOf } from '../../electron/core/api/part-plan.ts';
import { add } from '../support/core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

const partBytes = 1024 * 1024;

/** A sparse recording of `sizeBytes`: only its start and its end use disk space. */
async function sparseFile(path: string, sizeBytes: number): Promise<void> {
  const handle = await open(path, 'w');
  await handle.write(silentWav(1), 0, null, 0);
  await handle.write('the very end', sizeBytes - 12);
  await handle.close();
}

it.each([
  ['just beyond 4 GiB', 2 ** 32 + 1],
  ['of 50 GB', 50_000_000_000],
])('a file %s is added, and its first and last parts arrive unchanged', async (_size, sizeBytes) => {
  const core = await ScriptedCore.start({ partBytes });
  onTestFinished(() => core.close());
  const path = core.pathOf('long.wav');
  await sparseFile(path, sizeBytes);
  expect(await add(core.longhand, [path], core.service.baseUrl)).toMatchObject({ added: 1 });
  expect(core.row().sizeBytes).toBe(sizeBytes);

  const held = {
    kind: 'refusal',
    status: 503,
    code: 'queue_unavailable',
    retryAfter: '600',
    tookEffect: false,
  } as const;
  const injected = core.service.inject({ endpoint: 'part', from: 3, times: 1, fault: held });
  await core.advanceUntil(() => injected.affectedCount > 0 && core.row().attempts > 0);
  const [job] = core.service.account.jobs.values();
  if (job === undefined || job.session === null) throw new Error('no job');
  const count = job.session.part_count;
  expect(count).toBe(Math.ceil(sizeBytes / partBytes));
  expect([...job.parts.keys()]).toEqual([1, 2]);
  expect(job.parts.get(1)?.subarray(0, 4).toString()).toBe('RIFF');

  // All parts but the last two have arrived.
  for (let number = 3; number <= count - 2; number += 1) {
    job.parts.set(number, Buffer.alloc(0));
    job.acknowledged.add(number);
  }
  await core.reopen({
    meanwhile: async (folder) => {
      const database = new Database(join(folder, 'longhand.db'));
      database
        .prepare("UPDATE items SET state = json_set(state, '$.partsSent', ?), next_attempt_at = 0")
        .run(count - 2);
      database.close();
    },
  });
  core.service.rules.userRetried();
  await core.advanceUntil(core.isSettled);
  expect(core.row().state.kind).toBe('done');
  expect(core.service.callsOf('part')).toHaveLength(5);
  expect(job.parts.get(count)).toHaveLength(partOf(sizeBytes, partBytes, count).length);
  const end = Buffer.concat([
    job.parts.get(count - 1) ?? Buffer.alloc(0),
    job.parts.get(count) ?? Buffer.alloc(0),
  ]);
  expect(end.subarray(-12).toString()).toBe('the very end');
  expect(core.service.violations).toEqual([]);
});
