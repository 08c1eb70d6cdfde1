import { formatsWithSpeakerField, type ExportFormat } from '../../../contract/choices.ts';
import { presetRules, type SubtitlePreset, type SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { columnsOf } from './columns.ts';
import {
  isNamed,
  isUntimed,
  nameAtChange,
  type LabelledSegment,
  type SpokenSegment,
  type TranscriptContent,
} from '../content.ts';
import { rawCues, type Cue } from './cue.ts';
import { layOut } from './layout.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { newSegment } from '../../transcript/segment.ts';

/** How a transcript becomes subtitles: by rules, or `raw`: one cue for each segment. */
export type SubtitleLayout = SubtitleRules | 'raw';

/** Returns the layout of a preset; for the preset `own`, the user's own rules. */
export function layoutOf(preset: SubtitlePreset, ownRules: SubtitleRules): SubtitleLayout {
  if (preset === 'raw') return 'raw';
  return preset === 'own' ? ownRules : presetRules[preset];
}

/** Returns the rules that the cues of a layout are checked against: raw segments have none of their own. */
export const rulesOf = (layout: SubtitleLayout): SubtitleRules =>
  layout === 'raw' ? presetRules.broadcast : layout;

/** Returns the subtitles of a transcript. */
export type CueMaker = (transcript: TranscriptContent, layout: SubtitleLayout) => Cue[];

/** Returns cues for a format that names speakers outside the text. */
export function cuesOf(transcript: TranscriptContent, layout: SubtitleLayout): Cue[] {
  return cuesOfSegments(timedSegments(transcript), transcript.language, layout);
}

/** Returns cues for a format that cannot name speakers: labels in the text do, as in `Anna: Good morning.` */
export function labelledCuesOf(transcript: TranscriptContent, layout: SubtitleLayout): Cue[] {
  return cuesOfSegments(labelledSegments(transcript), transcript.language, layout);
}

/** Returns the segments of {@link labelledCuesOf}, in their order. */
export const labelledSegments = (transcript: TranscriptContent): readonly LabelledSegment[] =>
  labelled(timedSegments(transcript));

/** Returns the function that makes the cues of a subtitle format. */
export const cueMakerOf = (format: ExportFormat): CueMaker =>
  formatsWithSpeakerField.includes(format) ? cuesOf : labelledCuesOf;

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
      const { speaker, text, startsPassage } = segment;
      if (oneLine(text) === '') return segment;
      const who = isNamed(speaker) ? speaker : null;
      const name = nameAtChange(who, last, startsPassage);
      last = who;
      return name === null ? segment : { ...segment, label: `${name}:` };
    });
}

/** Spreads a text without times over the whole recording, so that no export lacks its words. */
function timedSegments(transcript: TranscriptContent): readonly SpokenSegment[] {
  const { segments, text, durationSeconds } = transcript;
  if (!isUntimed(transcript)) return segments;
  const { targetSpeed, columnsPerWideCharacter } = presetRules.broadcast;
  return [newSegment(0, durationSeconds ?? columnsOf(text, columnsPerWideCharacter) / targetSpeed, text)];
}
