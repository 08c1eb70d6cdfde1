import { maxLinks } from '../../../electron/contract/limits.ts';

/** What a drag over the window carries, as far as the system reveals it before the drop. */
export type DragContents =
  | {
      readonly kind: 'files';
      readonly audio: number;
      readonly video: number;
      /** Folders, and files of a kind that the system does not know. */
      readonly other: number;
    }
  | { readonly kind: 'text' };

/** Describes what a drag carries; `null` when nothing in it can be added. */
export function describeDrag(items: Iterable<Pick<DataTransferItem, 'kind' | 'type'>>): DragContents | null {
  let audio = 0;
  let video = 0;
  let other = 0;
  let text = false;
  for (const { kind, type } of items) {
    if (kind !== 'file') text ||= type === 'text/uri-list' || type === 'text/plain';
    else if (type.startsWith('audio/')) audio += 1;
    else if (type.startsWith('video/')) video += 1;
    else other += 1;
  }
  if (audio + video + other > 0) return { kind: 'files', audio, video, other };
  return text ? { kind: 'text' } : null;
}

/**
 * Returns the links in a text, one per line or with white space between them, without empty lines and the comments of a
 * `text/uri-list`. The main process decides which ones it accepts.
 */
export const linksIn = (text: string): readonly string[] =>
  text
    .replace(/[,;]?[ \t](https?:\/\/)/gi, '\n$1')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, maxLinks);

/** Whether a text is an HTTPS link, the only kind of link that can be added. */
export const isLink = (text: string): boolean => /^https:\/\/[^/]/i.test(text) && URL.canParse(text);

/** Whether a text contains something that looks like a link. */
export const looksLikeLinks = (text: string): boolean => /[a-z0-9]:\/\//i.test(text);
