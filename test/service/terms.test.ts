import { afterAll, beforeAll, expect, test } from 'vitest';
import { termLimits } from '../../electron/contract/limits.ts';
import type { SpeechEngine } from '../../electron/on-device/engine/speech-engine.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';

const file = { file_name: 'a.wav', file_size: 10 };
const terms = ['Aisling Wetherby', 'Mbeki', '東京'];

/** The terms of each request to the engine. */
const receivedTerms: (readonly string[])[] = [];
const engine: SpeechEngine = {
  async transcribe({ options }) {
    await Promise.resolve();
    receivedTerms.push(options.terms);
    return { language: 'en', segments: [], speedKey: null };
  },
  close: () => Promise.resolve(),
};

let service: TestService;
let api: Api;
beforeAll(async () => {
  service = await startOnDevice({ engine });
  api = new Api(service);
});
afterAll(async () => service.stop());

test.each([
  ['with a list', { terms }, terms],
  ['without a list', {}, []],
])('a job %s is transcribed with it', async (_, more, expected) => {
  const wave = silentWav(2);
  const { id, upload } = await api.session('a.wav', wave.length, more);
  await api.putAll(upload, wave);
  await api.complete(id);
  await api.until(id, 'completed');
  expect(receivedTerms.at(-1)).toEqual(expected);
  expect((await api.send('GET', `${jobsPath}/${id}`)).body).not.toHaveProperty('data.terms');
});

test.each([
  ['a blank term', [' ']],
  ['an empty term', ['']],
  ['a line break', ['two\nlines']],
  ['a number', [1]],
  ['a text instead of a list', 'Mbeki'],
  ['a term that is too long', ['x'.repeat(termLimits.length + 1)]],
  ['too many terms', Array.from({ length: termLimits.count + 1 }, (_, i) => `t${i}`)],
  ['too many characters', Array.from({ length: 60 }, (_, i) => `${i}`.padEnd(termLimits.length, 'x'))],
])('a list with %s is refused', async (_, list) => {
  const refused = await api.create({ ...file, terms: list });
  expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_json']);
  expect(JSON.stringify(refused.body)).toContain('terms');
});

test('a list as long as the limits is accepted', async () => {
  const longest = Array.from({ length: termLimits.count }, (_, i) => `${i}`.padEnd(20, 'x'));
  expect((await api.create({ ...file, terms: longest })).status).toBe(201);
});

test('a job with other terms is another one', async () => {
  expect((await api.create(file, 'one')).status).toBe(201);
  expect((await api.create({ ...file, terms: [] }, 'one')).status).toBe(200);
  expect(codeOf(await api.create({ ...file, terms }, 'one'))).toBe('idempotency_conflict');
  expect((await api.create({ ...file, terms }, 'two')).status).toBe(201);
  expect((await api.create({ ...file, terms }, 'two')).status).toBe(200);
  expect(codeOf(await api.create({ ...file, terms: terms.toReversed() }, 'two'))).toBe(
    'idempotency_conflict',
  );
});

test('the description announces terms', async () => {
  const { body } = await api.send('GET', '/openapi.json');
  expect(JSON.stringify(body)).toMatch(/"terms":\{[^}]*"maxItems":200/);
});
