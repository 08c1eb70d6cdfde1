import type { TranscriptId } from '../../../electron/contract/model/identifiers.ts';
import type {
  SegmentPiece,
  SentDocument,
  TranscriptDocument,
} from '../../../electron/contract/model/transcript.ts';
import { inOrder } from '../../../electron/core/library/edit/segment-pieces.ts';
import type { Ask } from '../../bridge.ts';
import { asProblem } from '../../notices.ts';

/**
 * Reads a transcript, a long one piece by piece; `null` when there is none.
 *
 * @throws ProblemError what stands in the way.
 */
export async function openDocument(ask: Ask, id: TranscriptId): Promise<TranscriptDocument | null> {
  for (;;) {
    const sent = await ask('transcript.get', { id });
    if (sent === null) return null;
    try {
      return await whole(ask, sent);
    } catch (error) {
      // Changed while it was read, it is read again.
      if (asProblem(error).code !== 'transcript_changed') throw error;
    }
  }
}

async function whole(ask: Ask, sent: SentDocument): Promise<TranscriptDocument> {
  const { next: second, order: known, ...document } = sent;
  if (second === null) return document;
  const segments = [...document.segments];
  let order = known;
  for (let from: number | null = second; from !== null;) {
    const piece: SegmentPiece = await ask('transcript.segments', {
      id: document.id,
      revision: document.revision,
      from,
    });
    segments.push(...piece.segments);
    from = piece.next;
    order = piece.order;
  }
  return { ...document, segments: inOrder(segments, order) };
}
