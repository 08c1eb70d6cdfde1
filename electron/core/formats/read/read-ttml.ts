import type { SpokenSegment } from '../content.ts';
import { maxSegments } from '../../../contract/limits.ts';
import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import { newSegment } from '../../transcript/segment.ts';
import { BoundedList, TooLongError } from './bounded-list.ts';
import {
  BrokenFileError,
  contentFromSegments,
  joinLines,
  withTimedParts,
  type ReadContent,
  type TimedPart,
} from './read-content.ts';

/** An element as the parser returns it: one property with its children in order, and its attributes. */
type XmlNode = Readonly<Record<string, unknown>>;

const attributesKey = ':@';
const textKey = '#text';
/** What text is in; the text between two spans is a span of its own. */
const contentNames: ReadonlySet<string> = new Set(['p', 'span', textKey]);

/** The units of a document's times. */
interface Rates {
  readonly framesPerSecond: number;
  readonly ticksPerSecond: number;
}

/** When text is shown, in seconds; the end may be infinite. */
interface Times {
  readonly start: number;
  readonly end: number;
}

/** A piece of the text, in the order of the document. */
interface Piece {
  /** White space and line breaks as {@link textOf} returns them. */
  text: string;
  readonly speaker: string | null;
  /** The outermost element of its text. */
  readonly paragraph: XmlNode;
  /** `null` for text beside timed elements. */
  readonly times: Times | null;
  /** The times of the elements around it, if any has some. */
  readonly bounds: Times | null;
  /** The parts with times of their own of a paragraph that stays until its end. */
  readonly parts: readonly TimedPart[] | null;
}

/** A piece that becomes a segment. */
interface TimedPiece extends Piece {
  readonly times: Times;
}

/**
 * Reads Timed Text (TTML, DFXP and IMSC): every element with times, its own or those of an element around it,
 * becomes a segment, with its line breaks; agents become speakers. Text between timed elements is a segment of the time
 * between them, or joins the segment before it. Styles and regions are skipped.
 *
 * @returns `null` if there is no text with times, if a time is invalid, or if it is another kind of XML
 * @throws BrokenFileError if it is not XML, or nested too deep
 * @throws TooLongError if it has more elements than a transcript can have
 */
