import { presetRules, type SubtitlePreset, type SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { columnsOf } from './columns.ts';
import { isNamed, type LabelledSegment, type SpokenSegment, type TranscriptContent } from '../content.ts';
import { rawCues, type Cue } from './cue.ts';
import { layOut } from './layout.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { newSegment } from '../../transcript/segment.ts';

/** How a transcript becomes subtitles: by rules, or `raw`, each segment as it is. */
export type SubtitleLayout = SubtitleRules | 'raw';

/** The layout of a preset; `own` are the user's own rules. */
export function layoutOf(preset: SubtitlePreset, own: SubtitleRules): SubtitleLayout {
  if (preset === 'raw') return 'raw';
  return preset === 'own' ? own : presetRules[preset];
}

/** Makes a transcript's subtitles. */
export type CueMaker = (transcript: TranscriptContent, layout: SubtitleLayout) => Cue[];

/** The cues of subtitles in a format that tells apart from the text who speaks. */
export function cuesOf(transcript: TranscriptContent, layout: SubtitleLayout): Cue[] {
  return cuesOfSegments(timedSegments(transcript), transcript.language, layout);
}

/**
 * The cues of subtitles in a format that has no place for speakers: whoever begins to speak is named in the text, as
 * in `Anna: Good morning.`
 */
export function labelledCuesOf(transcript: TranscriptContent, layout: SubtitleLayout): Cue[] {
  return cuesOfSegments(labelled(timedSegments(transcript)), transcript.language, layout);
}

function cuesOfSegments(
  segments: readonly LabelledSegment[],
  language: string | null,
  layout: SubtitleLayout,
): Cue[] {
  return layout === 'raw' ? rawCues(segments) : layOut(segments, language, layout);
}

function labelled(segments: readonly SpokenSegment[]): readonly LabelledSegment[] {
  let last: string | null = null;
  return segments
    .toSorted((a, b) => a.start - b.start)
    .map((segment) => {
      const { speaker, text } = segment;
      if (oneLine(text) === '') return segment;
      const isNew = isNamed(speaker) && speaker !== last;
      last = isNamed(speaker) ? speaker : null;
      return isNew ? { ...segment, label: `${speaker}:` } : segment;
    });
}

/** A transcript without segments has its text spread over the recording, so that no export is without its words. */
function timedSegments({ segments, text, durationSeconds }: TranscriptContent): readonly SpokenSegment[] {
  if (segments.length > 0 || text === '') return segments;
  const { aimedSpeed, wideColumns } = presetRules.broadcast;
  return [newSegment(0, durationSeconds ?? columnsOf(text, wideColumns) / aimedSpeed, text)];
}
