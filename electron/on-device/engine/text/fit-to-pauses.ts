/**
 * Fits the texts of a window to the long pauses of the speech, since the model's times are accurate only to about a
 * second.
 */
import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { endsSentence } from '../../../core/transcript/sentences.ts';
import { frameSeconds } from '../voice/frame.ts';
import { separatingSilence, type SpeechWindow } from '../voice/speech-windows.ts';

/** Pauses of at least this many seconds are long: no subtitle should stay on screen through them. */
const minLongPause = 1;
/** A boundary moves to a pause when there is less voice than this between them, in seconds. */
const boundaryTolerance = 1;
/** A break in the voice of up to this many frames does not end a text. */
const maxStopFrames = Math.round(0.5 / frameSeconds);
/** Maximum difference between a fraction of the text and one of the voice, since speech is never quite even. */
const maxFractionDifference = 0.1;
/** Maximum difference between the fractions for a word with a known time. */
const maxWordFractionDifference = 0.2;
/** How much farther than the end of a clause the end of a sentence may be and still be preferred. */
const clausePenalty = 0.04;
/** Between two words of a sentence, a text is only split at a pause of this length, in seconds. */
const minPauseInSentence = 1.5;
/** Less voice than this beyond a long pause, in seconds, belongs to another text. */
const maxStrayVoice = 0.7;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Text, and the first and the last frame of the window in which it is said. */
export interface SpokenText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

/**
 * A long pause of the recording: the frames from `from` up to, but not including, `to`, which have no voice. It may be longer
 * than these frames, since windows leave out silence.
 */