export async function readTtml(content: string): Promise<ReadContent | null> {
  // Loaded on demand: such files are rare.
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  const xml = content.replace(/^\uFEFF/u, '');
  assertFewTags(xml);
  const validity = XMLValidator.validate(xml);
  if (validity !== true) throw new BrokenFileError(validity.err.line);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // Numeric character references.
    htmlEntities: true,
  });
  const tt = childrenOf({ root: parseXml(parser, xml) }).find((node) => nameOf(node) === 'tt');
  if (tt === undefined) return null;
  const attributes = attributesOf(tt);
  const framesPerSecond = Number(attributes['frameRate'] ?? 30) || 30;
  const rates: Rates = {
    framesPerSecond,
    ticksPerSecond: Number(attributes['tickRate'] ?? framesPerSecond) || 1,
  };
  const agents = agentsIn(tt);
  const timed = findTimed(tt);
  const pieces: Piece[] = [];
  /**
   * @param isTimed whether an element around the node has times
   * @param paragraph the outermost element with text around the node
   */
  const collect = (
    node: XmlNode,
    from: number,
    until: number,
    isTimed: boolean,
    inherited: string | null,
    paragraph: XmlNode | null,
  ): void => {
    const { begin, end, dur, agent } = attributesOf(node);
    const speaker = (agent === undefined ? undefined : agents.get(agent)) ?? inherited;
    const start = begin === undefined ? from : from + secondsAt(begin, rates);
    const latestEnd = Math.min(
      end === undefined ? until : from + secondsAt(end, rates),
      dur === undefined ? until : start + secondsAt(dur, rates),
    );
    const hasTimes = begin !== undefined || end !== undefined || dur !== undefined;
    const isPaintedOn = nameOf(node) === 'p' && hasTimes && hasTimedWords(node, timed);
    const isLeaf = isPaintedOn || !childrenOf(node).some((child) => timed.has(child));
    const hasText = contentNames.has(nameOf(node));
    if (isLeaf && (hasText || (nameOf(node) === 'br' && paragraph !== null))) {
      const text = textOf(node);
      const isInGap = paragraph !== null && !hasTimes;
      const last = pieces.at(-1);
      if (isInGap && last?.paragraph === paragraph && !hasWords(text)) last.text += text;
      else if (text.trim() !== '' && (hasTimes || isTimed || isInGap))
        pieces.push({
          text,
          speaker,
          paragraph: paragraph ?? node,
          times: isInGap ? null : { start, end: latestEnd },
          bounds: hasTimes || isTimed ? { start, end: latestEnd } : null,
          parts: isPaintedOn ? partsOf(node, start) : null,
        });
    } else {
      const outermost = paragraph ?? (hasText ? node : null);
      for (const child of childrenOf(node))
        if (hasText || nameOf(child) !== textKey)
          collect(child, start, latestEnd, hasTimes || isTimed, speaker, outermost);
    }
  };
  /** Returns the parts of a paragraph with their times; a part without one has that of the part before it. */
  const partsOf = (paragraph: XmlNode, from: number): readonly TimedPart[] => {
    let start = from;
    return childrenOf(paragraph).map((child) => {
      const { begin } = attributesOf(child);
      if (begin !== undefined) start = from + secondsAt(begin, rates);
      return { text: textOf(child), start };
    });
  };
  const body = childrenOf(tt).find((node) => nameOf(node) === 'body');
  if (body !== undefined) collect(body, 0, Infinity, false, null, null);
  return contentFromSegments(
    timedPieces(pieces),
    (all) => all.map(toSegment),
    attributes['lang']?.trim() || null,
  );
}

/** Gives the text between timed elements the time between them. Where there is none, it joins the text before it. */
function timedPieces(pieces: readonly Piece[]): BoundedList<TimedPiece> {
  const nextStarts: (number | null)[] = [];
  for (const [index, { paragraph }] of [...pieces.entries()].toReversed()) {
    const next = pieces[index + 1];
    nextStarts[index] =
      next?.paragraph === paragraph ? (next.times?.start ?? nextStarts[index + 1] ?? null) : null;
  }
  const all = new BoundedList<TimedPiece>();
  let last: TimedPiece | null = null;
  /** Text at the start of a paragraph that joins the text after it. */
  let prefix = '';
  for (const [index, piece] of pieces.entries()) {
    if (last?.paragraph !== piece.paragraph) last = null;
    if (pieces[index - 1]?.paragraph !== piece.paragraph) prefix = '';
    const nextStart = nextStarts[index] ?? null;
    const times: Times | null = piece.times ?? gapFor(piece, last, nextStart);
    if (times !== null) {
      last = { ...piece, text: prefix + piece.text, times };
      prefix = '';
      all.add(last);
    } else if (last === null) prefix += piece.text;
    else last.text += piece.text;
  }
  return all;
}

/** Returns the time of text between timed elements: `null` if there is none, or it has no words. */
function gapFor({ text, bounds }: Piece, last: TimedPiece | null, nextStart: number | null): Times | null {
  // The timed elements beside it are empty.
  if (last === null && nextStart === null) return bounds;
  const start = last === null ? bounds?.start : endOf(last.times);
  const end = nextStart ?? bounds?.end;
  if (start === undefined || end === undefined || !Number.isFinite(end)) return null;
  return start < end && hasWords(text) ? { start, end } : null;
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns when text disappears; without an end, after a second. */
const endOf = ({ start, end }: Times): number => (Number.isFinite(end) ? Math.max(start, end) : start + 1);

function toSegment({ text, times, parts, speaker }: TimedPiece): SpokenSegment {
  const segment = newSegment(
    roundToMilliseconds(times.start),
    roundToMilliseconds(endOf(times)),
    joinLines(text.split('\n')),
  );
  const timedSegment = parts === null ? segment : withTimedParts(segment, parts);
  return speaker === null ? timedSegment : { ...timedSegment, speaker };
}

/** The maximum number of tags. The parser keeps all elements, each of which takes many times its length. */
const maxTags = 4 * maxSegments;

/** @throws TooLongError */
function assertFewTags(xml: string): void {
  let count = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1))
    if ((count += 1) > maxTags) throw new TooLongError();
}

