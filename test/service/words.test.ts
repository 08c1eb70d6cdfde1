import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newSegment, withWords } from '../../electron/core/transcript/segment.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';

const segmentWithWords = withWords(newSegment(0.5, 2, 'Yes, 今日は.'), [
  { from: 0, to: 4, start: 0.5, end: 0.9, probability: 0.987 },
  { from: 5, to: 7, start: 1.2, end: 1.25, probability: 0.5 },
  { from: 7, to: 9, start: 1.25, end: 2, probability: 1 },
]);
const returnedWithoutWords = { start: 0.5, end: 2, text: 'Yes, 今日は.' };
const returnedWithWords = {
  ...returnedWithoutWords,
  words: [
    { text: 'Yes,', start: 0.5, end: 0.9, probability: 0.987 },
    { text: '今日', start: 1.2, end: 1.25, probability: 0.5 },
    { text: 'は.', start: 1.25, end: 2, probability: 1 },
  ],
};
const segmentWithExtra = { ...returnedWithoutWords, start: 2, end: 3, extras: { witness: 1 } };

let service: TestService;
let api: Api;
let engine: SteppedEngine;

beforeAll(async () => {
  engine = new SteppedEngine({ language: 'en', segments: [segmentWithWords, segmentWithExtra] });
  service = await startOnDevice({ credits: 100, engine });
  api = new Api(service);
  engine.allow(Infinity);
});
afterAll(async () => service.stop());

const transcriptOf = z.object({ segments: z.array(z.unknown()) });
const replySchema = z.object({
  data: z.object({ transcript: transcriptOf.optional(), partial_transcript: transcriptOf.optional() }),
});

async function segmentsOf(id: string, query = ''): Promise<unknown> {
  const { data } = replySchema.parse((await api.send('GET', `${jobsPath}/${id}${query}`)).body);
  return (data.transcript ?? data.partial_transcript)?.segments;
}

async function submit(more: object = {}): Promise<string> {
  const wave = silentWav(3);
  const { id, upload } = await api.session('a.wav', wave.length, more);
  await api.putAll(upload, wave);
  await api.complete(id);
  await api.until(id, 'completed');
  return id;
}

test('the words of a segment are returned only if the request asks for them', async () => {
  const id = await submit();
  expect(await segmentsOf(id)).toEqual([returnedWithoutWords, segmentWithExtra]);
  expect(await segmentsOf(id, '?words=0')).toEqual([returnedWithoutWords, segmentWithExtra]);
  expect(await segmentsOf(id, '?words=1')).toEqual([returnedWithWords, segmentWithExtra]);
  const refused = await api.send('GET', `${jobsPath}/${id}?words=yes`);
  expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_json']);
});

test('the words of a job that was created with them are returned to every request', async () => {
  const id = await submit({ words: true });
  expect(await segmentsOf(id)).toEqual([returnedWithWords, segmentWithExtra]);
  const repeated = replySchema.parse((await api.complete(id)).body);
  expect(repeated.data.transcript?.segments).toEqual([returnedWithWords, segmentWithExtra]);
});

test('a job with words is another one than without', async () => {
  const file = { file_name: 'a.wav', file_size: 10 };
  expect((await api.create(file, 'one')).status).toBe(201);
  expect((await api.create({ ...file, words: false }, 'one')).status).toBe(200);
  expect(codeOf(await api.create({ ...file, words: true }, 'one'))).toBe('idempotency_conflict');
});

test('a transcript in progress has words as well', async () => {
  const stepped = new SteppedEngine({ language: 'en', segments: [segmentWithWords, segmentWithExtra] });
  const other = await startOnDevice({ credits: 100, engine: stepped });
  try {
    api = new Api(other);
    const wave = silentWav(3);
    const { id, upload } = await api.session('a.wav', wave.length);
    await api.putAll(upload, wave);
    await api.complete(id);
    stepped.allow(2);
    await expect.poll(() => segmentsOf(id, '?partial=1')).toEqual([returnedWithoutWords]);
    expect(await segmentsOf(id, '?partial=1&words=1')).toEqual([returnedWithWords]);
  } finally {
    stepped.allow(Infinity);
    await other.stop();
    api = new Api(service);
  }
});
