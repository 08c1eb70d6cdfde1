import { maxFindingLength } from '../../../contract/limits.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import type { WordRange } from '../words-in-text.ts';
import { mapperBetween } from '../edit/text-diff.ts';
import { doubledWords, type DoubledFinding } from './doubled-words.ts';
import { normalizePhrase, hallucinationIn, withoutRepeats } from './phrases.ts';
import type { NameIndex, Spelling, SpellingGroup } from './spellings.ts';
import { stretchedWord, unsureRanges, type StretchedWord } from './unsure-words.ts';

/** Faster than anyone speaks. */
const maxCharactersPerSecond = 25;
/** How much shorter a segment may be than its text takes to say: speech is cut slightly early or late between words. */
const maxMissingSeconds = 0.5;
/** A segment shorter than this cannot be seen. */
const minSeconds = 0.3;
/** How much shorter a segment below {@link minSeconds} may be than its text takes to say. */
const maxMissingSecondsOfShort = 0.1;
/** A sentence of this many words is suspicious if it is repeated once, a shorter one if it is repeated twice. */
const minSentenceWords = 6;
/** In another script, this many words in Latin letters are suspicious; fewer may be names. */
const minForeignWords = 4;
/** A farewell after this much silence, or spoken slower than this, is suspicious. */
const minFarewellGapSeconds = 2;
const minCharactersPerSecond = 2;
/** In a longer gap, words may be missing. */
const maxGapSeconds = 10;
/** If this share of segments is in one script, others are suspicious. */
const minScriptShare = 0.8;
/** The time that rounding may cut off: times are stored in milliseconds. */
const roundingSeconds = 0.001;
/** The overlap that rounding may cause. */
const maxOverlapSeconds = 0.01;

/** What is suspicious about a segment. */
export type SuspicionKind = 'repeated' | 'loop' | 'fast' | 'short' | 'overlap' | 'gap' | 'script' | 'closing';

/** A segment that is probably wrong, judged by text and times only. */
export interface SegmentFinding {
  /** Identifies the finding; changes only with the text of its segment. */
  readonly key: string;
  readonly kind: SuspicionKind;
  readonly segment: SegmentId;
  /** All of the segment is suspicious. */
  readonly range: null;
  /** How to fix it; `null` if only a person can. */
  readonly fix: Fix | null;
  /** Seconds or characters per second, for the message. */
  readonly amount: number;
}

/** A word that lasts far too long for its letters: words beside it are probably missing. */
export interface StretchedFinding extends Omit<SegmentFinding, 'kind'> {
  readonly kind: 'stretched';
  readonly text: string;
}

/** Words that the model was unsure of. They are accepted by an edit, not by their key, so they stay accepted. */
export interface UnsureFinding {
  readonly key: string;
  readonly kind: 'unsure';
  readonly segment: SegmentId;
  readonly range: WordRange;
  readonly text: string;
}

/** A name that is spelled in several ways, or like a known term. */
export interface SpellingFinding {
  /** Identifies the spellings, wherever they occur. */
  readonly key: string;
  readonly kind: 'spelling';
  /** Where the first of the less likely spellings occurs. */
  readonly segment: SegmentId;
  readonly range: WordRange;
  /** The most likely first. */
  readonly spellings: readonly Spelling[];
}

export type Finding = SegmentFinding | StretchedFinding | UnsureFinding | SpellingFinding | DoubledFinding;

/**
 * Returns the findings of segments as they are after edits: with the words at their current place, and without those whose
 * words were changed. The corrections of doubled words are for the text before, so they are left out where it was changed.
 */
export function inCurrentText(
  findings: readonly Finding[],
  before: readonly DraftSegment[],
  after: readonly DraftSegment[],
): readonly Finding[] {
  if (before === after) return findings;
  const ids = new Set(findings.flatMap(({ segment, range }) => (range === null ? [] : [segment])));
  const textsOf = (segments: readonly DraftSegment[]): ReadonlyMap<SegmentId, string> => {
    const texts = new Map<SegmentId, string>();
    for (const { id, text } of segments) if (ids.has(id)) texts.set(id, text);
    return texts;
  };
  const [textsBefore, textsAfter] = [textsOf(before), textsOf(after)];
  const mappers = new Map<SegmentId, (position: number) => number>();
  return findings.flatMap((finding) => {
    const { segment, range } = finding;
    const [from, to] = [textsBefore.get(segment), textsAfter.get(segment)];
    if (range === null || from === undefined || to === undefined || from === to) return [finding];
    // Each text is compared once, however many findings are in it.
    const mapPosition = mappers.get(segment) ?? mapperBetween(from, to);
    mappers.set(segment, mapPosition);
    const moved = { from: mapPosition(range.from), to: mapPosition(range.to) };
    const isUnchanged = to.slice(moved.from, moved.to) === from.slice(range.from, range.to);
    return isUnchanged && finding.kind !== 'doubled' ? [{ ...finding, range: moved }] : [];
  });
}

