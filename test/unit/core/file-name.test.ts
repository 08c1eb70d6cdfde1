import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanFileName } from '../../../electron/core/file-name.ts';

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        '..',
        '/',
        '\\',
        ' ',
        '.',
        ':',
        'CON',
        'nul',
        'a',
        '\u{1f469}\u200d'.repeat(40),
        '\u202e',
        '\u0000',
        '👨‍👩‍👧‍👦',
        '\ud800',
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join('')),
);
const anySuffix = fc.tuple(fc.constantFrom('srt', 'json'), fc.nat({ max: 100_000 }));

describe('a cleaned file name', () => {
  it('is valid on every system, whatever was wanted', () => {
    fc.assert(
      fc.property(anyName, anySuffix, (wanted, [extension, number]) => {
        const suffix = number === 0 ? `.${extension}` : ` ${number}.${extension}`;
        const name = cleanFileName(wanted, suffix);
        expect(name.endsWith(suffix)).toBe(true);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
        expect(name).not.toMatch(/^[. ]/);
        expect(name.slice(0, -suffix.length)).not.toMatch(
          /^$|[. ]$|^(con(in\$|out\$)?|prn|aux|nul|com\d|lpt\d) *(\.|$)/i,
        );
        expect(name.isWellFormed()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is cut between characters, not inside one', () => {
    const family = '👨‍👩‍👧‍👦';
    const name = cleanFileName(family.repeat(50), '.srt');
    expect(name).toBe(`${family.repeat(10)}.srt`);
  });

  it.each([
    ['Interview 3', 'Interview 3.srt'],
    ['Zoë – “Day 1” (final)', 'Zoë – “Day 1” (final).srt'],
    ['a/b\\c:d', 'a-b-c-d.srt'],
    ['../../etc/passwd', '-..-etc-passwd.srt'],
    ['...', 'transcript.srt'],
    ['', 'transcript.srt'],
    ['CON', 'CON_.srt'],
    ['nul.tar', 'nul_.tar.srt'],
    ['aux .old', 'aux_ .old.srt'],
    ['console', 'console.srt'],
    ['CONIN$', 'CONIN$_.srt'],
    ['conout$ .old', 'conout$_ .old.srt'],
    // One character, which does not fit.
    [`con${'\u{1f469}\u200d'.repeat(60)}`, 'con_.srt'],
    ['invoice\u202egpj', 'invoicegpj.srt'],
    ['e\u0301', '\u00e9.srt'],
  ])('of %j is %j', (wanted, name) => {
    expect(cleanFileName(wanted, '.srt')).toBe(name);
  });
});