/** @throws BrokenFileError if it is nested too deep. */
function parseXml(parser: { parse(xml: string): unknown }, xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    throw new BrokenFileError(1);
  }
}

const nameOf = (node: XmlNode): string => Object.keys(node).find((key) => key !== attributesKey) ?? '';

function childrenOf(node: XmlNode): readonly XmlNode[] {
  const children = node[nameOf(node)];
  return Array.isArray(children) ? (children as readonly XmlNode[]) : [];
}

const attributesOf = (node: XmlNode): Readonly<Record<string, string | undefined>> =>
  (node[attributesKey] ?? {}) as Readonly<Record<string, string | undefined>>;

/** Returns the elements that have times, or contain one that has: each is visited once, however deep it is. */
function findTimed(root: XmlNode): ReadonlySet<XmlNode> {
  const timed = new Set<XmlNode>();
  const visit = (node: XmlNode): boolean => {
    const { begin, end, dur } = attributesOf(node);
    const containsTimed = childrenOf(node).map(visit).includes(true);
    const isTimed = containsTimed || begin !== undefined || end !== undefined || dur !== undefined;
    if (isTimed) timed.add(node);
    return isTimed;
  };
  visit(root);
  return timed;
}

/** Whether words of a paragraph appear when they are spoken, and all of its text stays until its end. */
function hasTimedWords(paragraph: XmlNode, timed: ReadonlySet<XmlNode>): boolean {
  const children = childrenOf(paragraph);
  const stays = (node: XmlNode): boolean => {
    const { end, dur } = attributesOf(node);
    return end === undefined && dur === undefined && !childrenOf(node).some((child) => timed.has(child));
  };
  return children.every(stays) && children.some((node) => attributesOf(node)['begin'] !== undefined);
}

/** Returns the text of an element: white space becomes one space, as in XML, and `<br/>` a line break. */
function textOf(node: XmlNode): string {
  const name = nameOf(node);
  if (name === textKey) return String(node[textKey]).replaceAll(/[ \t\r\n]+/gu, ' ');
  if (name === 'br') return '\n';
  return name === 'metadata' ? '' : childrenOf(node).map(textOf).join('');
}

/** Returns the names of the agents by ID. */
function agentsIn(node: XmlNode): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  const visit = (one: XmlNode): void => {
    const { id } = attributesOf(one);
    if (nameOf(one) === 'agent' && id !== undefined) {
      const name = childrenOf(one).find((child) => nameOf(child) === 'name');
      const text = name === undefined ? '' : textOf(name).trim();
      if (text !== '') agents.set(id, text);
    } else if (nameOf(one) !== 'body') for (const child of childrenOf(one)) visit(child);
  };
  visit(node);
  return agents;
}

const clockTime = /^(\d+):(\d{2}):(\d{2})(?:(\.\d+)|:(\d+)(?:\.\d+)?)?$/u;
const offsetTime = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/u;

/** Converts a time expression to seconds; an unreadable one is 0. */
function secondsAt(expression: string, { framesPerSecond, ticksPerSecond }: Rates): number {
  const clock = clockTime.exec(expression.trim());
  if (clock !== null) {
    const [, hours, minutes, seconds, fraction, frames] = clock;
    const wholeSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return wholeSeconds + Number(fraction ?? 0) + Number(frames ?? 0) / framesPerSecond;
  }
  const [, value = '0', unit = 's'] = offsetTime.exec(expression.trim()) ?? [];
  const units = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / framesPerSecond, t: 1 / ticksPerSecond };
  return Number(value) * units[unit as keyof typeof units];
}
