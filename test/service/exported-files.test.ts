import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { presetRules } from '../../electron/contract/model/subtitles.ts';
import type { SpokenSegment } from '../../electron/core/formats/content.ts';
import { writeDocx } from '../../electron/core/formats/write/docx.ts';
import { paragraphsOf } from '../../electron/core/formats/write/paragraphs.ts';
import { writeSrt } from '../../electron/core/formats/write/srt.ts';
import { cuesOf } from '../../electron/core/formats/layout/subtitles.ts';
import { writeVtt } from '../../electron/core/formats/write/vtt.ts';
import { anySegments, letters, transcriptOf } from '../unit/core/formats/transcripts.ts';

/** Exported files opened by programs that people have. */

const isThere = (program: string, ...options: readonly string[]): boolean =>
  spawnSync(program, options).status === 0;
const hasFfmpeg = isThere('ffmpeg', '-version');
const hasOffice = isThere('soffice', '--version');

const folder = mkdtempSync(join(tmpdir(), 'longhand-exported-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A day of anything that could be said, in the order in which it is said. */
const samples = fc.sample(anySegments, { numRuns: 400, seed: 7 }).flat();
const transcript = transcriptOf(samples.toSorted((a, b) => a.start - b.start));

describe.skipIf(!hasFfmpeg)('subtitles read by ffmpeg (skipped where none is installed)', () => {
  it.each([
    ['srt', writeSrt],
    ['vtt', writeVtt],
  ] as const)('%s: as many cues, with the same times, and all of them decoded', (type, write) => {
    const path = join(folder, `any.${type}`);
    writeFileSync(path, write(transcript, presetRules.broadcast));
    const cues = cuesOf(transcript, presetRules.broadcast);
    const probed = JSON.parse(
      execFileSync('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', path], {
        encoding: 'utf8',
        maxBuffer: 1e9,
      }),
    ) as { packets: readonly { pts: number; duration: number }[] };
    expect(probed.packets.map(({ pts, duration }) => [pts, pts + duration])).toEqual(
      cues.map(({ startMs, endMs }) => [startMs, endMs]),
    );
    const { status, stderr } = spawnSync(
      'ffmpeg',
      ['-v', 'error', '-i', path, '-c:s', 'ass', '-f', 'ass', '-'],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([0, '']);
  });

  it('srt: has all of the text, and no markup in it', () => {
    const path = join(folder, 'text.srt');
    writeFileSync(path, writeSrt(transcript, presetRules.broadcast));
    const plain = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-c:s', 'copy', '-f', 'srt', '-'], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    expect(letters(plain)).toBe(letters(readFileSync(path, 'utf8')));
  });
});

describe.skipIf(!hasOffice)('documents read by LibreOffice (skipped where none is installed)', () => {
  it('has all paragraphs, in their order', async () => {
    const texts = [
      'Good morning, <b>you</b> & all.',
      'مرحبا بالعالم، كيف الحال؟',
      'これは「日本語」の文章です。',
      '👨‍👩‍👧‍👦 e\u0301 — “No”',
    ];
    const segments = texts.map((text, index): SpokenSegment => ({
      start: index * 60,
      end: index * 60 + 3,
      text,
      ...(index % 2 === 0 && { speaker: 'Anna' }),
    }));
    const spoken = transcriptOf(segments, { name: 'Talk & <more>' });
    writeFileSync(join(folder, 'talk.docx'), await writeDocx(spoken, true));
    execFileSync(
      'soffice',
      [
        `-env:UserInstallation=file://${folder}/office`,
        '--headless',
        '--convert-to',
        'txt:Text (encoded):UTF8',
        '--outdir',
        folder,
        join(folder, 'talk.docx'),
      ],
      { stdio: 'ignore' },
    );
    const lines = readFileSync(join(folder, 'talk.txt'), 'utf8')
      .replace(/^\uFEFF/u, '')
      .trim()
      .split(/\r?\n/u);
    expect(lines).toEqual([
      'Talk & <more>',
      ...paragraphsOf(spoken).map(
        ({ speaker, text }, index) => `${index}:00\t${speaker === null ? '' : `${speaker}: `}${text}`,
      ),
    ]);
  });
});
