import { execFileSync } from 'node:child_process';
import type * as fs from 'node:fs/promises';
import { stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readTranscriptFile } from '../../../../electron/core/library/import/read-file.ts';
import { fingerprintFile } from '../../../../electron/core/library/recordings.ts';
import { hashOfContent } from '../../../../electron/core/media/fingerprint.ts';
import { isLocalPath, openRegularFile } from '../../../../electron/core/media/open-file.ts';
import { respondWithMedia } from '../../../../electron/shell/pages/media-answer.ts';
import { testFolder } from '../../../support/test-folder.ts';

// What is at the path before it is opened is a file.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, stat: () => real.stat(import.meta.filename) };
});

it.each([
  ['/home/ann/a.mp3', true],
  ['/network/a.mp3', true],
  ['/net/computer/a.mp3', false],
  ['/home/../net/computer/a.mp3', false],
  ['/./net//computer/a.mp3', false],
  ['//computer/a.mp3', false],
  ['a.mp3', false],
])('%s is on this computer: %s', (path, isLocal) => {
  expect(isLocalPath(path)).toBe(isLocal);
});

it.skipIf(process.platform === 'win32')(
  'a pipe that takes the place of a file before it is opened does not block',
  async () => {
    const pipe = join(await testFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openRegularFile(pipe)).rejects.toThrow('not a file');
  },
);

describe('a file that is replaced before it is opened', () => {
  const bytes = 65 * 1024 * 1024;
  const largeFile = async (): Promise<string> => {
    const path = join(await testFolder(), 'talk.srt');
    await writeFile(path, '');
    await truncate(path, bytes);
    return path;
  };

  it('is not read as a transcript if it is too large', async () => {
    expect(await readTranscriptFile(await largeFile())).toMatchObject({
      problem: { code: 'transcript_too_large' },
    });
  });

  it('is not hashed if it is none', async () => {
    const hashed = hashOfContent(await testFolder(), new AbortController().signal);
    await expect(hashed).rejects.toThrow('not a file');
  });

  it('is not the recording that had another size', async () => {
    const { size } = await stat('');
    expect(await fingerprintFile(await largeFile(), new Set([size]))).toBeNull();
  });

  it('is played in its own size', async () => {
    const path = await largeFile();
    const request = new Request('media://item/1', { headers: { range: 'bytes=0-0' } });
    const { headers, body } = await respondWithMedia(request, () => path, 'app://longhand');
    expect(headers.get('content-range')).toBe(`bytes 0-0/${bytes}`);
    await body?.cancel();
  });
});
