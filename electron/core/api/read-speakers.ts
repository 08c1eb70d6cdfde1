import { maxSpeakerNameLength } from '../../contract/limits.ts';
import { oneLine } from '../transcript/plain-text.ts';
import { splitSegmentAt, type SegmentCut } from '../transcript/segment.ts';
import { wordsOf } from '../transcript/word-times.ts';
import type { ServiceSegment } from './service-results.ts';
import { fieldsOf } from './wire-values.ts';

/** Reads the name of a speaker: a text, a number, or an object with one of these; `null`: none. */
function nameOf(value: unknown): string | null {
  const fields = fieldsOf(value);
  const nameOrNumber = [value, fields['name'], fields['label'], fields['id']].find(
    (one) => typeof one === 'string' || Number.isSafeInteger(one),
  );
  if (nameOrNumber === undefined) return null;
  const name = oneLine(String(nameOrNumber).slice(0, maxSpeakerNameLength));
  // A number alone would look like a part of the text.
  return name === '' ? null : /^\d+$/.test(name) ? `Speaker ${name}` : name;
}

/**
 * Reads who speaks in a segment. If its words name speakers, it is split where the speaker changes; otherwise its own
 * `speaker` counts.
 *
 * @param value the segment as the service sent it
 * @param segment the segment with its words, if there are any
 */
export function readSpeakers(value: unknown, segment: ServiceSegment): readonly ServiceSegment[] {
  const fields = fieldsOf(value);
  const segmentSpeaker = nameOf(fields['speaker']);
  const sentWords = Array.isArray(fields['words']) ? fields['words'] : [];
  const names = sentWords.map((word) => nameOf(fieldsOf(word)['speaker']));
  const words = wordsOf(segment) ?? [];
  // Unless all words were found in the text, they do not show where the speaker changes.
  if (words.length !== sentWords.length || names.every((name) => name === null)) {
    const name = segmentSpeaker ?? (words.length > 0 ? names.find((one) => one !== null) : null) ?? null;
    return [name === null ? segment : { ...segment, speaker: name }];
  }
  const cuts: SegmentCut[] = [];
  const speakers = [names[0] ?? segmentSpeaker];
  for (const [i, word] of words.entries()) {
    const current = speakers.at(-1) ?? null;
    const name = names[i] ?? current;
    if (i === 0 || name === current) continue;
    cuts.push({ offset: word.from, atSeconds: word.start });
    speakers.push(name);
  }
  return splitSegmentAt(segment, cuts).map((part, i) => {
    const speaker = speakers[i] ?? null;
    return speaker === null ? part : { ...part, speaker };
  });
}
