import { describe, expect, it } from 'vitest';
import { normalizeText } from '../../../../electron/contract/unicode.ts';
import { indexedWords, tokensOf } from '../../../../electron/core/transcript/search-text.ts';

describe('the words of a text', () => {
  it.each([
    ['The Harbour, at 9:30!', 'the harbour at 9 30'],
    ['Réunion du café', 'reunion du cafe'],
    ['RE\u0301UNION', 'reunion'],
    ['Łódź, Straße, København, œuvre', 'lodz strasse kobenhavn oeuvre'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['Ελληνικός λόγος', 'ελληνικοσ λογοσ'],
    ['ещё мой', 'еще мой'],
    ['हिन्दी में', 'हिन्दी में'],
    ['が か', 'が か'],
    ['東京タワー', '東 京 タ ワ ー'],
    ['ภาษาไทย', 'ภ า ษ า ไ ท ย'],
    ['한국어 조금', '한국어 조금'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد أحمد', 'محمد احمد'],
    ['مدرسة إلى هدى', 'مدرسه الي هدي'],
    ['ﺔ ﻰ', 'ه ي'],
    ['کتابخانهٔ ملی خانۀ بہت', 'كتابخانه ملي خانه بهت'],
    ['ﾊﾞｽｹｯﾄﾎﾞｰﾙ', 'バ ス ケ ッ ト ボ ー ル'],
    ['ｆｕｌｌ ﬁne', 'full fine'],
    ['¼ cup', '1 4 cup'],
    ['signs upon a space ﱞ, a part of a character ⺀', 'signs upon a space a part of a character'],
  ])('%s', (text, plain) => {
    expect(indexedWords(text).plain).toBe(normalizeText(plain, 'NFC'));
  });

  it('keep their accented form', () => {
    expect(indexedWords('Le café, déjà vu à Łódź').accented).toBe('café déjà à łódź');
    expect(indexedWords('ещё שָׁלוֹם plain').accented).toBe('');
  });

  it('have their positions', () => {
    const text = '“Café” 東京 𝒳-ray';
    expect(tokensOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Café',
      '東',
      '京',
      '𝒳',
      'ray',
    ]);
  });
});
