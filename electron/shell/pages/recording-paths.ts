import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import type { RecordingStatus } from '../../contract/transcript.ts';
import type { Longhand } from '../../core/longhand.ts';
import { fileStamp } from '../../core/media/file-stamp.ts';
import { extensionOf, mimeTypeOf } from '../../core/media/media-type.ts';
import { recordingUrl, type RecordingOwner } from './media-answer.ts';

type RecordingStores = Pick<Longhand, 'transcripts' | 'queue'>;

/** Returns the path of a recording that the window may play; `null` when there is none on this computer. */
export function recordingPath(stores: RecordingStores, owner: RecordingOwner): string | null {
  const path = storedPath(stores, owner);
  return path !== null && isAbsolute(path) ? path : null;
}

/** Returns what the window needs to play a recording. */
export async function describeRecording(
  stores: RecordingStores,
  owner: RecordingOwner,
): Promise<RecordingStatus> {
  const stored = storedPath(stores, owner);
  if (stored === null) return { kind: 'none' };
  const path = recordingPath(stores, owner);
  const file = path === null ? null : await stat(path).catch(() => null);
  if (path === null || file === null || !file.isFile()) return { kind: 'missing', name: basename(stored) };
  const isVideo = mimeTypeOf(extensionOf(path))?.startsWith('video/') === true;
  const stamp = fileStamp(path, file);
  const url = recordingUrl(owner, stamp);
  return { kind: 'ready', media: isVideo ? 'video' : 'audio', url, sizeBytes: file.size, stamp };
}

function storedPath({ transcripts, queue }: RecordingStores, { kind, id }: RecordingOwner): string | null {
  if (kind === 'transcript') return transcripts.recordingOf(id)?.path ?? null;
  const source = queue.get(id)?.source;
  return source?.kind === 'file' ? source.path : null;
}
