import type { LabelledSegment } from '../content.ts';
import type { Cue } from './cue.ts';
import { closeShortGaps, cueEndMs, placeCues, type PlacedCue } from './cue-times.ts';
import { minimizeViolations } from './minimize-violations.ts';
import { breakLines, splitFlow } from './line-breaks.ts';
import { areInSameRun, speechOf, type Speech } from './speech.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/**
 * Lays out segments as subtitles, with as few violations of the rules as the text and its times allow.
 *
 * Segments that continue a sentence are joined, and what does not fit into one cue is split, preferably at punctuation.
 * Where the times of words are unknown, they are estimated. Where a cue would violate a rule, {@link minimizeViolations} lays
 * out the speech around it again. To give time for reading, a cue is shown beyond the end of its words only while
 * nobody speaks, or while the next cue can wait. Of the text, only white space changes.
 */
export function layOut(
  segments: readonly LabelledSegment[],
  language: string | null,
  rules: SubtitleRules,
): Cue[] {
  const speech = speechOf(segments, language, rules);
  const placed = closeShortGaps(speech, repairViolations(speech, placeCues(speech, naturalEnds(speech))));
  return placed.map((cue, index) => {
    const { speaker } = speech.flows[speech.flowOf[cue.from] ?? 0] ?? { speaker: null };
    const endMs = cueEndMs(speech, cue, placed[index + 1]?.startMs ?? Infinity);
    const unnamedCue = { startMs: cue.startMs, endMs, lines: linesOf(speech, cue) };
    return speaker === null ? unnamedCue : { ...unnamedCue, speaker };
  });
}

/** Returns the ends of cues that read well: one cue for each flow, or as many as necessary. */
function naturalEnds(speech: Speech): readonly number[] {
  const { text, times, rules, flowEnds } = speech;
  const ends: number[] = [];
  let from = 0;
  for (const to of flowEnds) {
    const isShort = times.endBeforeMs(to) - times.startMs(from) <= rules.maxDurationMs;
    if (isShort && text.endOfLines(from, rules.maxLines) >= to) ends.push(to);
    else ends.push(...splitFlow(speech, from, to));
    from = to;
  }
  return ends;
}

/**
 * Lays out the cues around each violation again: from the last run before it that starts on time up to the next run that
 * can start on time. These parts are independent, and nothing between them violates a rule, so minimizing each part
 * minimizes the whole.
 */
function repairViolations(
  speech: Speech,
  { cues, violations }: ReturnType<typeof placeCues>,
): readonly PlacedCue[] {
  if (violations.length === 0) return cues;
  const fromOf = (index: number): number => cues[index]?.from ?? 0;
  // Atoms that begin a run on time, each with the index of its cue.
  const runStarts = new Map<number, number>();
  cues.forEach(({ from, startMs }, index) => {
    const beginsRun = from === 0 || !areInSameRun(speech, from - 1, from);
    if (beginsRun && startMs === speech.times.startMs(from)) runStarts.set(from, index);
  });
  const parts: (readonly PlacedCue[])[] = [];
  let nextCue = 0;
  for (const index of violations) {
    if (index < nextCue) continue;
    let first = index;
    while (first > nextCue && !runStarts.has(fromOf(first))) first -= 1;
    const repaired = minimizeViolations(
      speech,
      fromOf(first),
      (at) => at > fromOf(index) && runStarts.has(at),
    );
    parts.push(cues.slice(nextCue, first), repaired);
    nextCue = runStarts.get(repaired.at(-1)?.to ?? -1) ?? cues.length;
  }
  return [...parts.flat(), ...cues.slice(nextCue)];
}

function linesOf({ text, rules }: Speech, { from, to }: PlacedCue): readonly string[] {
  let first = from;
  return breakLines(text, from, to, rules).map((end) => {
    const line = text.text(first, end);
    first = end;
    return line;
  });
}
