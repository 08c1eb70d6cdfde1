import type { SpokenSegment } from '../content.ts';
import { newSegment } from '../../transcript/segment.ts';
import {
  BrokenFileError,
  contentFromSegments,
  linesIn,
  secondsOf,
  type ReadContent,
} from './read-content.ts';

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,:](\d{1,3})`;
const timeLine = new RegExp(String.raw`^\s*${time}\s*-+>\s*${time}(?:\s.*)?$`, 'u');
/** Text that is clearly meant as a time line, valid or not. */
const likeTimeLine = /^\s*\d+:\d.*-+>/u;

interface TimeLine {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads SubRip or WebVTT. Numbers, hours and empty lines may be missing, and cues may be out of order; comments, styles
 * and settings are skipped. A WebVTT voice becomes the speaker.
 *
 * @returns `null` if there is no cue with text
 * @throws BrokenFileError at an unreadable time line
 */
export function readSubtitles(content: string): ReadContent | null {
  const isVtt = /^\uFEFF?WEBVTT/u.test(content);
  const lines = linesIn(content);
  const times = lines.flatMap((line, index) => timeLineAt(line, index) ?? []);
  const segments = times.flatMap(({ index, start, end }, which) => {
    const block = lines.slice(index + 1, times[which + 1]?.index);
    const isLast = which === times.length - 1;
    const { text, speaker } = isVtt ? vttCue(block, isLast) : { text: srtText(block, isLast), speaker: null };
    if (text === '') return [];
    const segment: SpokenSegment = newSegment(start, Math.max(start, end), text);
    return speaker === null ? segment : { ...segment, speaker };
  });
  return contentFromSegments(segments);
}

function timeLineAt(line: string, index: number): TimeLine | null {
  const match = timeLine.exec(line);
  if (match !== null) {
    const [, ...parts] = match;
    return {
      index,
      start: secondsOf(parts[0], parts[1], parts[2], parts[3]),
      end: secondsOf(parts[4], parts[5], parts[6], parts[7]),
    };
  }
  if (likeTimeLine.test(line)) throw new BrokenFileError(index + 1);
  return null;
}

const joined = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

/** Returns everything up to the number of the next cue: some programs write empty lines inside a cue. */
function srtText(block: readonly string[], isLast: boolean): string {
  const hasNumber = !isLast && /^\s*\d+\s*$/u.test(block.at(-1) ?? '');
  return joined((hasNumber ? block.slice(0, -1) : block).map(plainSrt));
}

/** Returns a cue up to an empty line, which may be followed by notes, styles and the name of the next cue. */
function vttCue(
  block: readonly string[],
  isLast: boolean,
): { readonly text: string; readonly speaker: string | null } {
  const end = block.findIndex((line) => line.trim() === '');
  // Without an empty line, the number of the next cue is the last line.
  const hasNumber = end < 0 && !isLast && /^\s*\d+\s*$/u.test(block.at(-1) ?? '');
  const lines = block.slice(0, end < 0 ? block.length - (hasNumber ? 1 : 0) : end);
  const voice = /^\s*<v(?:\.[^\s>]*)?\s+([^>]+)>/u.exec(lines[0] ?? '');
  const speaker = plainVtt(voice?.[1] ?? '').trim();
  const [first = '', ...others] = lines;
  const text = joined([voice === null ? first : first.slice(voice[0].length), ...others].map(plainVtt));
  return { text, speaker: speaker === '' ? null : speaker };
}

/** Removes known markup, and the word joiners that keep other text from being read as markup. */
const plainSrt = (line: string): string =>
  line.replaceAll(/<\/?(?:[biu]|font(?:\s[^>]*)?)>|\{\\[^}]*\}/giu, '').replaceAll(/([<{]|--)\u2060/gu, '$1');

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Removes markup and decodes entities; a voice after the first becomes a label in the text. */
const plainVtt = (line: string): string =>
  line
    .replaceAll(/<v(?:\.[^\s>]*)?\s+([^>]+)>/gu, '$1: ')
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/giu, (whole, decimal, hex, name: string) => {
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return Number.isNaN(code) ? (entities[name] ?? whole) : characterOf(code);
    });

/** Returns the character of a code point, or U+FFFD if there is none, as in HTML. */
const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code).toWellFormed();
