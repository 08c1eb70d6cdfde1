// Line breaks and all other control characters, Unicode's own line and paragraph separators among them.
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const controls = /\p{Cc}/gu;
// White space and control characters that are not a single space already.
const untidySpace = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu;

/** Whatever may need tidying, and more; a text without it is left alone at once. */
const perhapsUntidy =
  /[^ -~\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\uffff]|  /;

const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u3000-\u303f\u30fc\uff01-\uff60`;
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u');
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');

/** Text on one line: each run of white space or control characters is one space, lone surrogates are replaced. */
export function oneLine(text: string): string {
  if (!perhapsUntidy.test(text)) return text.trim();
  return text.toWellFormed().replace(untidySpace, ' ').trim();
}

/** The lines of a text as they are, without empty ones and without control characters. */
export function linesOf(text: string): string[] {
  return text
    .toWellFormed()
    .split(lineBreak)
    .map((line) => line.replace(controls, ' ').trim())
    .filter((line) => line !== '');
}

/** Whether two texts that follow each other have a space between them: scripts such as Chinese or Thai have none. */
export function needsSpace(before: string, after: string): boolean {
  if (isSpaced(before.charCodeAt(before.length - 1)) && isSpaced(after.charCodeAt(0))) return true;
  return !(endsUnspaced.test(before) || startsUnspaced.test(after));
}

/** Whether a code unit is certain to be of a script that has spaces, or a quotation mark. Most texts are known by it. */
const isSpaced = (unit: number): boolean => unit < 0xe00 || (unit >= 0x2000 && unit < 0x2e80);

/** Joins texts that follow each other, with a space where their scripts have one. */
export function joinTexts(texts: readonly string[]): string {
  let joined = '';
  let before = '';
  for (const text of texts) {
    if (text === '') continue;
    joined += before !== '' && needsSpace(before, text) ? ` ${text}` : text;
    before = text;
  }
  return joined;
}

const firstLetter = /\p{L}/u;
const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;

/** Whether a text is read from right to left: whether its first letter is. */
export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(firstLetter.exec(text)?.[0] ?? '');
}

/** Segments that tell which way a transcript is read. */
const looked = 50;

/** Which way a transcript is read: as most of what it begins with. */
export function directionOf(segments: readonly { readonly text: string }[]): 'ltr' | 'rtl' {
  const beginning = segments.slice(0, looked);
  return beginning.filter(({ text }) => isRightToLeft(text)).length * 2 > beginning.length ? 'rtl' : 'ltr';
}
