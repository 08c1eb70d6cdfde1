import * as fc from 'fast-check';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { exportFormats, nameFields } from '../../../../../electron/contract/choices.ts';
import {
  pathBelowRoot,
  planExport,
  type PlanOptions,
} from '../../../../../electron/core/library/export/export-plan.ts';
import type { ExportMetadata } from '../../../../../electron/core/store/library/export-sources.ts';

const facts = (more: Partial<ExportMetadata>): ExportMetadata => ({
  id: 1,
  name: 'Interview.mp3',
  language: 'en',
  // Noon, which is on the same day in the time zones of test machines.
  createdAt: Date.UTC(2026, 10, 19, 12),
  recordingPath: '/season/Day 1/Interview.mp3',
  recordingFingerprint: null,
  isUntimed: false,
  ...more,
});
const wish: PlanOptions = { formats: ['srt'], template: '{name}', where: 'folder', folder: '/out' };

/** Returns the file names of an export. */
const names = (transcripts: readonly Partial<ExportMetadata>[], more: Partial<PlanOptions> = {}) =>
  planExport(transcripts.map(facts), { ...wish, ...more }).files.map((file) => pathBelowRoot(file));

/** Returns how often names are cut to plan a number of long ones, each twice. */
const planned = (count: number) => {
  const cuts = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  const long = Array.from({ length: count }, (_, at) => ({ name: `${'x'.repeat(248)}${at}` }));
  const written = names([...long, ...long]);
  expect(new Set(written).size).toBe(2 * count);
  expect(Math.max(...written.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(255);
  const { length } = cuts.mock.calls;
  cuts.mockRestore();
  return length;
};

it('files with nothing but highlights say so, however long their names are', () => {
  const long = { name: `${'x'.repeat(300)}.mp3` };
  const [one, same, other] = names([{}, {}, long], { highlightsOnly: true });
  expect([one, same]).toStrictEqual(['Interview highlights.srt', 'Interview highlights 2.srt']);
  expect(other).toMatch(/^x+ highlights\.srt$/);
});

describe('a name template', () => {
  it.each([
    ['{name}', 'Interview.srt'],
    ['{date} {name} ({language})', '2026-11-19 Interview (en).srt'],
    ['{folder} – {name}', 'Day 1 – Interview.srt'],
    ['{format}/{name}', 'srt/Interview.srt'],
    ['{name}.{format}', 'Interview.srt.srt'],
    ['{number} {name}', '1 Interview.srt'],
    ['{what} {name}', '{what} Interview.srt'],
    ['', 'Interview.srt'],
    [' / ', 'Interview.srt'],
    ['../{name}', 'transcript/Interview.srt'],
    ['/etc/{name}', 'etc/Interview.srt'],
    [String.raw`..\..\{name}`, 'transcript/transcript/Interview.srt'],
  ])('%j gives %j', (template, name) => {
    expect(names([{}], { template })).toEqual([join(...name.split('/'))]);
  });

  it('pads numbers to the digits of the last one', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: index + 1 }));
    const written = names(many, { template: '{number}' });
    expect([written[0], written[8], written[99]]).toEqual(['001.srt', '009.srt', '100.srt']);
  });

  it('never leads out of the folder, whatever the names, folders and templates', () => {
    const part = fc.constantFrom('..', '/', '\\', '.', ' ', 'a', 'CON', '\u202e', '\u0000', ':', '日本');
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    const template = fc
      .array(fc.oneof(part, fc.constantFrom(...nameFields.map((field) => `{${field}}`))), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, template, (name, folder, chosen) => {
        const [written = ''] = names([{ name, recordingPath: `/${folder}/a.mp3` }], { template: chosen });
        const way = relative('/out', join('/out', written));
        expect(way).toBe(written);
        expect(way.split(/[/\\]/)).not.toContain('..');
        expect(basename(way)).toMatch(/[^.]\.srt$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a plan', () => {
  it('has no two files of the same name, regardless of case', () => {
    expect(names([{ name: 'A.mp3' }, { name: 'a.wav' }, { name: 'a 2' }, { name: 'a' }])).toEqual([
      'A.srt',
      'a 2.srt',
      'a 2 2.srt',
      'a 3.srt',
    ]);
    const same = Array.from({ length: 500 }, () => ({ name: 'ß' }));
    expect(new Set(names(same).map((name) => name.toUpperCase())).size).toBe(500);
  });

  it('gives the plain name to the oldest of several transcripts, whatever their order', () => {
    const [newer, older] = [
      { id: 2, createdAt: 2_000 },
      { id: 1, createdAt: 1_000 },
    ];
    expect(names([newer, { name: 'Other' }, older])).toEqual([
      'Interview 2.srt',
      'Other.srt',
      'Interview.srt',
    ]);
  });

  it('tries few names for each file, even if names are equal only once they are cut', () => {
    // The square would be sixteen times as many.
    expect(planned(400)).toBeLessThan(8 * planned(100));
  });

  it('puts files next to their recordings, and lists transcripts without one', () => {
    const { files, withoutRecording } = planExport(
      [facts({}), facts({ id: 2, name: 'A link', recordingPath: null })],
      { ...wish, formats: exportFormats, where: 'beside' },
    );
    expect(new Set(files.map(({ root }) => root))).toEqual(new Set([dirname('/season/Day 1/x')]));
    expect(files).toHaveLength(exportFormats.length);
    expect(withoutRecording.map(({ id }) => id)).toEqual([2]);
  });

  it('is empty without a folder', () => {
    expect(names([{}], { folder: null })).toEqual([]);
  });
});
