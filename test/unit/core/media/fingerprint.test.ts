import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { open, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fingerprintOf, hashOfContent } from '../../../../electron/core/media/fingerprint.ts';
import { testFolder } from '../../../support/test-folder.ts';

async function fingerprint(content: Uint8Array): Promise<string> {
  const path = join(await testFolder(), 'file');
  await writeFile(path, content);
  const handle = await open(path);
  const result = await fingerprintOf(handle, content.length, content.subarray(0, 4096));
  await handle.close();
  return result;
}

it.each([1, 100, 4096, 4097, 12_288, 1_000_000])('is equal for equal files of %i bytes', async (size) => {
  const content = randomBytes(size);
  expect(await fingerprint(content)).toBe(await fingerprint(Buffer.from(content)));
  expect(await fingerprint(content)).toMatch(/^[0-9a-f]{64}$/);
});

it.each(['first', 'middle', 'last'])('differs if the %s byte differs', async (where) => {
  const content = randomBytes(1_000_000);
  const other = Buffer.from(content);
  other[{ first: 0, middle: 500_000, last: 999_999 }[where]!]! ^= 1;
  expect(await fingerprint(other)).not.toBe(await fingerprint(content));
});

it('differs if only the length differs', async () => {
  expect(await fingerprint(Buffer.alloc(5000))).not.toBe(await fingerprint(Buffer.alloc(5001)));
});

it('the hash of the content is the SHA-256 of the whole file', async () => {
  const path = join(await testFolder(), 'file');
  const content = randomBytes(3_000_001);
  await writeFile(path, content);
  const expected = createHash('sha256').update(content).digest('hex');
  expect(await hashOfContent(path, new AbortController().signal)).toBe(expected);
  await expect(hashOfContent(path, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});

it('a file that is changed at once, with the same size and time, has another hash', async () => {
  const path = join(await testFolder(), 'file');
  const time = new Date(1_700_000_000_000);
  const hashOf = async (content: string): Promise<string> => {
    await writeFile(path, content);
    await utimes(path, time, time);
    return hashOfContent(path, new AbortController().signal);
  };
  expect(await hashOf('one')).not.toBe(await hashOf('two'));
});

it.skipIf(process.platform === 'win32')('a pipe has none and does not block', async () => {
  const pipe = join(await testFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(hashOfContent(pipe, new AbortController().signal)).rejects.toThrow('not a file');
});