interface LongPause {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

/**
 * Finds the word that is first said after a pause.
 *
 * @returns where it begins in the text, in UTF-16 units; `null` when no word begins there
 */
export type WordAfterPause = (pauseFrame: number) => number | null;

/**
 * Moves the end of each text and the beginning of the next one to a long pause near them: speakers hardly ever stop for
 * so long within a sentence rather than at its end.
 *
 * @param voiced for each frame of the window, whether somebody speaks
 */
export function alignBoundariesToPauses(
  texts: readonly SpokenText[],
  window: SpeechWindow,
  voiced: readonly boolean[],
): readonly SpokenText[] {
  const aligned = [...texts];
  for (let i = 0; i + 1 < aligned.length; i++) {
    const [text, next] = [aligned[i], aligned[i + 1]];
    if (text === undefined || next === undefined) break;
    const pause = pauseBetween(text, next, window, voiced);
    if (pause === null) continue;
    aligned[i] = { ...text, last: pause.from - 1 };
    aligned[i + 1] = { ...next, first: pause.to };
  }
  return aligned;
}

/**
 * Moves the end of the last text to the next pause, unless there is much voice between them: the model ends a text too
 * early when no other one follows.
 *
 * @param until the first frame that belongs to the next window
 */
export function extendLastToPause<S extends SpokenText>(
  texts: readonly S[],
  until: number,
  voiced: readonly boolean[],
): readonly S[] {
  const text = texts.at(-1);
  if (text === undefined) return texts;
  let { last } = text;
  for (let i = last + 1; i < until && i - last <= maxStopFrames; i++) if (voiced[i] === true) last = i;
  const added = last - text.last;
  const isNear = added * frameSeconds < boundaryTolerance && added < text.last + 1 - text.first;
  return isNear ? [...texts.slice(0, -1), { ...text, last }] : texts;
}

/** Returns the long pause nearest to the boundary between two texts; `null` when none is near. */
function pauseBetween(
  text: SpokenText,
  next: SpokenText,
  window: SpeechWindow,
  voiced: readonly boolean[],
): LongPause | null {
  let nearest: { readonly pause: LongPause; readonly distance: number } | null = null;
  for (const pause of longPauses({ first: text.first, last: next.last }, window, voiced)) {
    const fromEnd = countVoicedBetween(text.last + 1, pause, voiced);
    const fromBeginning = countVoicedBetween(next.first, pause, voiced);
    const isNear =
      Math.max(fromEnd, fromBeginning) * frameSeconds < boundaryTolerance &&
      fromEnd < countVoiced(voiced, text.first, text.last + 1) / 2 &&
      fromBeginning < countVoiced(voiced, next.first, next.last + 1) / 2;
    const distance = fromEnd + fromBeginning;
    if (isNear && (nearest === null || distance < nearest.distance)) nearest = { pause, distance };
  }
  return nearest?.pause ?? null;
}

/** Counts the voiced frames between a frame and a pause. */
function countVoicedBetween(frame: number, pause: LongPause, voiced: readonly boolean[]): number {
  return frame > pause.from ? countVoiced(voiced, pause.to, frame) : countVoiced(voiced, frame, pause.from);
}

/**
 * Splits a text that reaches over long pauses where the model set no timestamp: at the end of a sentence or clause that
 * is about as far into the text as the pause is into the voice, or else between two words if their times are known and
 * the pause is long enough. A text without such a place is not split, but loses stray voice beyond a pause. A
 * {@link separatingSilence} always splits.
 *
 * @param voiced for each frame of the window, whether somebody speaks
 */
export function splitAtLongPauses(
  spoken: SpokenText,
  window: SpeechWindow,
  voiced: readonly boolean[],
  wordAfter: WordAfterPause = () => null,
): readonly SpokenText[] {
  const parts: SpokenText[] = [];
  const allVoice = countVoiced(voiced, spoken.first, spoken.last + 1);
  let from = 0;
  let { first } = spoken;
  for (const pause of longPauses(spoken, window, voiced)) {
    const fraction = countVoiced(voiced, spoken.first, pause.from) / allVoice;
    const cut =
      nearestClauseEnd(spoken.text, fraction, from) ??
      (pause.seconds >= minPauseInSentence
        ? wordBreak(spoken.text, fraction, from, wordAfter(pause.to))
        : null) ??
      (pause.seconds >= separatingSilence ? nearestWordBreak(spoken.text, fraction, from) : null);
    if (cut === null) continue;
    parts.push({ text: spoken.text.slice(from, cut).trim(), first, last: pause.from - 1 });
    from = cut;
    first = pause.to;
  }
  parts.push({ text: spoken.text.slice(from).trim(), first, last: spoken.last });
  return parts.map((part) => withoutStrayVoice(part, window, voiced));
}

/**
 * Excludes the voice before the first or after the last pause if it is less than half of all and either very short or
 * beyond a {@link separatingSilence}.
 */
function withoutStrayVoice(spoken: SpokenText, window: SpeechWindow, voiced: readonly boolean[]): SpokenText {
  const pauses = [...longPauses(spoken, window, voiced)];
  const [firstPause] = pauses;
  const lastPause = pauses.at(-1);
  if (firstPause === undefined || lastPause === undefined) return spoken;
  const allVoice = countVoiced(voiced, spoken.first, spoken.last + 1);
  const isStray = (voice: number, { seconds }: LongPause): boolean =>
    voice < allVoice / 2 && (voice * frameSeconds < maxStrayVoice || seconds >= separatingSilence);
  const isStartStray = isStray(countVoiced(voiced, spoken.first, firstPause.from), firstPause);
  const isEndStray = isStray(countVoiced(voiced, lastPause.to, spoken.last + 1), lastPause);
  return {
    text: spoken.text,
    first: isStartStray ? firstPause.to : spoken.first,
    last: isEndStray ? lastPause.from - 1 : spoken.last,
  };
}

/**
 * Returns the end of a sentence or clause, after `from`, that is nearest to a fraction of the text; `null` when
 * none is near.
 */
function nearestClauseEnd(text: string, fraction: number, from: number): number | null {
  let best: { readonly position: number; readonly distance: number } | null = null;
  for (const { 0: match, index } of text.matchAll(
    /(?<![.!?…])[.!?…]+["”’»)]*\s|[。！？]|[,;:]\s|[、，；]/gu,
  )) {
    const position = index + match.length;
    const isClause = /[,;:、，；]/u.test(match);
    if (!isClause && !endsSentence(text.slice(from, position).trimEnd())) continue;
    const offset = Math.abs(position / text.length - fraction);
    // The penalty only decides between two ends; the end of a clause without a sentence's end near it is accepted.
    const distance = offset + (isClause ? clausePenalty : 0);
    const isNearer = offset <= maxFractionDifference && (best === null || distance < best.distance);
    if (position > from && position < text.length && isNearer) best = { position, distance };
  }
  return best?.position ?? null;
}

/** Returns where a word begins if that is after `from` and about as far into the text as the pause is into the voice. */
function wordBreak(text: string, fraction: number, from: number, wordStart: number | null): number | null {
  const isPlausible =
    wordStart !== null &&
    wordStart > from &&
    Math.abs(wordStart / text.length - fraction) <= maxWordFractionDifference;
  return isPlausible ? wordStart : null;
}

/** Returns the word break, after `from`, that is nearest to a fraction of the text; `null` in a single word. */
function nearestWordBreak(text: string, fraction: number, from: number): number | null {
  const breaks = [...wordSegmenter.segment(text)]
    .map(({ index }) => index)
    .filter(
      (position) =>
        position > from &&
        text.slice(from, position).trim() !== '' &&
        /^[\s\p{L}\p{N}]/u.test(text.slice(position)),
    );
  const distance = (position: number): number => Math.abs(position / text.length - fraction);
  return breaks.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Counts the voiced frames from `from` to before `to`. */
function countVoiced(voiced: readonly boolean[], from: number, to: number): number {
  return voiced.slice(from, to).filter(Boolean).length;
}

/** Yields the long pauses between two frames, in order. */
function* longPauses(
  { first, last }: Pick<SpokenText, 'first' | 'last'>,
  { frames }: SpeechWindow,
  voiced: readonly boolean[],
): Generator<LongPause> {
  let from = first;
  for (let i = first; i <= last; i++) {
    if (voiced[i] !== true) continue;
    const seconds = ((frames[i]?.start ?? 0) - (frames[from]?.start ?? 0)) / speechSampleRate;
    if (i > from && seconds >= minLongPause - frameSeconds) yield { from, to: i, seconds };
    from = i + 1;
  }
}
