import type { LabelledSegment } from '../content.ts';
import type { Cue } from './cue.ts';
import { closeFlickers, goneMs, placeCues, type PlacedCue } from './cue-times.ts';
import { fewestBroken } from './fewest-broken.ts';
import { breakLines, splitFlow } from './line-breaks.ts';
import { areOfOneRun, speechOf, type Speech } from './speech.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/**
 * Lays segments out as subtitles, of which as few break a rule as the text and its times allow.
 *
 * Segments that go on with a sentence are taken together, and what one cue cannot hold is split, best at punctuation,
 * with the time of each segment shared by characters. Where a cue would break a rule, the speech around it is laid out
 * once more by {@link fewestBroken}, which says what is allowed. A cue stays beyond the end of what is said only while
 * nobody speaks, or while the next one can wait, to give time for reading. The text is never changed but for its white
 * space.
 */
export function layOut(
  segments: readonly LabelledSegment[],
  language: string | null,
  rules: SubtitleRules,
): Cue[] {
  const speech = speechOf(segments, language, rules);
  const placed = closeFlickers(speech, mended(speech, placeCues(speech, naturalEnds(speech))));
  return placed.map((cue, index) => {
    const { speaker } = speech.flows[speech.flowOf[cue.from] ?? 0] ?? { speaker: null };
    const endMs = goneMs(speech, cue, placed[index + 1]?.startMs ?? Infinity);
    const shown = { startMs: cue.startMs, endMs, lines: linesOf(speech, cue) };
    return speaker === null ? shown : { ...shown, speaker };
  });
}

/** Where cues end that are good to read: each flow is one, or as many as it takes. */
function naturalEnds(speech: Speech): readonly number[] {
  const { text, times, rules, flowEnds } = speech;
  const ends: number[] = [];
  let from = 0;
  for (const to of flowEnds) {
    const isShort = times.endMs(to) - times.startMs(from) <= rules.maxDurationMs;
    if (isShort && text.reach(from, rules.maxLines) >= to) ends.push(to);
    else ends.push(...splitFlow(speech, from, to));
    from = to;
  }
  return ends;
}

/**
 * The cues with those around broken ones laid out anew: from the last run before that begins when it is said to the
 * first one after that can. What is done to one such stretch changes nothing for another, and nothing between them
 * breaks a rule: the fewest in each are the fewest in all.
 */
function mended(speech: Speech, { cues, broken }: ReturnType<typeof placeCues>): readonly PlacedCue[] {
  if (broken.length === 0) return cues;
  const fromOf = (index: number): number => cues[index]?.from ?? 0;
  // Atoms that begin a run when they are said, each with the number of its cue.
  const fresh = new Map<number, number>();
  cues.forEach(({ from, startMs }, index) => {
    const beginsRun = from === 0 || !areOfOneRun(speech, from - 1, from);
    if (beginsRun && startMs === speech.times.startMs(from)) fresh.set(from, index);
  });
  const parts: (readonly PlacedCue[])[] = [];
  let done = 0;
  for (const index of broken) {
    if (index < done) continue;
    let first = index;
    while (first > done && !fresh.has(fromOf(first))) first -= 1;
    const better = fewestBroken(speech, fromOf(first), (at) => at > fromOf(index) && fresh.has(at));
    parts.push(cues.slice(done, first), better);
    done = fresh.get(better.at(-1)?.to ?? -1) ?? cues.length;
  }
  return [...parts.flat(), ...cues.slice(done)];
}

function linesOf({ text, rules }: Speech, { from, to }: PlacedCue): readonly string[] {
  let first = from;
  return breakLines(text, from, to, rules).map((end) => {
    const line = text.text(first, end);
    first = end;
    return line;
  });
}
