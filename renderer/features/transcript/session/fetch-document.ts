import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type {
  DraftSegment,
  SegmentPiece,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import { orderSegments } from '../../../../electron/core/transcript/edit/draft.ts';
import type { Invoke } from '../../../invoke.ts';
import { asProblem } from '../../../notices.ts';

/**
 * Fetches a transcript, a long one in pieces; `null` when there is none, or when `signal` was aborted.
 *
 * @param onBeginning called with the beginning of a long transcript; the rest is fetched when the promise resolves
 * @throws ProblemError when the transcript cannot be read.
 */
export async function fetchDocument(
  invoke: Invoke,
  id: TranscriptId,
  signal: AbortSignal = new AbortController().signal,
  onBeginning: (beginning: TranscriptDocument) => Promise<void> = () => Promise.resolve(),
): Promise<TranscriptDocument | null> {
  while (!signal.aborted) {
    const response = await invoke('transcript.get', { id });
    if (response === null) return null;
    const { isComplete, ...document } = response;
    if (isComplete) return document;
    if (!signal.aborted) await onBeginning(document);
    try {
      return await fetchSegments(invoke, document, signal);
    } catch (error) {
      const { code } = asProblem(error);
      // Deleted while it was fetched.
      if (code === 'transcript_gone') return null;
      // A transcript that has changed while it was fetched is fetched again.
      if (code !== 'transcript_changed') throw error;
    }
  }
  return null;
}

/** Returns a document with all of its segments; `null` when `signal` was aborted. */
async function fetchSegments(
  invoke: Invoke,
  document: TranscriptDocument,
  signal: AbortSignal,
): Promise<TranscriptDocument | null> {
  const segments: DraftSegment[] = [];
  let order: SegmentPiece['order'] = null;
  for (let from: number | null = 0; from !== null;) {
    if (signal.aborted) return null;
    const piece: SegmentPiece = await invoke('transcript.segments', {
      id: document.id,
      revision: document.revision,
      from,
    });
    segments.push(...piece.segments);
    from = piece.next;
    order = piece.order;
  }
  return { ...document, segments: orderSegments(segments, order) };
}
