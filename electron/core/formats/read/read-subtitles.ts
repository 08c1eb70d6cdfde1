import type { SpokenSegment } from '../content.ts';
import { speakersFromLabels } from '../speaker-label.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import { newSegment } from '../../transcript/segment.ts';
import { maxWords } from '../../transcript/word-times.ts';
import { BoundedList } from './bounded-list.ts';
import {
  BrokenFileError,
  contentFromSegments,
  joinLines,
  linesIn,
  secondsOf,
  withTimedParts,
  type ReadContent,
  type TimedPart,
} from './read-content.ts';

/** Colons separate the parts of a time; only a period or a comma makes the last one a fraction. */
const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})|:(\d{1,3}))?`;
const timingLine = new RegExp(String.raw`^\s*${time}\s*-+>\s*${time}(?:\s.*)?$`, 'u');
/** Text that is clearly meant as a timing line, valid or not. */
const looksLikeTimingLine = /^\s*\d+:\d.*->/u;

/** A time of a timing line. */
interface CueTime {
  readonly seconds: number;
  /** The fourth part, as written: frames, or a fraction of a second. */
  readonly frames: string | undefined;
}

/** A timing line, and the lines up to the next one. */
interface Cue {
  readonly start: CueTime;
  readonly end: CueTime;
  readonly block: string[];
}

/**
 * Reads SubRip or WebVTT. Numbers, hours and empty lines may be missing, and cues may be out of order; times with hours
 * may have frames or no fraction; comments, styles and settings are skipped. A WebVTT voice becomes the speaker; without
 * voices, labels that recur do.
 *
 * @returns `null` if there is no cue with text
 * @throws BrokenFileError at an unreadable timing line
 */
export function readSubtitles(content: string): ReadContent | null {
  const isVtt = /^\uFEFF?WEBVTT/u.test(content);
  const cues = new BoundedList<Cue>();
  for (const [index, line] of linesIn(content)) {
    const cue = cueAt(line, index);
    if (cue === null) cues.all.at(-1)?.block.push(line);
    else cues.add(cue);
  }
  const rate = frameRateOf(cues.all);
  const segmentOf = (cue: Cue, isLast: boolean): SpokenSegment | null => {
    const { block } = cue;
    const start = secondsAt(cue.start, rate);
    const end = Math.max(start, secondsAt(cue.end, rate));
    if (!isVtt) {
      const text = srtText(block, isLast);
      return text === '' ? null : newSegment(start, end, text);
    }
    const { text, speaker, parts } = vttCue(block, isLast);
    if (text === '') return null;
    const cueSegment = newSegment(start, end, text);
    const segment: SpokenSegment =
      parts.length < 2
        ? cueSegment
        : withTimedParts(
            cueSegment,
            parts.map((part) => ({ start, ...part })),
          );
    return speaker === null ? segment : { ...segment, speaker };
  };
  return contentFromSegments(cues, (all) =>
    speakersFromLabels(all.flatMap((cue, index) => segmentOf(cue, index === all.length - 1) ?? [])),
  );
}

/** Returns the cue that a timing line begins; `null` for any other line. @throws BrokenFileError */
function cueAt(line: string, index: number): Cue | null {
  const match = timingLine.exec(line);
  if (match !== null) {
    const [, ...parts] = match;
    return { block: [], start: cueTime(index, parts.slice(0, 5)), end: cueTime(index, parts.slice(5)) };
  }
  if (looksLikeTimingLine.test(line)) throw new BrokenFileError(index + 1);
  return null;
}

function cueTime(
  index: number,
  [hours, minutes, seconds, fraction, frames]: readonly (string | undefined)[],
): CueTime {
  // `00:01:75` would be minutes, seconds and hundredths, and `00:01` hours and minutes or minutes and seconds.
  const isAmbiguous = fraction === undefined && (hours === undefined || Number(seconds) > 59);
  if (isAmbiguous) throw new BrokenFileError(index + 1);
  return { seconds: secondsOf(index, hours, minutes, seconds, fraction), frames };
}

const frameRates = [25, 30, 50, 60];

/**
 * Guesses how many units of the fourth part of a time make a second, from all of a file: milliseconds if one has three
 * digits; else frames, at the lowest usual rate that has this many; hundredths if there are too many for any rate.
 */
function frameRateOf(cues: readonly Cue[]): number {
  let most = 0;
  for (const { frames = '' } of cues.flatMap(({ start, end }) => [start, end])) {
    if (frames.length === 3) return 1000;
    most = Math.max(most, Number(frames));
  }
  return frameRates.find((rate) => most < rate) ?? 100;
}

const secondsAt = ({ seconds, frames }: CueTime, rate: number): number =>
  roundToMilliseconds(seconds + Number(frames ?? 0) / rate);

/** Returns everything up to the number of the next cue: some programs write empty lines inside a cue. */
function srtText(block: readonly string[], isLast: boolean): string {
  const hasNumber = !isLast && /^\s*\d+\s*$/u.test(block.at(-1) ?? '');
  return joinLines((hasNumber ? block.slice(0, -1) : block).map(stripSrtMarkup));
}

/** Returns a cue up to an empty line, which may be followed by notes, styles and the name of the next cue. */
function vttCue(
  block: readonly string[],
  isLast: boolean,
): {
  readonly text: string;
  readonly speaker: string | null;
  /** The text in parts, each but the first with its time. */
  readonly parts: readonly (Pick<TimedPart, 'text'> & Partial<TimedPart>)[];
} {
  const end = block.findIndex((line) => line.trim() === '');
  // Without an empty line, the number of the next cue is the last line.
  const hasNumber = end < 0 && !isLast && /^\s*\d+\s*$/u.test(block.at(-1) ?? '');
  const lines = block.slice(0, end < 0 ? block.length - (hasNumber ? 1 : 0) : end);
  const [first = '', ...others] = lines;
  const voice = voiceAt(first.trimStart());
  const content = [voice?.rest ?? first, ...others];
  const text = joinLines(content.map(stripVttMarkup));
  const speaker = stripVttMarkup(voice?.name ?? '').trim();
  return { text, speaker: speaker === '' ? null : speaker, parts: vttParts(content.join('\n')) };
}

const timeTag = /<(?:(\d{1,6}):)?(\d{2}):(\d{2})\.(\d{3})>/gu;

/** Splits the text of a cue at the times within it, as in `Good <00:00:01.250>morning.` */
function vttParts(content: string): readonly (Pick<TimedPart, 'text'> & Partial<TimedPart>)[] {
  const tagList = new BoundedList<RegExpExecArray>(maxWords);
  for (const tag of content.matchAll(timeTag)) tagList.add(tag);
  const tags = tagList.all;
  const textUntil = (from: number, tag: RegExpExecArray | undefined): string =>
    stripVttMarkup(content.slice(from, tag?.index));
  return [
    { text: textUntil(0, tags[0]) },
    ...tags.map(({ 0: tag, 1: hours, 2: minutes, 3: seconds, 4: fraction, index }, at) => ({
      text: textUntil(index + tag.length, tags[at + 1]),
      start: Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(fraction) / 1000,
    })),
  ];
}

/** The inside of a voice tag: its classes, then the name. */
const voiceTag = /^v(?:\.\S*)?\s+(\S.*)$/su;

/** Returns the voice tag that a line begins with. */
function voiceAt(line: string): { readonly name: string; readonly rest: string } | null {
  const end = line.indexOf('>');
  if (!line.startsWith('<') || end < 0) return null;
  const name = voiceTag.exec(line.slice(1, end))?.[1];
  return name === undefined ? null : { name, rest: line.slice(end + 1) };
}

/**
 * Replaces markup in linear time; a regular expression would scan the rest of the line for each opening that is not
 * closed.
 *
 * @param replacement returns the replacement of markup from its content between `open` and `close`; `null` keeps it as text
 */
function replaceMarkup(
  line: string,
  [open, close]: readonly [string, string],
  replacement: (inside: string) => string | null,
): string {
  let replaced = '';
  let keptFrom = 0;
  let end = -1;
  for (let start = line.indexOf(open); start >= 0;) {
    if (end < start) end = line.indexOf(close, start);
    if (end < 0) break;
    const instead = replacement(line.slice(start + open.length, end));
    if (instead !== null) {
      replaced += line.slice(keptFrom, start) + instead;
      keptFrom = end + close.length;
    }
    start = line.indexOf(open, instead === null ? start + open.length : keptFrom);
  }
  return replaced + line.slice(keptFrom);
}

const srtTag = /^\/?(?:[biu]$|font(?:\s|$))/iu;

/** Removes known markup, and the word joiners that keep other text from being read as markup. */
function stripSrtMarkup(line: string): string {
  const withoutTags = replaceMarkup(line, ['<', '>'], (inside) => (srtTag.test(inside) ? '' : null));
  const withoutStyles = replaceMarkup(withoutTags, ['{\\', '}'], () => '');
  return withoutStyles.replaceAll(/([<{]|--)\u2060/gu, '$1');
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
]);

/** The inside of a tag that WebVTT defines: a time, or a name with classes; a voice and a language have a value. */
const vttTag =
  /^(?:(?:\d{1,6}:)?\d{2}:\d{2}\.\d{3}|(?:[cibu]|ruby|rt)(?:\.[^\s<]*)?\s*|(?:v|lang)(?:\.[^\s<]*)?(?:\s.*)?|\/(?:[cibuv]|ruby|rt|lang)\s*)$/isu;

/** Removes markup and decodes entities; a voice after the first becomes a label in the text. Other tags are text. */
const stripVttMarkup = (line: string): string =>
  replaceMarkup(line, ['<', '>'], (inside) => {
    if (!vttTag.test(inside)) return null;
    const name = voiceTag.exec(inside)?.[1];
    return name === undefined ? '' : `${name}: `;
  }).replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/giu, (whole, decimal, hex, name: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    return Number.isNaN(code) ? (entities.get(name) ?? whole) : characterOf(code);
  });

/** Returns the character of a code point, or U+FFFD if there is none, as in HTML. */
const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code).toWellFormed();
