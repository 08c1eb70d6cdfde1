import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type {
  DraftSegment,
  SegmentPiece,
  TranscriptDocument,
} from '../../../electron/contract/transcript.ts';
import { orderSegments } from '../../../electron/core/transcript/edit/draft.ts';
import type { Ask } from '../../bridge.ts';
import { asProblem } from '../../notices.ts';

const always = (): boolean => true;

/**
 * Reads a transcript, a long one piece by piece; `null` when there is none, or when it is no longer wanted.
 *
 * @param isWanted asked before each piece: nothing more is read of a transcript that was closed meanwhile.
 * @param onBeginning given what a long one begins with; the rest is read when it is done.
 * @throws ProblemError what stands in the way.
 */
export async function openDocument(
  ask: Ask,
  id: TranscriptId,
  isWanted: () => boolean = always,
  onBeginning: (beginning: TranscriptDocument) => Promise<void> = () => Promise.resolve(),
): Promise<TranscriptDocument | null> {
  while (isWanted()) {
    const sent = await ask('transcript.get', { id });
    if (sent === null) return null;
    const { isWhole, ...document } = sent;
    if (isWhole) return document;
    if (isWanted()) await onBeginning(document);
    try {
      return await whole(ask, document, isWanted);
    } catch (error) {
      const { code } = asProblem(error);
      // Deleted while it was read.
      if (code === 'transcript_gone') return null;
      // Changed while it was read, it is read again.
      if (code !== 'transcript_changed') throw error;
    }
  }
  return null;
}

async function whole(
  ask: Ask,
  document: TranscriptDocument,
  isWanted: () => boolean,
): Promise<TranscriptDocument | null> {
  const segments: DraftSegment[] = [];
  let order: SegmentPiece['order'] = null;
  for (let from: number | null = 0; from !== null;) {
    if (!isWanted()) return null;
    const piece: SegmentPiece = await ask('transcript.segments', {
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
