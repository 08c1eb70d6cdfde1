import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termLimits } from '../../../../electron/contract/limits.ts';
import { jobOptionsSchema } from '../../../../electron/contract/options.ts';
import { readTermsFile } from '../../../../electron/core/library/import/read-terms-file.ts';
import { readTerms, formatTerms, splitTerms } from '../../../../electron/core/transcript/term-list.ts';
import { testFolder } from '../../../support/test-folder.ts';

it.each([
  ['one per line', 'Aisling Wetherby\r\nOkonkwo\n\n  Gdańsk  ', ['Aisling Wetherby', 'Okonkwo', 'Gdańsk']],
  ['with commas, semicolons and tabs', 'Mbeki, Themba;Quigley\tPBX', ['Mbeki', 'Themba', 'Quigley', 'PBX']],
  ['in other scripts', '東京、大阪\nطه،بغداد', ['東京', '大阪', 'طه', 'بغداد']],
  ['with a byte order mark and repeated entries', '\ufeffMbeki\nMbeki\nmbeki', ['Mbeki', 'mbeki']],
  ['with decomposed letters and several spaces', 'Zoe\u0308   Smith', ['Zoë Smith']],
  [
    'below headings',
    'Names: Anna Lindqvist, Karim\r\nStar Trek: Picard\nPlaces: Lagos; Riga: old town\n',
    ['Anna Lindqvist', 'Karim', 'Star Trek: Picard', 'Lagos', 'Riga: old town'],
  ],
  ['of nothing', ' \n,;\u0000', []],
])('reads a list %s', (_, text, terms) => {
  expect(readTerms(text)).toEqual({ terms, isShortened: false });
});

it.each([
  ['too many', Array.from({ length: 201 }, (_, i) => `t${i}`).join('\n'), 200],
  ['too long a one', `short\n${'x'.repeat(81)}\nlast`, 2],
  ['too many characters', Array.from({ length: 60 }, (_, i) => `${i}`.padEnd(80, 'x')).join('\n'), 50],
])('leaves out what is beyond the limits: %s', (_, text, count) => {
  const list = readTerms(text);
  expect([list.terms.length, list.isShortened]).toEqual([count, true]);
});

it('reads the beginning of a file of any length, whatever character is at its end', async () => {
  const folder = await testFolder();
  for (const shift of ['', 'x']) {
    const path = join(folder, `terms${shift}.txt`);
    await writeFile(path, `Zoë\nGdańsk\n${shift}${'é'.repeat(150_000)}`);
    expect(await readTermsFile(path)).toEqual({ terms: ['Zoë', 'Gdańsk'], isShortened: true });
  }
});

it('reads any text as a list that every service with extensions accepts, and that is written and read unchanged', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 * termLimits.total }),
    fc
      .array(fc.string({ maxLength: 2 * termLimits.length }), { maxLength: 300 })
      .map((all) => all.join('\n')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { terms } = readTerms(text);
      expect(jobOptionsSchema.shape.terms.safeParse(terms).success).toBe(true);
      expect(readTerms(formatTerms(terms))).toEqual({ terms, isShortened: false });
    }),
  );
});

it('a typed list of tags keeps what stands before a colon', () => {
  expect(splitTerms('Client: Acme, Urgent')).toEqual(['Client: Acme', 'Urgent']);
});
