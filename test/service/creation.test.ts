import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentedLimits } from '../../electron/on-device/service-options.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf, jobsPath } from './support/api.ts';
import { listSchema } from './support/document.ts';

/** The choices that the document leaves open; its rules are in `conformance`. */

let service: TestService;
let api: Api;
beforeAll(async () => {
  service = await startOnDevice({ limits: documentedLimits });
  api = new Api(service);
});
afterAll(async () => service.stop());

const file = (more: object = {}): object => ({ file_name: 'a.wav', file_size: 1000, ...more });

describe('a create request', () => {
  test.each<[what: string, body: unknown, field: string]>([
    ['an array', [], 'a JSON object'],
    ['null', null, 'a JSON object'],
    ['neither mode', {}, 'send either url'],
    ['both modes', file({ url: 'https://example.com/a.wav' }), 'send either url'],
    ['a file without a size', { file_name: 'a.wav' }, 'send either url'],
    ['a size in quotes', file({ file_size: '5' }), 'file_size'],
    ['an unknown accuracy', file({ accuracy_mode: 'best' }), 'accuracy_mode'],
    ['an unknown language', file({ language: 'klingon' }), 'language'],
    ['a translation in quotes', file({ translate_to_english: 'yes' }), 'translate_to_english'],
    ['a name with a path', file({ file_name: '../a.wav' }), 'file_name'],
  ])('with %s: invalid_json, with the field', async (_, body, field) => {
    const reply = await api.create(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_json']);
    expect(JSON.stringify(reply.body)).toContain(field);
  });

  test.each([
    ['another type of body', 'application/x-www-form-urlencoded', 'file_name=a.wav'],
    ['no type', 'a', '{}'],
  ])('with %s: invalid_json', async (_, type, body) => {
    const reply = await api.send('POST', jobsPath, { headers: { 'content-type': type }, body });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_json']);
    expect(JSON.stringify(reply.body)).toContain('application/json');
  });

  test('for a link with a password: invalid_remote_url', async () => {
    const reply = await api.create({ url: 'https://me:secret@example.com/a.mp3' });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_remote_url']);
    expect(JSON.stringify(reply.body)).not.toContain('secret');
  });

  test('with a used key and another language or type: idempotency_conflict', async () => {
    expect((await api.create(file(), 'options')).status).toBe(201);
    for (const other of [{ language: 'de' }, { mime_type: 'audio/wav' }]) {
      expect(codeOf(await api.create(file(other), 'options'))).toBe('idempotency_conflict');
    }
  });
});

test('responses ask for a poll interval of 3 seconds (API part 4.4)', async () => {
  const { id } = await api.session('a.wav', 100);
  expect((await api.status(id)).header('retry-after')).toBe('3');
});

describe('a part number', () => {
  test.each(['1&part_number=1', '1e0', '0x1', '01', '+1', ' 1'])('%j: invalid_part', async (number) => {
    const { upload } = await api.session('a.wav', 100);
    const reply = await api.put(upload, encodeURI(number), Buffer.alloc(100));
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_part']);
  });
});

describe('an ended job', () => {
  test('accepts neither parts nor a completion: invalid_status', async () => {
    const wave = silentWav(0.1);
    const { id, upload } = await api.session('a.wav', wave.length);
    await api.putAll(upload, wave);
    await api.delete(id);
    expect(codeOf(await api.put(upload, 1, wave))).toBe('invalid_status');
    expect(codeOf(await api.complete(id))).toBe('invalid_status');
  });

  test('can be deleted again, and stays in the list', async () => {
    const { id } = await api.session('a.wav', 100);
    for (let times = 0; times < 2; times++) expect((await api.delete(id)).status).toBe(200);
    expect((await api.job(id)).status).toBe('deleted');
  });
});

test('the list has the newest job first and at most 100 jobs', async () => {
  let last = '';
  for (let n = 0; n < 101; n++) {
    last = (await api.session('a.wav', 100)).id;
    await api.delete(last);
  }
  const list = listSchema.parse((await api.list()).body);
  expect(list).toHaveLength(100);
  expect(list[0]?.id).toBe(last);
});

test.each(['..%2f..%2fetc%2fpasswd', '%00', "'%20OR%201=1--", 'a'.repeat(5000), '%zz'])(
  'the hostile identifier %j is an unknown job',
  async (id) => {
    const reply = await api.status(id);
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
  },
);
