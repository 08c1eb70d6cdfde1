/** Characters that are not simply one column wide: marks and format characters, full-width scripts, astral planes. */
const special =
  /[\p{M}\p{Cf}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\u30fc\uff01-\uff60\uffe0-\uffe6\u{10000}-\u{10ffff}]/u;
const zeroWidth = /[\p{M}\p{Cf}]/u;
const fullWidth =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\u30fc\uff01-\uff60\uffe0-\uffe6]/u;

/**
 * The room that text takes on a line: each character one column, a full-width one `wideColumns`, a combining mark or
 * an invisible format character none.
 */
export function columnsOf(text: string, wideColumns: number): number {
  if (!special.test(text)) return text.length;
  let narrow = 0;
  let wide = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    if (fullWidth.test(character)) wide += 1;
    else narrow += 1;
  }
  return narrow + wide * wideColumns;
}
