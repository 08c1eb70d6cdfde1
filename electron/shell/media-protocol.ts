import { session } from 'electron';
import type { TranscriptId } from '../contract/model/library.ts';
import { answerMedia } from './media-answer.ts';
import { pageOrigin } from './pages.ts';

/** Serves the recordings of transcripts, and nothing else, under `media://`. */
export function serveMedia(pathOf: (id: TranscriptId) => string | null): void {
  session.defaultSession.protocol.handle('media', (request) => answerMedia(request, pathOf, pageOrigin));
}
