import { atomsOf, textOf, widthOf, type Atom } from './atoms.ts';
import type { SpokenSegment } from './content.ts';
import type { Cue } from './cue.ts';
import { functionWordsOf, type FunctionWords } from './function-words.ts';
import { breakLines, fitsCue, splitAtoms } from './line-breaks.ts';
import { passagesOf } from './passages.ts';
import type { SubtitleRules } from '../../contract/model/subtitles.ts';

/** A cue before its lines are broken and its times are settled. */
interface Block {
  readonly startMs: number;
  readonly endMs: number;
  readonly atoms: readonly Atom[];
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
  const blocks = joinCramped(toBlocks(segments, words, rules), rules);
  return settleTimes(blocks, rules).map(({ startMs, endMs, atoms, speaker }) => ({
    startMs,
    endMs,
    lines: breakLines(atoms, rules).map(textOf),
    ...(speaker !== null && { speaker }),
  }));
}

function toBlocks(segments: readonly SpokenSegment[], words: FunctionWords, rules: SubtitleRules): Block[] {
  const blocks: Block[] = [];
  let before = '';
  for (const { startMs, endMs, text, speaker } of passagesOf(segments, words, rules)) {
    const durationMs = endMs - startMs;
    const pieces = splitAtoms(atomsOf(text, before, words, rules), durationMs, rules);
    const total = Math.max(
      1,
      pieces.reduce((sum, piece) => sum + widthOf(piece), 0),
    );
    let passed = 0;
    let start = startMs;
    for (const atoms of pieces) {
      passed += widthOf(atoms);
      let end = startMs + Math.round((durationMs * passed) / total);
      // Cutting a piece to the longest time would leave a short gap: the next one begins right after it instead.
      const overlong = end - start - rules.maxDurationMs;
      if (passed < total && overlong > rules.minGapMs && overlong < rules.closedGapMs) {
        end = start + rules.maxDurationMs + rules.minGapMs;
      }
      blocks.push({ startMs: start, endMs: end, atoms, speaker });
      start = end;
    }
    before = text;
  }
  return blocks;
}

/**
 * Joins blocks that follow each other so closely that one of them could not stay for its shortest time, and a lone word
 * with the rest of its sentence.
 */
function joinCramped(blocks: readonly Block[], rules: SubtitleRules): Block[] {
  const joined: Block[] = [];
  const isCramped = (block: Block, nextStartMs: number): boolean =>
    nextStartMs - rules.minGapMs - block.startMs < rules.minDurationMs;
  blocks.forEach((block, index) => {
    const last = joined.at(-1);
    const nextStartMs = blocks[index + 1]?.startMs ?? Infinity;
    const isWanted =
      last !== undefined &&
      (isCramped(last, block.startMs) || isCramped(block, nextStartMs) || isTorn(last, block));
    if (isWanted) {
      const endMs = Math.max(last.endMs, block.endMs);
      const atoms = [...last.atoms, ...block.atoms];
      const near = block.startMs - last.endMs < rules.closedGapMs && last.speaker === block.speaker;
      if (near && endMs - last.startMs <= rules.maxDurationMs && fitsCue(atoms, rules)) {
        joined[joined.length - 1] = { ...last, endMs, atoms };
        return;
      }
    }
    joined.push(block);
  });
  return joined;
}

/** Whether one of two blocks is a single word that belongs to the other. */
function isTorn({ atoms }: Block, next: Block): boolean {
  const isLone = atoms.length === 1 || next.atoms.length === 1;
  return isLone && atoms.at(-1)?.ending !== 'sentence';
}

/** Gives each block its time on the screen: in order, apart, and long enough to be read where there is time. */
function settleTimes(blocks: readonly Block[], rules: SubtitleRules): Block[] {
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
    const readMs = Math.ceil((widthOf(block.atoms) / rules.aimedSpeed) * 1000);
    const wanted = Math.max(endMs, startMs + rules.minDurationMs, startMs + readMs);
    const latest = Math.min(startMs + rules.maxDurationMs, nextMs - rules.minGapMs);
    const end = nextMs - wanted < rules.closedGapMs ? latest : Math.min(wanted, latest);
    return { ...block, startMs, endMs: Math.max(startMs + 1, end) };
  });
}
