import type { Segment } from '../../../../electron/contract/model/library.ts';
import { clock } from '../../../ui/format.ts';

/** A segment to be quoted: its words, who said them, in which recording and when. */
export function quoteOf({ text, start }: Segment, speaker: string | null, recording: string): string {
  const source = [speaker, recording, clock(start)].filter((part) => part !== null).join(', ');
  return `“${text.trim()}” (${source})`;
}
