import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseByteRange } from '../../../../electron/core/media/byte-range.ts';
import { fileStamp } from '../../../../electron/core/media/file-stamp.ts';
import { respondWithMedia, recordingUrl } from '../../../../electron/shell/pages/media-answer.ts';
import { testFolder } from '../../../support/test-folder.ts';

const origin = 'app://longhand';
const urlNow = recordingUrl({ kind: 'transcript', id: 7 }, fileStamp('/talk.mp3', { size: 10, mtimeMs: 1 }));

async function recording(content: string | null = 'abcdefghij', name = 'talk.mp3') {
  const path = join(await testFolder(), name);
  if (content !== null) await writeFile(path, content);
  const get = (url: string, range?: string, method = 'GET') => {
    const request = new Request(url, { method, ...(range !== undefined && { headers: { range } }) });
    return respondWithMedia(
      request,
      ({ kind, id }) => (kind === 'transcript' && id === 7 ? path : null),
      origin,
    );
  };
  return { path, get };
}

describe('a recording', () => {
  test('is served completely, with its type, only to the window', async () => {
    const { get } = await recording();
    const answer = await get(urlNow);
    expect([answer.status, await answer.text()]).toStrictEqual([200, 'abcdefghij']);
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test.each([
    ['bytes=0-3', 206, 'abcd', 'bytes 0-3/10'],
    ['bytes=4-', 206, 'efghij', 'bytes 4-9/10'],
    ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=-99', 206, 'abcdefghij', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, 'abcdefghij', null],
    ['bytes=0-1,4-5', 200, 'abcdefghij', null],
    ['lines=0-1', 200, 'abcdefghij', null],
  ])('requested with %s', async (range, status, text, contentRange) => {
    const { get } = await recording();
    const answer = await get(urlNow, range);
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toStrictEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test('is refused while too many responses are not read, and served once some were dropped', async () => {
    const { get } = await recording('x'.repeat(2_000_000));
    const answers: Response[] = [];
    for (let count = 0; count < 60; count += 1) answers.push(await get(urlNow));
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeLessThan(60);
    expect(answers.at(-1)?.status).toBe(503);
    for (const answer of served) await answer.body?.cancel();
    await expect.poll(async () => (await get(urlNow)).status).toBe(200);
  });

  test('of 2 GiB is served from an offset without reading up to it', async () => {
    const { path, get } = await recording();
    const size = 2 ** 31 + 10;
    await truncate(path, size);
    const file = await open(path, 'r+');
    await file.write('here', 2 ** 31);
    await file.close();
    const answer = await get(urlNow, `bytes=${2 ** 31}-${2 ** 31 + 3}`);
    expect([answer.status, await answer.text()]).toStrictEqual([206, 'here']);
    expect(answer.headers.get('content-range')).toBe(`bytes ${2 ** 31}-${2 ** 31 + 3}/${size}`);
    // A player requests the whole rest, and closes the stream after the first bytes.
    const rest = await get(urlNow, 'bytes=1000-');
    expect(rest.headers.get('content-length')).toBe(String(size - 1000));
    const reader = rest.body!.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    await reader.cancel();
  });

  test('that is missing, empty or not a file is refused immediately', async () => {
    expect((await (await recording(null)).get(urlNow)).status).toBe(404);
    const empty = await recording('');
    expect((await empty.get(urlNow)).status).toBe(200);
    expect((await empty.get(urlNow, 'bytes=0-')).status).toBe(416);
  });
});

describe('refuses any other address', () => {
  test.each([
    'media://transcript/8',
    'media://transcript/7/../../etc/passwd',
    'media://transcript/..%2f..%2fetc%2fpasswd',
    'media://transcript/7?path=/etc/passwd',
    'media://transcript/7?../../etc/passwd',
    'media://transcript//etc/passwd',
    'media://etc/passwd',
    'media://transcript/07',
    'media://transcript/',
    'file:///etc/passwd',
  ])('%s', async (url) => {
    const { get } = await recording();
    expect((await get(url)).status).toBe(404);
  });

  test('and other methods', async () => {
    const { get } = await recording();
    expect((await get(urlNow, undefined, 'POST')).status).toBe(404);
  });
});

test('a range is always within the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat({ max: 5000 }), (noise, start, end, size) => {
      for (const header of [`bytes=${start}-${end}`, `bytes=-${end}`, `bytes=${start}-`, `bytes=${noise}`]) {
        const range = parseByteRange(header, size);
        if (range === null || range === 'unsatisfiable') continue;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }
    }),
  );
});
