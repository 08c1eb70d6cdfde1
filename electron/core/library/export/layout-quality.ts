import type { FlaggedCue, LayoutQuality } from '../../../contract/export.ts';
import { maxAssessedTranscripts, maxFlaggedCues } from '../../../contract/limits.ts';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import {
  countedRules,
  presetRules,
  type SubtitleQuality,
  type SubtitleRules,
} from '../../../contract/subtitle-rules.ts';
import { isUntimed, onlyHighlights, withoutSpeakers } from '../../formats/content.ts';
import { transcriptFormats } from '../../formats/formats.ts';
import { assess, flaggedCues } from '../../formats/layout/cue-quality.ts';
import type { SubtitleLayout } from '../../formats/layout/subtitles.ts';
import type { ExportSources } from '../../store/library/export-sources.ts';

/** Which subtitles to count. */
export interface LayoutQualityRequest {
  readonly ids: readonly TranscriptId[];
  /** Formats other than subtitles are ignored. */
  readonly formats: readonly ExportFormat[];
  /** Whether speakers are named. */
  readonly speakers: boolean;
  readonly highlightsOnly: boolean;
  readonly layout: SubtitleLayout;
  /** The rules to check. */
  readonly rules: SubtitleRules;
}

/** Counts the violations in the subtitles that would be written, with raw segments and with the layout. */
export async function assessLayout(
  sources: ExportSources,
  { ids, formats, speakers, highlightsOnly, layout, rules }: LayoutQualityRequest,
  signal: AbortSignal,
): Promise<LayoutQuality> {
  // Formats with the same cues are counted once.
  const makers = new Set(formats.flatMap((format) => transcriptFormats[format].cues ?? []));
  const counts = Array.from(makers, (cuesOf) => ({
    cuesOf,
    before: noCues,
    after: noCues,
    flagged: [] as readonly FlaggedCue[],
  }));
  let transcripts = 0;
  for (const id of ids.slice(0, maxAssessedTranscripts)) {
    // Yields to a newer request.
    await new Promise(setImmediate);
    if (signal.aborted) break;
    const transcript = sources.content(id);
    const content = transcript !== null && highlightsOnly ? onlyHighlights(transcript) : transcript;
    if (content === null) continue;
    transcripts += 1;
    const written = speakers ? content : withoutSpeakers(content);
    for (const count of counts) {
      const raw = count.cuesOf(written, 'raw');
      const cues = layout === 'raw' ? raw : count.cuesOf(written, layout);
      count.before = sum(count.before, assess(raw, rules));
      count.after = sum(count.after, assess(cues, rules));
      if (isUntimed(written)) continue;
      const first = flaggedCues(cues, rules, maxFlaggedCues - count.flagged.length);
      const { name } = content;
      count.flagged = [...count.flagged, ...first.map(({ startMs }) => ({ transcript: id, name, startMs }))];
    }
  }
  const [worst] = counts.toSorted((a, b) => b.after.flagged - a.after.flagged);
  return {
    transcripts,
    before: worst?.before ?? noCues,
    after: worst?.after ?? noCues,
    flaggedCues: worst?.flagged ?? [],
  };
}

const noCues = assess([], presetRules.broadcast);

function sum(a: SubtitleQuality, b: SubtitleQuality): SubtitleQuality {
  const total = { ...a };
  for (const key of ['cues', 'flagged', ...countedRules] as const) total[key] = a[key] + b[key];
  return total;
}