/** A correction that the review offers, as one edit. */
export interface Fix {
  readonly kind: 'delete' | 'merge' | 'retime' | 'shorten' | 'insert';
  readonly operation: EditOperation;
}

/** UTF-16 units that are read in one step. A segment counts as some in addition to its text. */
const maxStepLength = 25_000;
const segmentLength = 100;

/** Returns a function that says after which segments a step ends. */
function stepCounter(): (segment: DraftSegment) => boolean {
  let length = 0;
  return ({ text }) => {
    length += segmentLength + text.length;
    if (length < maxStepLength) return false;
    length = 0;
    return true;
  };
}

/**
 * Finds what is suspicious in a transcript, in short steps, so that a long text blocks nothing. Caches what it reads of
 * each segment. Returns the findings in the order of the text.
 *
 * @param names the words of this transcript that were already compared
 * @param language tag of its language, if it is known
 */
export function* reviewInSteps(
  segments: readonly DraftSegment[],
  names: NameIndex,
  language: string | null,
): Generator<undefined, readonly Finding[], undefined> {
  const endsReading = stepCounter();
  for (const segment of segments) {
    analyse(segment);
    names.read(segment);
    unsureWordFindings(segment);
    if (endsReading(segment)) yield;
  }
  const script = mainScript(segments);
  yield;
  const groups = yield* names.groups(segments);
  let nextGroup = 0;
  const findings: Finding[] = [];
  const endsStep = stepCounter();
  for (const [index, segment] of segments.entries()) {
    if (endsStep(segment)) yield;
    const before = segments[index - 1];
    const after = segments[index + 1];
    const previous = { before, beforeThat: segments[index - 2] };
    findings.push(...textFindings(segment, previous, script), ...timeFindings(segment, before, after));
    findings.push(...stretchedFindings(segment));
    for (let group = groups[nextGroup]; group?.index === index; group = groups[nextGroup]) {
      findings.push(spellingFinding(segment, group));
      nextGroup += 1;
    }
    // A text that repeats itself is one finding.
    if (analyse(segment).withoutRepeats === null) findings.push(...doubledWords(segment, before, language));
    findings.push(...unsureWordFindings(segment));
  }
  return findings;
}

function spellingFinding({ id }: DraftSegment, { spellings, range }: SpellingGroup): SpellingFinding {
  const texts = spellings.map(({ text }) => text).toSorted();
  const key = `spelling:${texts.join('/')}`.slice(0, maxFindingLength);
  return { key, kind: 'spelling', segment: id, range, spellings };
}

const unsureFindings = new WeakMap<DraftSegment, readonly UnsureFinding[]>();

function unsureWordFindings(segment: DraftSegment): readonly UnsureFinding[] {
  const cached = unsureFindings.get(segment);
  if (cached !== undefined) return cached;
  const { id } = segment;
  const findings = unsureRanges(segment).map(({ from, to, start }) => {
    const text = segment.text.slice(from, to);
    return {
      key: `unsure:${id}:${start}:${text}`.slice(0, maxFindingLength),
      kind: 'unsure',
      segment: id,
      range: { from, to },
      text,
    } as const;
  });
  unsureFindings.set(segment, findings);
  return findings;
}

/** Returns the finding about the word of a segment that lasts far too long, if there is one. */
function stretchedFindings(segment: DraftSegment): readonly StretchedFinding[] {
  const word = analyse(segment).stretchedWord;
  if (word === null) return [];
  const { id } = segment;
  const { text, start, seconds } = word;
  const key = `stretched:${id}:${start}:${text}`.slice(0, maxFindingLength);
  return [{ key, kind: 'stretched', segment: id, range: null, fix: null, amount: seconds, text }];
}

