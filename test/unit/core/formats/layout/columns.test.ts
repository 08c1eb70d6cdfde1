import { expect, it } from 'vitest';
import { columnsOf, isNarrow } from '../../../../../electron/core/formats/layout/columns.ts';

it.each([
  ['', 0],
  ['net, né', 7],
  ['ne\u0301\u200bt', 3],
  ['日本', 5],
  ['한 かカー。Ａ', 16],
  ['a😀b', 3],
  ['日e\u0301x', 4.5],
  ['￥', 2.5],
])('%j is %f columns wide', (text, columns) => {
  expect(columnsOf(text, 2.5)).toBe(columns);
});

it('knows the texts of which each unit is one column wide', () => {
  expect(['net', 'né', 'Ω–“', 'e\u0301', 'a\u200bb', '日', 'ー', '。', 'Ａ', '😀'].map(isNarrow)).toEqual([
    true,
    true,
    true,
    ...Array.from({ length: 7 }, () => false),
  ]);
});
