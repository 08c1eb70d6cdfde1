import { addAtoms, type Atom } from './atoms.ts';
import type { SpokenSegment } from '../content.ts';
import type { Cue } from './cue.ts';
import { functionWordsOf } from './function-words.ts';
import { AtomTimes, flowsOf } from './flows.ts';
import { breakLines, splitFlow } from './line-breaks.ts';
import { MeasuredText } from './measured-text.ts';
import type { SubtitleRules } from '../../../contract/model/subtitles.ts';

/** A cue before its lines are broken and its times are settled: the atoms `from` to before `to`. */
interface Block {
  readonly startMs: number;
  readonly endMs: number;
  readonly from: number;
  readonly to: number;
  readonly speaker: string | null;
}

/**
 * Lays segments out as subtitles that keep to the rules as far as the text allows it.
 *
 * Segments that go on with a sentence are taken together, and what one cue cannot hold is split, best at punctuation,
 * with the time of each segment shared by characters. Sentences too short to be read are joined with a neighbour. A cue
 * starts inside its segment; it stays beyond the end only while nobody speaks, or while the next one can wait, to give
 * time for reading. The text is never changed but for its white space.
 */
export function layOut(
  segments: readonly SpokenSegment[],
  language: string | null,
  rules: SubtitleRules,
): Cue[] {
  const words = functionWordsOf(language);
  const flows = flowsOf(segments, rules);
  const atoms: Atom[] = [];
  let before = '';
  const ends = flows.map((flow) => {
    addAtoms(atoms, flow.text, before, words, rules);
    before = flow.text;
    return atoms.length;
  });
  const text = new MeasuredText(atoms, rules.lineColumns);
  const times = new AtomTimes(flows, ends, text);
  const pieces = flows.flatMap(({ speaker }, index) => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index] ?? 0];
    const whole = { startMs: times.startMs(from), endMs: times.endMs(to), from, to, speaker };
    return split(whole, text, times, rules);
  });
  const blocks = joinCramped(pieces, text, rules);
  return settleTimes(blocks, text, rules).map(({ startMs, endMs, from, to, speaker }) => ({
    startMs,
    endMs,
    lines: linesOf(text, from, to, rules),
    ...(speaker !== null && { speaker }),
  }));
}

function linesOf(text: MeasuredText, from: number, to: number, rules: SubtitleRules): readonly string[] {
  let first = from;
  return breakLines(text, from, to, rules).map((end) => {
    const line = text.text(first, end);
    first = end;
    return line;
  });
}

/** A flow as blocks that one cue can hold each. */
function split(
  whole: Block,
  text: MeasuredText,
  times: AtomTimes,
  rules: SubtitleRules,
): Block | readonly Block[] {
  const { startMs, endMs, from, to, speaker } = whole;
  if (endMs - startMs <= rules.maxDurationMs && text.reach(from, rules.maxLines) >= to) return whole;
  const blocks: Block[] = [];
  let first = from;
  let begunMs = startMs;
  for (const end of splitFlow(text, times, from, to, rules)) {
    let endedMs = times.endMs(end);
    let nextMs = times.startMs(end);
    // Cutting a piece to the longest time would leave a short gap: the next one begins right after it instead.
    const overlong = endedMs - begunMs - rules.maxDurationMs;
    if (end < to && overlong > rules.minGapMs && overlong < rules.closedGapMs) {
      endedMs = begunMs + rules.maxDurationMs + rules.minGapMs;
      nextMs = endedMs;
    }
    blocks.push({ startMs: begunMs, endMs: endedMs, from: first, to: end, speaker });
    first = end;
    begunMs = nextMs;
  }
  return blocks;
}

/**
 * Joins blocks that follow each other so closely that one of them could not stay for its shortest time, or for as long
 * as it takes to read while both together can.
 */
function joinCramped(blocks: readonly Block[], text: MeasuredText, rules: SubtitleRules): Block[] {
  const joined: Block[] = [];
  const isCramped = (block: Block, nextStartMs: number): boolean =>
    nextStartMs - rules.minGapMs - block.startMs < rules.minDurationMs;
  const isTooFast = ({ startMs, from, to }: Block, nextStartMs: number): boolean => {
    const ms = Math.min(rules.maxDurationMs, nextStartMs - rules.minGapMs - startMs);
    return text.width(from, to) * 1000 > rules.maxSpeed * ms;
  };
  blocks.forEach((block, index) => {
    const last = joined.at(-1);
    const nextStartMs = blocks[index + 1]?.startMs ?? Infinity;
    const isHurried = (one: Block): boolean =>
      (isTooFast(one, block.startMs) || isTooFast(block, nextStartMs)) &&
      !isTooFast({ ...one, to: block.to }, nextStartMs);
    const isWanted =
      last !== undefined &&
      (isCramped(last, block.startMs) || isCramped(block, nextStartMs) || isHurried(last));
    if (isWanted) {
      const endMs = Math.max(last.endMs, block.endMs);
      const near = block.startMs - last.endMs < rules.closedGapMs && last.speaker === block.speaker;
      const fits =
        endMs - last.startMs <= rules.maxDurationMs && text.reach(last.from, rules.maxLines) >= block.to;
      if (near && fits) {
        joined[joined.length - 1] = { ...last, endMs, to: block.to };
        return;
      }
    }
    joined.push(block);
  });
  return joined;
}

/** Gives each block its time on the screen: in order, apart, and long enough to be read where there is time. */
function settleTimes(blocks: readonly Block[], text: MeasuredText, rules: SubtitleRules): Block[] {
  const shortestMs = ({ from, to }: Block): number =>
    Math.max(rules.minDurationMs, Math.ceil((text.width(from, to) / rules.maxSpeed) * 1000));
  const starts: number[] = [];
  blocks.forEach((block, index) => {
    const before = blocks[index - 1];
    const previousMs = starts.at(-1);
    if (before === undefined || previousMs === undefined) {
      starts.push(block.startMs);
      return;
    }
    // The one before may lack time: this one starts later by as much as it can spare.
    const lack = (wantedMs: number): number => previousMs + wantedMs + rules.minGapMs - block.startMs;
    const spare = (neededMs: number): number => block.endMs - block.startMs - neededMs;
    const late = Math.max(
      0,
      Math.min(lack(rules.minDurationMs), spare(rules.minDurationMs)),
      // For the sake of reading, not so late that it is noticed.
      Math.min(lack(shortestMs(before)), spare(shortestMs(block)), rules.closedGapMs),
    );
    starts.push(Math.max(previousMs + 1, block.startMs + late));
  });
  return blocks.map((block, index) => {
    const startMs = starts[index] ?? 0;
    const nextMs = starts[index + 1] ?? Infinity;
    const readMs = Math.ceil((text.width(block.from, block.to) / rules.aimedSpeed) * 1000);
    const wanted = Math.max(block.endMs, startMs + rules.minDurationMs, startMs + readMs);
    const latest = Math.min(startMs + rules.maxDurationMs, nextMs - rules.minGapMs);
    const end = nextMs - wanted < rules.closedGapMs ? latest : Math.min(wanted, latest);
    return { ...block, startMs, endMs: Math.max(startMs + 1, end) };
  });
}
