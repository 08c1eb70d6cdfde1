import type { DraftSegment, SentDocument, TranscriptDocument } from '../../../contract/model/transcript.ts';

/** A document as it crosses to the window. */
export const sendDocument = (document: TranscriptDocument): SentDocument => ({
  ...document,
  segments: JSON.stringify(document.segments),
});

/** A document as {@link sendDocument} has sent it. */
export const receiveDocument = (sent: SentDocument): TranscriptDocument => ({
  ...sent,
  // Written by the function above.
  segments: JSON.parse(sent.segments) as readonly DraftSegment[],
});
