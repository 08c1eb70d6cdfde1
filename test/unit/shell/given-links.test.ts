import { expect, it } from 'vitest';
import { maxLinks } from '../../../electron/contract/limits.ts';
import { givenLinks } from '../../../electron/shell/given-links.ts';

it('finds links as whole lines and between white space, and no part of one', () => {
  const text =
    'Listen: https://one.example/a.mp3\r\n\thttps://two.example/my talk.mp3 \nxhttps://three.example/a.mp3';
  expect([...givenLinks(text)]).toEqual([
    'https://one.example/a.mp3',
    'https://two.example/my talk.mp3',
    'https://two.example/my',
  ]);
});

it('keeps as many links of a text as one command can name', () => {
  const text = Array.from({ length: 2 * maxLinks }, (_, at) => `https://one.example/${at}`).join('\n');
  const links = givenLinks(text);
  expect(links.size).toBe(maxLinks);
  expect(links.has(`https://one.example/${maxLinks - 1}`)).toBe(true);
});
