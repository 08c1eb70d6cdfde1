import type { ItemId } from '../../../contract/identifiers.ts';
import { maxSegments, maxTextLength } from '../../../contract/limits.ts';
import type { Segment, SegmentExtras } from '../../../contract/segment-schema.ts';
import type { PartialTranscript } from '../../api/service-results.ts';
import { joinTexts } from '../../transcript/plain-text.ts';

/** A transcript in progress. */
export interface LiveTranscript {
  readonly jobId: string;
  readonly segments: readonly Segment[];
  readonly language: string | null;
}

/** The maximum number of characters of the latest text. */
const maxLatestLength = 120;

/** What segments take: their number, and the UTF-16 units of their texts and of their extras. */
interface Size {
  readonly segments: number;
  readonly text: number;
  readonly extras: number;
}

const noSize: Size = { segments: 0, text: 0, extras: 0 };

/**
 * The limits of one transcript, applied to all transcripts in progress together; `wire.ts` limits single responses. The
 * words of a segment, in its extras, take a few times as many characters as its text.
 */
const maxSize: Size = { segments: maxSegments, text: maxTextLength, extras: 5 * maxTextLength };

const sizeOf = (segments: readonly Segment[]): Size => ({
  segments: segments.length,
  text: segments.reduce((sum, { text }) => sum + text.length, 0),
  extras: segments.reduce((sum, { extras }) => sum + extrasLength(extras), 0),
});

const addSize = (size: Size, other: Size, sign: 1 | -1 = 1): Size => ({
  segments: size.segments + sign * other.segments,
  text: size.text + sign * other.text,
  extras: size.extras + sign * other.extras,
});

const isTooLarge = ({ segments, text, extras }: Size): boolean =>
  segments > maxSize.segments || text > maxSize.text || extras > maxSize.extras;

const extrasLength = (extras: SegmentExtras = {}): number =>
  Object.entries(extras).reduce<number>(
    (sum, [name, value]) =>
      sum + name.length + (typeof value === 'string' ? value : JSON.stringify(value)).length,
    0,
  );

/** The transcripts of items in progress, as far as their services have returned them. Only in memory. */
export class LiveTranscripts {
  readonly #byItem = new Map<ItemId, LiveTranscript & { readonly size: Size }>();

  get(id: ItemId): LiveTranscript | null {
    return this.#byItem.get(id) ?? null;
  }

  /** Returns the number of the first segment to request: the last known one, which may have changed, or 0. */
  firstSegmentToRequest(id: ItemId, jobId: string): number {
    const current = this.#byItem.get(id);
    return current?.jobId === jobId ? Math.max(0, current.segments.length - 1) : 0;
  }

  /**
   * Adds the segments that a poll has returned to those of the same job. Drops this transcript if all transcripts in
   * progress together would become too large.
   */
  add(id: ItemId, jobId: string, { from, segments, language }: PartialTranscript): void {
    const current = this.#byItem.get(id);
    const earlier = current?.jobId === jobId ? current : { segments: [], size: noSize };
    this.#byItem.set(id, { jobId, segments: [], language, size: noSize });
    // The service has restarted an interrupted job at an earlier segment: the next poll requests all segments.
    if (from > earlier.segments.length || (from > 0 && segments.length === 0)) return;
    // Only what has changed is measured, as a long transcript grows by a few segments at a time.
    const replaced = sizeOf(earlier.segments.slice(from));
    const size = addSize(addSize(earlier.size, replaced, -1), sizeOf(segments));
    const total = [...this.#byItem.values()].reduce((sum, other) => addSize(sum, other.size), size);
    if (isTooLarge(total)) return;
    const all = [...earlier.segments.slice(0, from), ...segments];
    this.#byItem.set(id, { jobId, segments: all, language, size });
  }

  end(id: ItemId): void {
    this.#byItem.delete(id);
  }

  /** Returns the last words of a transcript in progress; empty without any. */
  latestText(id: ItemId): string {
    const text = joinTexts((this.#byItem.get(id)?.segments ?? []).slice(-4).map((segment) => segment.text));
    if (text.length <= maxLatestLength) return text;
    const cut = text.slice(-maxLatestLength);
    return `…${cut.slice(cut.indexOf(' ') + 1)}`;
  }
}
