import { addAtoms, type Atom } from './atoms.ts';
import type { SpokenSegment } from './content.ts';
import type { Cue } from './cue.ts';
import { functionWordsOf } from './function-words.ts';
import { breakLines, splitSegment } from './line-breaks.ts';
import { MeasuredText } from './measured-text.ts';
import { passagesOf } from './passages.ts';
import type { SubtitleRules } from '../../contract/model/subtitles.ts';

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
 * A segment that one cue cannot hold is split, best at punctuation, and its time shared by characters. Segments too
 * short to be read are joined with a neighbour. A cue starts inside its segment; it stays beyond the segment's end
 * only while nobody speaks, to give time for reading. The text is never changed but for its white space.
 */
export function layOut(
  segments: readonly SpokenSegment[],
  language: string | null,
  rules: SubtitleRules,
): Cue[] {
  const words = functionWordsOf(language);
  const atoms: Atom[] = [];
  const wholes: Block[] = [];
  let before = '';
  for (const { text, ...passage } of passagesOf(segments, words, rules)) {
    const from = atoms.length;
    addAtoms(atoms, text, before, words, rules);
    wholes.push({ ...passage, from, to: atoms.length });
    before = text;
  }
  const text = new MeasuredText(atoms, rules.lineColumns);
  const blocks = joinCramped(
    wholes.flatMap((whole) => split(whole, text, rules)),
    text,
    rules,
  );
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

/** A segment as blocks that one cue can hold each. */
function split(whole: Block, text: MeasuredText, rules: SubtitleRules): Block | Block[] {
  const durationMs = whole.endMs - whole.startMs;
  const ends = splitSegment(text, whole.from, whole.to, durationMs, rules);
  if (ends.length === 1) return whole;
  let total = 0;
  let first = whole.from;
  for (const end of ends) {
    total += text.width(first, end);
    first = end;
  }
  const blocks: Block[] = [];
  let passed = 0;
  let startMs = whole.startMs;
  first = whole.from;
  for (const to of ends) {
    passed += text.width(first, to);
    let endMs = whole.startMs + Math.round((durationMs * passed) / Math.max(1, total));
    // Cutting a piece to the longest time would leave a short gap: the next one begins right after it instead.
    const overlong = endMs - startMs - rules.maxDurationMs;
    if (to < whole.to && overlong > rules.minGapMs && overlong < rules.closedGapMs) {
      endMs = startMs + rules.maxDurationMs + rules.minGapMs;
    }
    blocks.push({ startMs, endMs, from: first, to, speaker: whole.speaker });
    startMs = endMs;
    first = to;
  }
  return blocks;
}

/**
 * Joins blocks that follow each other so closely that one of them could not stay for its shortest time, and a lone word
 * with the rest of its sentence.
 */
function joinCramped(blocks: readonly Block[], text: MeasuredText, rules: SubtitleRules): Block[] {
  const joined: Block[] = [];
  const isCramped = (block: Block, nextStartMs: number): boolean =>
    nextStartMs - rules.minGapMs - block.startMs < rules.minDurationMs;
  blocks.forEach((block, index) => {
    const last = joined.at(-1);
    const nextStartMs = blocks[index + 1]?.startMs ?? Infinity;
    const isWanted =
      last !== undefined &&
      (isCramped(last, block.startMs) || isCramped(block, nextStartMs) || isTorn(last, block, text));
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

/** Whether one of two blocks is a single word that belongs to the other. */
function isTorn(block: Block, next: Block, { atoms }: MeasuredText): boolean {
  const isLone = block.to - block.from === 1 || next.to - next.from === 1;
  return isLone && atoms[block.to - 1]?.ending !== 'sentence';
}

/** Gives each block its time on the screen: in order, apart, and long enough to be read where there is time. */
function settleTimes(blocks: readonly Block[], text: MeasuredText, rules: SubtitleRules): Block[] {
  const starts: number[] = [];
  for (const { startMs, endMs } of blocks) {
    const previous = starts.at(-1);
    if (previous === undefined) {
      starts.push(startMs);
      continue;
    }
    // The one before may lack time: this one starts later by as much as it can spare.
    const lack = previous + rules.minDurationMs + rules.minGapMs - startMs;
    const spare = endMs - startMs - rules.minDurationMs;
    starts.push(Math.max(previous + 1, startMs + Math.max(0, Math.min(lack, spare))));
  }
  return blocks.map(({ endMs, ...block }, index) => {
    const startMs = starts[index] ?? 0;
    const nextMs = starts[index + 1] ?? Infinity;
    const readMs = Math.ceil((text.width(block.from, block.to) / rules.aimedSpeed) * 1000);
    const wanted = Math.max(endMs, startMs + rules.minDurationMs, startMs + readMs);
    const latest = Math.min(startMs + rules.maxDurationMs, nextMs - rules.minGapMs);
    const end = nextMs - wanted < rules.closedGapMs ? latest : Math.min(wanted, latest);
    return { ...block, startMs, endMs: Math.max(startMs + 1, end) };
  });
}
