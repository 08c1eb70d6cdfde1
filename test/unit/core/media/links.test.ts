import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLink, recordingName, splitRecordings } from '../../../../electron/core/media/links.ts';

const folder = resolve('/music');

describe('recordings of a start', () => {
  it('are paths in the folder of the start, or links', () => {
    const link = 'https://example.org/b.mp3';
    expect(splitRecordings(['a.mp3', link, '/c.mp3'], folder)).toEqual({
      paths: [resolve(folder, 'a.mp3'), resolve('/c.mp3')],
      links: [link],
    });
  });

  it('are the files that the links of a file manager name', () => {
    const path = fc
      .array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1 })
      .map((names) => resolve(folder, ...names))
      .filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(path, (one) => {
        expect(splitRecordings([pathToFileURL(one).href], folder)).toEqual({ paths: [one], links: [] });
      }),
    );
  });

  it.each(['file://server/share/a.mp3', 'file:///a%2fb.mp3', 'file:///%ff%', 'file://'])(
    'are refused later when a link names no file here: %s',
    (link) => {
      const { paths, links } = splitRecordings([link], folder);
      // A lone scheme names the root folder.
      expect(links.length === 1 || paths.every((path) => path === resolve('/'))).toBe(true);
    },
  );
});

describe('the name of a link', () => {
  it.each([
    ['https://example.org/a%0Ab%00.mp3', 'a b .mp3'],
    ['https://example.org/cod%E2%80%AE3pm.exe', 'cod 3pm.exe'],
    ['https://example.org/%0A', 'example.org'],
    ['https://example.org/na%C3%AFve%20talk.mp3', 'naïve talk.mp3'],
  ])('of %s is one line that can be shown', (link, name) => {
    expect(parseLink(link)).toMatchObject({ ok: true, name });
    expect(recordingName(link)).toBe(name);
  });
});
