import { session } from 'electron';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { pageOrigin } from './pages.ts';

/** The path of a transcript's recording; `null` when it has none. */
export type RecordingPath = (id: TranscriptId) => string | null;

/**
 * Serves the recordings of transcripts, and nothing else, under `media://`. Has to be called before a page is opened,
 * which knows no scheme that comes later; requests wait until there is somebody to say where recordings are.
 *
 * @returns to be told who says it.
 */
export function serveRecordings(): (pathOf: RecordingPath) => void {
  const { promise, resolve } = Promise.withResolvers<RecordingPath>();
  session.defaultSession.protocol.handle('media', async (request) => {
    const { answerMedia } = await import('./media-answer.ts');
    return answerMedia(request, await promise, pageOrigin);
  });
  return resolve;
}
