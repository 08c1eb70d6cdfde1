import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presetRules } from '../../electron/contract/subtitle-rules.ts';
import type { SpokenSegment } from '../../electron/core/formats/content.ts';
import { writeDocx } from '../../electron/core/formats/write/docx.ts';
import { paragraphsOf } from '../../electron/core/formats/write/paragraphs.ts';
import { writeSrt } from '../../electron/core/formats/write/srt.ts';
import { cuesOf } from '../../electron/core/formats/layout/subtitles.ts';
import { timeCode } from '../../electron/core/formats/time-code.ts';
import { writeTtml } from '../../electron/core/formats/write/ttml.ts';
import { writeVtt } from '../../electron/core/formats/write/vtt.ts';
import { newSegment, withWords } from '../../electron/core/transcript/segment.ts';
import { wordsOrEstimates } from '../../electron/core/transcript/word-edits.ts';
import { anySegments, letters, spokenSegments, transcriptOf } from '../unit/core/formats/transcripts.ts';

/** Exported files opened by common programs. */

const isInstalled = (program: string, ...options: readonly string[]): boolean =>
  spawnSync(program, options).status === 0;
const hasFfmpeg = isInstalled('ffmpeg', '-version');
const hasPython = isInstalled('python3', '-c', 'import xml.etree.ElementTree');
const hasOffice = isInstalled('soffice', '--version');

