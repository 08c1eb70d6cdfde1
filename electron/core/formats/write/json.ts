import { isNamed, type TranscriptContent } from '../content.ts';

/** The version of the JSON format; `docs/transcript.schema.json` describes it. */
const formatVersion = 1;

/** Writes JSON: everything that is known of a transcript, the text unchanged, times in seconds. */
export function writeJson(transcript: TranscriptContent): string {
  const { name, language, durationSeconds, createdAt, text, segments, notes = [] } = transcript;
  const content = {
    format: 'longhand-transcript',
    version: formatVersion,
    name,
    language,
    durationSeconds,
    createdAt,
    text,
    segments: segments.map(({ start, end, text: said, speaker, extras }) => ({
      start,
      end,
      text: said,
      ...(isNamed(speaker) && { speaker }),
      extras,
    })),
    ...(notes.length > 0 && {
      notes: notes.map(({ atSeconds, text: said }) => ({ at: atSeconds, text: said })),
    }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
