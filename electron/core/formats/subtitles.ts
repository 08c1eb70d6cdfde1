import type { Segment, Transcript } from '../../contract/model/library.ts';
import { rawCues, type Cue } from './cue.ts';
import { layOut } from './layout.ts';
import { columnsOf } from './columns.ts';
import { standardRules, type SubtitleRules } from './subtitle-rules.ts';

/** How a transcript becomes subtitles: by rules, or `raw`, each segment as it is. */
export type SubtitleLayout = SubtitleRules | 'raw';

/** What of a transcript goes into an export. */
export type TranscriptContent = Pick<
  Transcript,
  'name' | 'language' | 'durationSeconds' | 'createdAt' | 'text' | 'segments'
>;

/** The cues of a transcript's subtitles. */
export function cuesOf(transcript: TranscriptContent, layout: SubtitleLayout): Cue[] {
  const segments = timedSegments(transcript);
  return layout === 'raw' ? rawCues(segments) : layOut(segments, transcript.language, layout);
}

/** A transcript without segments has its text spread over the recording, so that no export is without its words. */
function timedSegments({ segments, text, durationSeconds }: TranscriptContent): readonly Segment[] {
  if (segments.length > 0 || text === '') return segments;
  const { aimedSpeed, wideColumns } = standardRules;
  return [{ start: 0, end: durationSeconds ?? columnsOf(text, wideColumns) / aimedSpeed, text }];
}
