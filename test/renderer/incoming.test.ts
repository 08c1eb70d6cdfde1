import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDrag, linksIn, looksLikeLinks } from '../../renderer/features/add/incoming.ts';

describe('the contents of a drag', () => {
  test('files are counted by kind; an unknown kind may be a folder', () => {
    const items = [
      { kind: 'file', type: 'audio/mpeg' },
      { kind: 'file', type: 'audio/x-wav' },
      { kind: 'file', type: 'video/mp4' },
      { kind: 'file', type: '' },
    ];
    expect(describeDrag(items)).toStrictEqual({ kind: 'files', audio: 2, video: 1, other: 1 });
  });

  test('a link is carried as text', () => {
    expect(describeDrag([{ kind: 'string', type: 'text/uri-list' }])).toStrictEqual({ kind: 'text' });
  });

  test('anything else is ignored', () => {
    expect(describeDrag([{ kind: 'string', type: 'application/x-color' }])).toBeNull();
    expect(describeDrag([])).toBeNull();
  });
});

describe('links in a text', () => {
  test('are found one per line, without comments and empty lines', () => {
    expect(linksIn('# list\r\nhttps://a.example/1.mp3\r\n\r\n  https://a.example/2.mp3  \n')).toStrictEqual([
      'https://a.example/1.mp3',
      'https://a.example/2.mp3',
    ]);
  });

  test.each([
    'https://a.example/1.mp3 https://a.example/2 b.mp3',
    'https://a.example/1.mp3, https://a.example/2 b.mp3',
  ])('are found on one line: %s', (line) => {
    expect(linksIn(line)).toStrictEqual(['https://a.example/1.mp3', 'https://a.example/2 b.mp3']);
  });

  test('are never more than the contract allows, and never empty', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 200 }), (lines) => {
        const links = linksIn(lines.join('\n'));
        expect(links.length).toBeLessThanOrEqual(10_000);
        expect(links.every((link) => link !== '' && link === link.trim())).toBe(true);
      }),
    );
  });

  test.each([
    ['https://media.example.org/a.mp3', true],
    ['Listen: https://media.example.org/a.mp3', true],
    ['Dear Anna, thank you for the bread', false],
    ['a: b // c', false],
  ])('%j looks like links: %s', (text, expected) => {
    expect(looksLikeLinks(text)).toBe(expected);
  });
});
