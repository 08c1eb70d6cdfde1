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

/**
 * Reads Timed Text (TTML, DFXP and IMSC): every element with times, its own or those of an element around it,
 * becomes a segment, with its line breaks; agents become speakers. Styles and regions are skipped.
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
  const segments = new BoundedList<SpokenSegment>();
  /** @param isTimed whether an element around the node has times */
  const collect = (
    node: XmlNode,
    from: number,
    until: number,
    isTimed: boolean,
    inherited: string | null,
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
    if (contentNames.has(nameOf(node)) && isLeaf && (hasTimes || isTimed)) {
      const text = joinLines(textOf(node).split('\n'));
      if (text === '') return;
      const end = Number.isFinite(latestEnd) ? Math.max(start, latestEnd) : start + 1;
      const timedSegment = newSegment(roundToMilliseconds(start), roundToMilliseconds(end), text);
      const segment = isPaintedOn ? withTimedParts(timedSegment, partsOf(node, start)) : timedSegment;
      segments.add(speaker === null ? segment : { ...segment, speaker });
    } else {
      const hasText = contentNames.has(nameOf(node));
      for (const child of childrenOf(node))
        if (hasText || nameOf(child) !== textKey)
          collect(child, start, latestEnd, hasTimes || isTimed, speaker);
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
  if (body !== undefined) collect(body, 0, Infinity, false, null);
  return contentFromSegments(segments, (all) => all, attributes['lang']?.trim() || null);
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