/** What the review needs to know of a segment's text and words. */
interface TextAnalysis {
  /** In lower case, without punctuation around it. */
  readonly phrase: string;
  /** The text without repetitions; `null` if there are none. */
  readonly withoutRepeats: string | null;
  readonly wordCount: number;
  readonly hallucination: 'credits' | 'farewell' | null;
  readonly script: ScriptName | null;
  /** In characters. */
  readonly length: number;
  readonly stretchedWord: StretchedWord | null;
}

const analyses = new WeakMap<DraftSegment, TextAnalysis>();

/** Returns the analysis of a segment's text from the cache, or analyses it. */
function analyse(segment: DraftSegment): TextAnalysis {
  const cached = analyses.get(segment);
  if (cached !== undefined) return cached;
  const { text } = segment;
  const phrase = normalizePhrase(text);
  const analysis = {
    phrase,
    wordCount: phrase === '' ? 0 : phrase.split(' ').length,
    withoutRepeats: withoutRepeats(text),
    hallucination: hallucinationIn(text),
    script: scriptOf(text),
    length: [...text.trim()].length,
    stretchedWord: stretchedWord(segment),
  };
  analyses.set(segment, analysis);
  return analysis;
}

/** Returns the script of most segments; `null` if they are not in one script. */
function mainScript(segments: readonly DraftSegment[]): ScriptName | null {
  const counts = new Map<ScriptName, number>();
  let total = 0;
  for (const segment of segments) {
    const { script } = analyse(segment);
    if (script === null) continue;
    total += 1;
    counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  for (const [script, count] of counts) if (count > 1 && count >= total * minScriptShare) return script;
  return null;
}

const keyOf = (kind: SuspicionKind, segment: DraftSegment): string =>
  `${kind}:${segment.id}:${segment.text.slice(0, 120)}`;

const deletion = ({ id }: DraftSegment): Fix => ({
  kind: 'delete',
  operation: { kind: 'delete', segments: [id] },
});

/** The two previous segments. */
interface PreviousSegments {
  readonly before: DraftSegment | undefined;
  readonly beforeThat: DraftSegment | undefined;
}

/** Whether a segment repeats the previous one more than people do. */
function isLoop(segment: DraftSegment, { before, beforeThat }: PreviousSegments): boolean {
  const { phrase, wordCount } = analyse(segment);
  const isSame = (other: DraftSegment | undefined): boolean =>
    other !== undefined && other.speaker === segment.speaker && analyse(other).phrase === phrase;
  return wordCount > 1 && isSame(before) && (wordCount >= minSentenceWords || isSame(beforeThat));
}

/** Whether a farewell is probably invented: it follows silence or is much longer than it takes to say. */
function isInventedFarewell({ start, end, text }: DraftSegment, before: DraftSegment | undefined): boolean {
  return (
    start - (before?.end ?? 0) >= minFarewellGapSeconds ||
    text.length < minCharactersPerSecond * (end - start)
  );
}

/** Whether a text is in another script than the transcript, and more than a name in Latin letters. */
const isForeign = ({ script, wordCount }: TextAnalysis, main: ScriptName | null): boolean =>
  main !== null && script !== null && script !== main && (script !== 'latin' || wordCount >= minForeignWords);

function textFindings(
  segment: DraftSegment,
  previous: PreviousSegments,
  script: ScriptName | null,
): readonly SegmentFinding[] {
  const analysis = analyse(segment);
  const findingOf = (kind: SuspicionKind, fix: Fix | null): SegmentFinding => ({
    key: keyOf(kind, segment),
    kind,
    segment: segment.id,
    range: null,
    fix,
    amount: 0,
  });
  // One finding per segment is enough.
  const { hallucination } = analysis;
  if (
    hallucination === 'credits' ||
    (hallucination === 'farewell' && isInventedFarewell(segment, previous.before))
  )
    return [findingOf('closing', deletion(segment))];
  if (isForeign(analysis, script)) return [findingOf('script', deletion(segment))];
  if (isLoop(segment, previous)) return [findingOf('loop', deletion(segment))];
  if (analysis.withoutRepeats !== null) {
    const operation = { kind: 'set-text', segment: segment.id, text: analysis.withoutRepeats } as const;
    return [findingOf('repeated', { kind: 'shorten', operation })];
  }
  return [];
}

function timeFindings(
  segment: DraftSegment,
  before: DraftSegment | undefined,
  after: DraftSegment | undefined,
): readonly SegmentFinding[] {
  const findings: SegmentFinding[] = [];
  const seconds = segment.end - segment.start;
  const gapSeconds = (after?.start ?? segment.end) - segment.end;
  if (before !== undefined && before.end - segment.start > maxOverlapSeconds) {
    findings.push({
      key: `overlap:${before.id}:${segment.id}`,
      kind: 'overlap',
      segment: segment.id,
      range: null,
      fix: {
        kind: 'retime',
        operation: {
          kind: 'move-boundary',
          segment: before.id,
          edge: 'end',
          toSeconds: Math.max(before.start, segment.start),
        },
      },
      amount: before.end - segment.start,
    });
  }
  if (before !== undefined && segment.start - before.end > maxGapSeconds) {
    findings.push({
      key: `gap:${before.id}:${segment.id}`,
      kind: 'gap',
      segment: segment.id,
      range: null,
      fix: {
        kind: 'insert',
        operation: { kind: 'insert', after: before.id, text: '', fillsGap: true },
      },
      amount: segment.start - before.end,
    });
  }
  const { length } = analyse(segment);
  if (length === 0) return findings;
  const neededSeconds = length / maxCharactersPerSecond;
  const isShort = minSeconds - seconds > roundingSeconds;
  if (isShort && neededSeconds - seconds > maxMissingSecondsOfShort) {
    findings.push({
      key: keyOf('short', segment),
      kind: 'short',
      segment: segment.id,
      range: null,
      fix:
        lengthen(segment, gapSeconds, Math.max(minSeconds, neededSeconds)) ??
        mergeWithNearer(segment, before, after),
      amount: seconds,
    });
  } else if (!isShort && neededSeconds - seconds > maxMissingSeconds) {
    findings.push({
      key: keyOf('fast', segment),
      kind: 'fast',
      segment: segment.id,
      range: null,
      fix: lengthen(segment, gapSeconds, neededSeconds) ?? mergeWithNearer(segment, before, after),
      amount: length / seconds,
    });
  }
  return findings;
}

/** Returns a fix that lengthens a segment into the gap after it; `null` if there is no room. */
function lengthen(segment: DraftSegment, gapSeconds: number, neededSeconds: number): Fix | null {
  const toSeconds = segment.start + neededSeconds;
  if (toSeconds - segment.end > gapSeconds) return null;
  // Slightly more, so that rounding does not leave it too short.
  const operation = {
    kind: 'move-boundary',
    segment: segment.id,
    edge: 'end',
    toSeconds: Math.min(segment.end + gapSeconds, toSeconds + 0.002),
  } as const;
  return { kind: 'retime', operation };
}

/** Returns a fix that merges a segment with its nearer neighbour. */
function mergeWithNearer(
  segment: DraftSegment,
  before: DraftSegment | undefined,
  after: DraftSegment | undefined,
): Fix | null {
  const toBefore = before === undefined ? Infinity : Math.abs(segment.start - before.end);
  const toAfter = after === undefined ? Infinity : Math.abs(after.start - segment.end);
  const first = toBefore < toAfter ? before : after === undefined ? undefined : segment;
  return first === undefined ? null : { kind: 'merge', operation: { kind: 'merge', segment: first.id } };
}

const scripts = {
  latin: /\p{Script=Latin}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  thai: /\p{Script=Thai}/gu,
  // Japanese mixes its own scripts with Chinese: they count as one.
  eastAsian: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu,
} as const;

type ScriptName = keyof typeof scripts;

const scriptNames = Object.keys(scripts) as readonly ScriptName[];
/** Fewer letters of a script are ignored. */
const minLetters = 3;

/** Returns the script of most letters of a text; `null` if there are too few. */
function scriptOf(text: string): ScriptName | null {
  let best: ScriptName | null = null;
  let maxLetters = minLetters - 1;
  for (const name of scriptNames) {
    const letters = text.match(scripts[name])?.length ?? 0;
    if (letters > maxLetters) {
      best = name;
      maxLetters = letters;
    }
  }
  return best;
}
