/** Characters that may not be one column wide: marks and format characters, full-width scripts, astral planes. */
const special =
  /[\p{M}\p{Cf}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\u30fc\uff01-\uff60\uffe0-\uffe6\u{10000}-\u{10ffff}]/u;
const zeroWidth = /[\p{M}\p{Cf}]/u;
const fullWidth =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\u30fc\uff01-\uff60\uffe0-\uffe6]/u;

/** Whether each UTF-16 unit of a text is one column wide. */
export const isNarrow = (text: string): boolean => !special.test(text);

/**
 * Returns the width of a text: one column for each character, `columnsPerWideCharacter` for a full-width one, none for
 * combining marks and invisible format characters.
 */
export function columnsOf(text: string, columnsPerWideCharacter: number): number {
  if (isNarrow(text)) return text.length;
  let narrow = 0;
  let wide = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    if (fullWidth.test(character)) wide += 1;
    else narrow += 1;
  }
  return narrow + wide * columnsPerWideCharacter;
}
