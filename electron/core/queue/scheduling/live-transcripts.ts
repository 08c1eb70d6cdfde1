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

/** Whether the segments together exceed the limits of a transcript; each response was within them. */
const isTooLarge = (segments: readonly Segment[]): boolean =>
  segments.length > maxSegments ||
  segments.reduce((sum, { text }) => sum + text.length, 0) > maxTextLength ||
  segments.reduce((sum, { extras }) => sum + extrasLength(extras), 0) > maxExtrasLength;

/** UTF-16 units of all extras. Words take a few times the characters of their text. */
const maxExtrasLength = 5 * maxTextLength;

const extrasLength = (extras: SegmentExtras = {}): number =>
  Object.entries(extras).reduce<number>(
    (sum, [name, value]) =>
      sum + name.length + (typeof value === 'string' ? value : JSON.stringify(value)).length,
    0,
  );

/** The transcripts of items in progress, as far as their services have returned them. Only in memory. */
export class LiveTranscripts {
  readonly #byItem = new Map<ItemId, LiveTranscript>();

  get(id: ItemId): LiveTranscript | null {
    return this.#byItem.get(id) ?? null;
  }

  /** Returns the number of the first segment to request: the last known one, which may have changed, or 0. */
  firstSegmentToRequest(id: ItemId, jobId: string): number {
    const current = this.#byItem.get(id);
    return current?.jobId === jobId ? Math.max(0, current.segments.length - 1) : 0;
  }

  /** Adds the segments that a poll has returned to those of the same job. */
  add(id: ItemId, jobId: string, { from, segments, language }: PartialTranscript): void {
    const current = this.#byItem.get(id);
    const earlier = current?.jobId === jobId ? current.segments : [];
    // The service has restarted an interrupted job at an earlier segment: the next poll requests all segments.
    const hasRestarted = from > earlier.length || (from > 0 && segments.length === 0);
    const all = hasRestarted ? [] : [...earlier.slice(0, from), ...segments];
    this.#byItem.set(id, { jobId, segments: isTooLarge(all) ? [] : all, language });
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
