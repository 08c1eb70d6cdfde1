import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactDetails, redactText } from '../../../electron/shell/log-redaction.ts';
import { fileLogger, saveLog } from '../../../electron/shell/logger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const secret = 'Mbeki';
const texts: readonly (readonly [string, string])[] = [
  [
    "Error: ENOENT: no such file or directory, open '/home/ann/Mbeki's talk.mp3'",
    'Error: ENOENT: no such file or directory, open […]',
  ],
  [
    'EACCES: permission denied, scandir C:\\Users\\Mbeki\\Recordings',
    'EACCES: permission denied, scandir […]',
  ],
  ['EBUSY: \\\\nas\\Mbeki\\a.wav', 'EBUSY: […]'],
  ['at file:///home/ann/Mbeki/main.js:1:2', 'at […]'],
  ['<file://nas/Mbeki> is gone', '<[…]'],
  ['cannot read ~/Mbeki and others', 'cannot read […]'],
  ['Interview Mbeki, part 2.m4a is not a recording', '[…] is not a recording'],
  ['the service said “Mbeki.mp3 is broken”', 'the service said […]'],
  ['GET https://ann:pw@api.example.com/v1/jobs/7?name=Mbeki failed', 'GET https://api.example.com failed'],
  ['authorization: Bearer sk-Mbeki-1', 'authorization: Bearer […]'],
  ['the on-device service ended with code 1', 'the on-device service ended with code 1'],
  ['SQLITE_FULL: database or disk is full', 'SQLITE_FULL: database or disk is full'],
];

it.each(texts)('%s', (text, cleaned) => {
  expect(redactText(text)).toBe(cleaned);
});

it('removes a file name whatever it is', () => {
  const name = fc.stringMatching(/^[\p{L}\p{N} '’"._()-]{1,30}$/u);
  const folder = fc.constantFrom('/home/ann/', 'C:\\Users\\ann\\', '\\\\nas\\share\\');
  fc.assert(
    fc.property(folder, name, (place, rest) => {
      const cleaned = redactText(`EIO: i/o error, read '${place}${secret}${rest}.mp3'`);
      expect(cleaned).not.toContain(secret);
      expect(cleaned).not.toContain('ann');
    }),
  );
});

it('shortens long texts and lists, and never in the middle of what is private', () => {
  const filler = `${'x'.repeat(98)}\n`.repeat(99);
  for (let length = 9_700; length < 10_300; length += 1) {
    const before = filler.slice(0, length - 100).concat('\n', 'x'.repeat(80));
    const text = redactText(`${before} "${secret} and others" in Interview ${secret}, part 2.m4a\n${filler}`);
    expect(text).not.toContain(secret);
    expect(text.length).toBeLessThanOrEqual(10_100);
  }
  expect(redactText('x'.repeat(1_000_000))).toBe('[…]');
  expect(redactDetails({ ids: Array.from({ length: 1_000_000 }, () => 'x') })).toStrictEqual({
    ids: Array.from({ length: 100 }, () => 'x'),
  });
});

it('saves a log without names, keys or texts, but with the events', async () => {
  const folder = await temporaryFolder();
  try {
    const logger = fileLogger(folder.path);
    logger.error('a command failed', {
      name: `${secret}.mp3`,
      key: secret,
      problem: { code: 'file_missing', params: { path: `/home/${secret}` } },
      error: new Error(`open '/home/ann/${secret} "live".wav'`),
      several: [`/media/${secret}`],
      status: 503,
    });
    const target = join(folder.path, 'to send.txt');
    await saveLog(folder.path, target, '0.1.0');
    const saved = await readFile(target, 'utf8');
    expect(saved).toMatch(/^Longhand 0\.1\.0, /);
    expect(saved).toContain('a command failed');
    expect(saved).toContain('file_missing');
    expect(saved).toContain('503');
    expect(saved).not.toContain(secret);
    expect(saved).not.toContain('ann');
  } finally {
    await folder.remove();
  }
});
