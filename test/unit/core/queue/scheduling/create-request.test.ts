import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultJobOptions } from '../../../../../electron/contract/options.ts';
import { initialProgress, type Item } from '../../../../../electron/core/item/item.ts';
import { newCreateRequest } from '../../../../../electron/core/queue/scheduling/create-request.ts';

const itemNamed = (name: string): Item => ({
  ...initialProgress,
  id: 1,
  seed: 'seed',
  requestCount: 0,
  service: 'on-device',
  source: {
    kind: 'file',
    path: `/recordings/${name}`,
    sizeBytes: 10,
    mtimeMs: 0,
    inode: '1',
    mimeType: 'audio/mpeg',
    fingerprint: '',
  },
  name,
  folderLabel: 'recordings',
  durationSeconds: null,
  options: defaultJobOptions,
  addedAt: 0,
});
const nameSent = (name: string): unknown => {
  const body = JSON.parse(newCreateRequest(itemNamed(name)).body) as Record<string, unknown>;
  return body['file_name'];
};

it.each([
  ['Größe – 日本 🎙.mp3', 'Größe – 日本 🎙.mp3'],
  ['two\nlines.mp3', 'twolines.mp3'],
  [String.raw`back\slash.mp3`, 'back-slash.mp3'],
  ['half \ud800 pair.mp3', 'half \ufffd pair.mp3'],
  ['without', 'without'],
  // A dot with a space or with many letters does not begin an extension, so the ends of these are shortened.
  [`${'a'.repeat(300)}.mp3`, `${'a'.repeat(251)}.mp3`],
  [`${'a'.repeat(300)}.abcdefghijklmnop`, `${'a'.repeat(238)}.abcdefghijklmnop`],
  [`${'a'.repeat(300)}.abcdefghijklmnopq`, 'a'.repeat(255)],
  [`${'a'.repeat(300)}.m p3`, 'a'.repeat(255)],
  [`${'a'.repeat(300)}.é`, 'a'.repeat(255)],
])('sends the name %j as %j', (name, sent) => {
  expect(nameSent(name)).toBe(sent);
});

it.each([
  ['on-device', { terms: ['Mbeki', 'Okonkwo'] }],
  ['https://api.example.com', {}],
])('sends names and terms only to a service with extensions: %s', (service, sent) => {
  const options = { ...defaultJobOptions, terms: ['Mbeki', 'Okonkwo'] };
  const body = (more: Partial<Item>): object =>
    JSON.parse(newCreateRequest({ ...itemNamed('a.mp3'), service, ...more }).body) as object;
  expect(body({ options })).toEqual({ ...body({}), ...sent });
  expect(body({})).not.toHaveProperty('terms');
});

it('sends any name as one line of well-formed text with its extension', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (stem) => {
      const sent = String(nameSent(`a${stem}.wav`));
      expect(sent.isWellFormed()).toBe(true);
      expect(sent).not.toMatch(/[\p{Cc}/\\]/u);
      expect(sent).toMatch(/\.wav$/);
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(255);
    }),
  );
});

it('sends the address of a link, and nothing about a file', () => {
  const url = 'https://files.example/a.mp3';
  const { body } = newCreateRequest({ ...itemNamed('a.mp3'), source: { kind: 'link', url } });
  expect(JSON.parse(body)).toMatchObject({ url });
  expect(JSON.parse(body)).not.toHaveProperty('file_name');
});

const key = (seed: string, requestCount: number) =>
  newCreateRequest({ ...itemNamed('a.mp3'), seed, requestCount }).key;

it('has a key of its own for each request of each item, and the same one after a restart', () => {
  const keys = [key('one', 0), key('one', 1), key('one', 2), key('two', 0)];
  expect(new Set(keys).size).toBe(4);
  expect(key('one', 1)).toBe(keys[1]);
  // Keys that earlier versions have sent stay valid.
  expect(key('one', 0)).toBe('longhand-one-1');
});
