import { isRightToLeft } from '../plain-text.ts';

/** Segments that tell which way a transcript is read. */
const looked = 50;

/** Which way a transcript is read: as most of what it begins with. */
export function directionOf(segments: readonly { readonly text: string }[]): 'ltr' | 'rtl' {
  const beginning = segments.slice(0, looked);
  return beginning.filter(({ text }) => isRightToLeft(text)).length * 2 > beginning.length ? 'rtl' : 'ltr';
}
