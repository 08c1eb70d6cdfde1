import { subtitleFormats, formatsWithSpeakerField, type ExportFormat } from '../../../contract/choices.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { segmentIndexAt } from '../../transcript/segment.ts';
import type { SpokenSegment } from '../content.ts';
import type { Cue } from './cue.ts';
import { checkCue, overflowOffset, type CueQuality } from './cue-quality.ts';
import { cueMakerOf, rulesOf, type SubtitleLayout } from './subtitles.ts';

/** What the cues of a transcript depend on, besides its segments. */
export interface PreviewOptions {
  readonly language: string | null;
  readonly layout: SubtitleLayout;
  /** The chosen formats; the labels of speakers depend on them. */
  readonly formats: readonly ExportFormat[];
  /** Returns the name of a segment's speaker in the file; `null` for none. */
  readonly speakerOf: (index: number) => string | null;
}

/** A cue as it would be exported, with its quality. */
export interface PreviewedCue extends Cue, CueQuality {
  /** For each line, the offset from which it is too wide, in UTF-16 units; its length if it fits. */
  readonly overflowOffsets: readonly number[];
  /** Milliseconds to the next cue; `null` after the last one. */
  readonly gapMs: number | null;
}

/** The cues of some consecutive segments. */
interface CueWindow {
  readonly cues: readonly PreviewedCue[];
  /** The start of the part of the transcript that the cues cover, in milliseconds. */
  readonly fromMs: number;
  /** The end of that part (exclusive). */
  readonly untilMs: number;
}

/** Segments before and after the current one that are laid out with it: some minutes of speech. */
const contextSegments = 80;
/** The maximum of their text on each side, in UTF-16 units. */
const contextLength = 12_000;

/**
 * Lays out only the cues near a time, not those of the whole transcript: cues hardly depend on others beyond a
 * pause or a change of speaker, so some minutes are enough.
 */
export class CuePreview {
  readonly #segments: readonly Segment[];
  readonly #options: PreviewOptions;
  readonly #rules: SubtitleRules;
  #window: CueWindow = { cues: [], fromMs: 0, untilMs: 0 };

  /** @param segments in the order of their starts */
  constructor(segments: readonly Segment[], options: PreviewOptions) {
    this.#segments = segments;
    this.#options = options;
    this.#rules = rulesOf(options.layout);
  }

  get rules(): SubtitleRules {
    return this.#rules;
  }

  /** Returns the cue that is shown at a time, in seconds; the same object as long as it is the same cue. */
  cueAt(seconds: number): PreviewedCue | null {
    const timeMs = toMilliseconds(seconds);
    if (timeMs < this.#window.fromMs || timeMs >= this.#window.untilMs) this.#window = this.#layOut(seconds);
    const { cues } = this.#window;
    return cues.findLast(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs) ?? null;
  }

  #layOut(seconds: number): CueWindow {
    const segments = this.#segments;
    const at = Math.max(0, segmentIndexAt(segments, seconds));
    const [first, last] = [this.#contextEnd(at, -1), this.#contextEnd(at, 1)];
    const spoken = segments.slice(first, last + 1).map((segment, index): SpokenSegment => ({
      start: segment.start,
      end: segment.end,
      text: segment.text,
      ...(segment.extras !== undefined && { extras: segment.extras }),
      speaker: this.#options.speakerOf(first + index),
    }));
    const { layout, language, formats } = this.#options;
    const content = { name: '', language, durationSeconds: null, createdAt: 0, text: '', segments: spoken };
    const cues = cueMakerOf(shownFormat(formats))(content, layout);
    // The outer half of the context is not shown: segments beyond it could change its cues.
    const from = first === 0 ? null : segments[Math.ceil((first + at) / 2)];
    const until = last === segments.length - 1 ? null : segments[Math.floor((at + last) / 2) + 1];
    return {
      cues: cues.map((cue, index) => this.#previewed(cue, cues[index + 1])),
      fromMs: from === null ? 0 : toMilliseconds(from?.start ?? 0),
      untilMs: until === null ? Infinity : toMilliseconds(until?.start ?? Infinity),
    };
  }

  /** Returns the index of the outermost segment of the context in one direction. */
  #contextEnd(at: number, by: -1 | 1): number {
    let length = 0;
    let index = at;
    for (let next = at + by; Math.abs(next - at) <= contextSegments; next += by) {
      const segment = this.#segments[next];
      length += segment?.text.length ?? Infinity;
      // The neighbour is always needed: it decides how long a cue can be shown.
      if (segment === undefined || (length > contextLength && index !== at)) break;
      index = next;
    }
    return index;
  }

  #previewed(cue: Cue, next: Cue | undefined): PreviewedCue {
    return {
      ...cue,
      ...checkCue(cue, next, this.#rules),
      overflowOffsets: cue.lines.map((line) => overflowOffset(line, this.#rules)),
      gapMs: next === undefined ? null : next.startMs - cue.endMs,
    };
  }
}

/**
 * Returns the format whose cues are shown: the first one that writes speakers as labels in the text, where they take up
 * space, or else the first.
 */
function shownFormat(formats: readonly ExportFormat[]): ExportFormat {
  const subtitles = formats.filter((format) => subtitleFormats.includes(format));
  return subtitles.find((format) => !formatsWithSpeakerField.includes(format)) ?? subtitles[0] ?? 'srt';
}
