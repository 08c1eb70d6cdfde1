import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { checkAccount } from '../../electron/core/api/check-account.ts';
import { ServiceClient } from '../../electron/core/api/client.ts';
import { transcriptOf } from '../support/transcript-of.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import { openPoints, transcriptText, type Shape } from '../support/scripted-service/shape.ts';

vi.setConfig({ maxConcurrency: 8 });

const link = 'https://example.com/talk.mp3';
const lost = { kind: 'reset', tookEffect: true } as const;

/** Every value of every open point, one at a time; the others have their defaults. */
const variations = Object.entries(openPoints).flatMap(([point, values]) =>
  values.map((value) => ({ name: `${point}: ${value}`, shape: { [point]: value } as Partial<Shape> })),
);
const anyShape = fc.record(
  Object.fromEntries(
    Object.entries(openPoints).map(([point, values]) => [point, fc.constantFrom(...values)]),
  ),
) as fc.Arbitrary<Shape>;

async function withCore(shape: Partial<Shape>, work: (core: ScriptedCore) => Promise<void>): Promise<void> {
  const core = await ScriptedCore.start({ shape });
  try {
    await work(core);
    expect(core.service.violations).toEqual([]);
  } finally {
    await core.close();
  }
}

/** Transcribes a file and a link. */
async function transcribeBoth(core: ScriptedCore): Promise<void> {
  await core.addFile('talk.wav');
  await core.addLink(link);
  await core.advanceUntil(core.isSettled);
  expect(core.rows().map(({ state }) => state.kind)).toEqual(['done', 'done']);
  for (const { state } of core.rows()) {
    const transcript = core.longhand.transcripts.get(transcriptOf({ state }));
    expect(transcript).toMatchObject({ text: transcriptText });
    expect(transcript?.segments.map(({ text }) => text).join(' ')).toBe(transcriptText);
  }
  expect([...core.service.account.jobs.values()].map(({ charged }) => charged)).toEqual([2, 2]);
}

describe.concurrent('whatever the API leaves open', () => {
  it.each(variations)('$name', ({ shape }) => withCore(shape, transcribeBoth));

  it('in any combination', async () => {
    await fc.assert(
      fc.asyncProperty(anyShape, (shape) => withCore(shape, transcribeBoth)),
      { numRuns: 40, seed: 20_261_121 },
    );
  });
});

describe.concurrent('a lost response to a create request', () => {
  const shapes = openPoints.replay.flatMap((replay) =>
    openPoints.upload.map((upload) => ({ replay, upload, name: `${replay}, ${upload}` })),
  );

  it.each(shapes)('is recovered by a replay $name', ({ replay, upload }) =>
    withCore({ replay, upload }, async (core) => {
      core.service.inject({ endpoint: 'create', from: 1, times: 1, fault: lost });
      await core.addFile('talk.wav');
      await core.advanceUntil(core.isSettled);
      expect(core.row().state.kind).toBe('done');
      // Without its session the first job is deleted and replaced by a new one.
      const jobs = [...core.service.account.jobs.values()].map(({ status }) => status);
      expect(jobs).toEqual(replay === 'with upload' ? ['completed'] : ['deleted', 'completed']);
    }),
  );
});

describe.concurrent('a refusal', () => {
  it.each(openPoints.errorCode)('is understood with its code in: %s', (errorCode) =>
    withCore({ errorCode }, async (core) => {
      const fault = { kind: 'refusal', status: 413, code: 'file_too_large', tookEffect: false } as const;
      core.service.inject({ endpoint: 'create', from: 1, times: 1, fault });
      await core.addFile('talk.wav');
      await core.advanceUntil(core.isSettled);
      expect(core.row().state).toMatchObject({ kind: 'failed', problem: { code: 'file_too_large' } });
    }),
  );
});

describe.concurrent('a failed job', () => {
  it.each(openPoints.jobError)('has its reason read as %s', (jobError) =>
    withCore({ jobError }, async (core) => {
      core.service.account.failsJobs = true;
      await core.addFile('talk.wav');
      await core.advanceUntil(core.isSettled);
      expect(core.row().state).toMatchObject({
        kind: 'failed',
        problem: { code: 'job_failed', detail: 'the audio is broken' },
      });
      expect(core.service.account.balance).toBe(1_000);
    }),
  );
});

describe.concurrent('the list of jobs', () => {
  it.each(openPoints.list)('is read as %s', (list) =>
    withCore({ list }, async (core) => {
      const { service, clock } = core;
      await transcribeBoth(core);
      const { signal } = new AbortController();
      await checkAccount(service.baseUrl, service.key, clock, signal);
      const client = new ServiceClient(service.baseUrl, service.key, clock);
      const jobs = await client.list(signal);
      await client.close();
      expect(jobs).toMatchObject({
        ok: true,
        value: { records: [{ jobId: 'job-1' }, { jobId: 'job-2' }], length: 2 },
      });
    }),
  );
});
