import type { Segment } from '../../contract/model/library.ts';

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,:](\d{1,3})`;
const timeLine = new RegExp(String.raw`^\s*${time}\s*-+>\s*${time}(?:\s.*)?$`, 'u');
const lineBreak = /\r\n|[\n\r\u2028\u2029]/u;

/**
 * Reads SubRip or WebVTT. Numbers, hours, empty lines and the right order may be missing; comments, styles and
 * settings are passed over. What is no cue is left out, so that a file of another kind has none.
 */
export function readSubtitles(content: string): Segment[] {
  const isVtt = /^\uFEFF?WEBVTT/u.test(content);
  const lines = content.replace(/^\uFEFF/u, '').split(lineBreak);
  const starts = lines.flatMap((line, index) => {
    const match = timeLine.exec(line);
    return match === null ? [] : [{ index, start: seconds(match, 1), end: seconds(match, 5) }];
  });
  return starts
    .flatMap(({ index, start, end }, which) => {
      const text = linesOfCue(lines, index + 1, starts[which + 1]?.index ?? lines.length)
        .map(isVtt ? plainVtt : plainSrt)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join('\n');
      return text === '' ? [] : [{ start, end: Math.max(start, end), text }];
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The lines up to the next cue, without its number or name; an empty line ends them unless text goes on after it. */
function linesOfCue(lines: readonly string[], from: number, to: number): readonly string[] {
  const block = lines.slice(from, to);
  const isLast = to === lines.length;
  const end = block.findIndex((line) => line.trim() === '');
  if (end < 0) {
    // No empty line before the next cue: its number stands on the last one.
    return !isLast && /^\s*\d+\s*$/u.test(block.at(-1) ?? '') ? block.slice(0, -1) : block;
  }
  return block.slice(0, end);
}

const seconds = (match: RegExpExecArray, at: number): number => {
  const [hours = '0', minutes = '0', whole = '0', part = '0'] = match.slice(at, at + 4);
  const milliseconds = Number(part.padEnd(3, '0'));
  return (Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(whole) * 1000 + milliseconds) / 1000;
};

/** Known markup is taken out, and the word joiner that keeps other text from being taken for it. */
const plainSrt = (line: string): string =>
  line.replaceAll(/<\/?(?:[biu]|font(?:\s[^>]*)?)>|\{\\[^}]*\}/giu, '').replaceAll(/([<{]|--)\u2060/gu, '$1');

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '\u200e',
  rlm: '\u200f',
};

const plainVtt = (line: string): string =>
  line
    .replaceAll(/<v(?:\.[^\s>]*)?\s+([^>]+)>/gu, '$1: ')
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/gu, (whole, name: string) => entities[name] ?? whole);