const folder = mkdtempSync(join(tmpdir(), 'longhand-exported-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Segments of arbitrary text within a day, by their starts. */
const samples = fc.sample(anySegments, { numRuns: 400, seed: 7 }).flat();
const inOrder = samples.toSorted((a, b) => a.start - b.start);
const silenceSeconds = 200_000;
const transcript = transcriptOf([
  ...inOrder,
  // After a long silence, speech with the times of its words.
  ...fc
    .sample(spokenSegments, { numRuns: 20, seed: 7 })
    .flat()
    .map(({ start, end, text }, index) => {
      const from = silenceSeconds + index * 200;
      const segment = newSegment(from + start, from + end, text);
      return withWords(segment, wordsOrEstimates(segment));
    })
    .toSorted((a, b) => a.start - b.start),
]);

describe.skipIf(!hasFfmpeg)('subtitles read by ffmpeg (skipped when it is not installed)', () => {
  it.each([
    ['srt', writeSrt],
    ['vtt', (content, layout) => writeVtt(content, layout, true)],
  ] as const satisfies readonly (readonly [string, typeof writeVtt])[])(
    '%s: as many cues, with the same times, and all of them decoded',
    (type, write) => {
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
    },
  );

  it('srt: has all text and no markup', () => {
    const path = join(folder, 'text.srt');
    writeFileSync(path, writeSrt(transcript, presetRules.broadcast));
    const plain = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-c:s', 'copy', '-f', 'srt', '-'], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    expect(letters(plain)).toBe(letters(readFileSync(path, 'utf8')));
  });
});

/** Prints the elements of an XML file in order: depth, qualified name, attributes, text. */
const elementsInPython = `
import json, sys, xml.etree.ElementTree as tree
def walk(element, depth):
    yield [depth, element.tag, element.attrib, "".join(element.itertext())]
    for one in element:
        yield from walk(one, depth + 1)
print(json.dumps(list(walk(tree.parse(sys.argv[1]).getroot(), 0))))
`;

/** The allowed children and attributes of Timed Text 1 elements (the used part of its schema). */
const timedText: Readonly<Record<string, { readonly in: string | null; readonly has: readonly string[] }>> = {
  '{http://www.w3.org/ns/ttml}tt': { in: null, has: ['xml:lang'] },
  '{http://www.w3.org/ns/ttml}head': { in: 'tt', has: [] },
  '{http://www.w3.org/ns/ttml}metadata': { in: 'head', has: [] },
  '{http://www.w3.org/ns/ttml#metadata}title': { in: 'metadata', has: [] },
  '{http://www.w3.org/ns/ttml#metadata}agent': { in: 'metadata', has: ['xml:id', 'type'] },
  '{http://www.w3.org/ns/ttml#metadata}name': { in: 'agent', has: ['type'] },
  '{http://www.w3.org/ns/ttml}body': { in: 'tt', has: [] },
  '{http://www.w3.org/ns/ttml}div': { in: 'body', has: [] },
  '{http://www.w3.org/ns/ttml}p': { in: 'div', has: ['begin', 'end', 'ttm:agent'] },
  '{http://www.w3.org/ns/ttml}br': { in: 'p', has: [] },
  '{http://www.w3.org/ns/ttml}span': { in: 'p', has: ['begin'] },
};
const localName = (name: string): string => name.replace(/^\{.*\}/, '');
const qualified = (name: string): string =>
  name
    .replace('{http://www.w3.org/XML/1998/namespace}', 'xml:')
    .replace('{http://www.w3.org/ns/ttml#metadata}', 'ttm:');

describe.skipIf(!hasPython)(
  'timed text read by the XML parser of Python (skipped when it is not installed)',
  () => {
    const speakers = ['Anna', 'Ben & <Co>', undefined];
    const spoken = transcriptOf(
      transcript.segments.map((segment, index) => ({ ...segment, speaker: speakers[index % 3] })),
      { name: 'Talk & <more> "today"' },
    );
    type Element = readonly [
      depth: number,
      name: string,
      attributes: Readonly<Record<string, string>>,
      text: string,
    ];
    let elements: readonly Element[] = [];

    beforeAll(() => {
      const path = join(folder, 'any.ttml');
      writeFileSync(path, writeTtml(spoken, presetRules.broadcast, true));
      const printed = execFileSync('python3', ['-c', elementsInPython, path], {
        encoding: 'utf8',
        maxBuffer: 1e9,
      });
      elements = JSON.parse(printed) as readonly Element[];
    });

    it('has only elements and attributes that the schema allows there', () => {
      const above: string[] = [];
      for (const [depth, name, attributes] of elements) {
        const rule = timedText[name];
        expect(rule?.in).toBe(depth === 0 ? null : above[depth - 1]);
        expect(rule?.has).toEqual(expect.arrayContaining(Object.keys(attributes).map(qualified)));
        above[depth] = localName(name);
      }
      const children = elements.filter(([depth]) => depth === 1).map(([, name]) => localName(name));
      expect(children).toEqual(['head', 'body']);
    });

    it('declares each speaker once, and no others', () => {
      const ids = elements.flatMap(([, name, { '{http://www.w3.org/XML/1998/namespace}id': id }]) =>
        name.endsWith('}agent') && id !== undefined ? [id] : [],
      );
      const named = elements.filter(([, name]) => name.endsWith('}name')).map(([, , , text]) => text);
      const referenced = elements.flatMap(
        ([, , { '{http://www.w3.org/ns/ttml#metadata}agent': agent }]) => agent ?? [],
      );
      expect(named.toSorted()).toEqual(['Anna', 'Ben & <Co>']);
      expect(new Set(referenced)).toEqual(new Set(ids));
    });

    it('has each cue with its times, its text and its lines', () => {
      const paragraphs = elements.filter(([, name]) => name.endsWith('}p'));
      const cues = cuesOf(spoken, presetRules.broadcast);
      expect(paragraphs.map(([, , { begin, end }]) => [begin, end])).toEqual(
        cues.map(({ startMs, endMs }) => [timeCode(startMs, '.'), timeCode(endMs, '.')]),
      );
      expect(paragraphs.map(([, , , text]) => text)).toEqual(
        cues.map(({ lines }) => lines.join('').replace(/[\ufffe\uffff]/g, '\ufffd')),
      );
      expect(elements.filter(([, name]) => name.endsWith('}span')).length).toBeGreaterThan(1000);
      const breaks = elements.filter(([, name]) => name.endsWith('}br')).length;
      expect(breaks).toBe(cues.reduce((sum, { lines }) => sum + lines.length - 1, 0));
    });
  },
);

describe.skipIf(!hasOffice)('documents read by LibreOffice (skipped when it is not installed)', () => {
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
    writeFileSync(join(folder, 'talk.docx'), await writeDocx(spoken, { times: true }));
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
