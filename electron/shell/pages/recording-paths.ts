import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import type { RecordingFile } from '../../contract/library-commands.ts';
import type { RecordingStatus } from '../../contract/recording-status.ts';
import { stateOfRecording } from '../../core/library/recordings.ts';
import type { Longhand } from '../../core/longhand.ts';
import { fileStamp } from '../../core/media/file-stamp.ts';
import { extensionOf, mimeTypeOf } from '../../core/media/media-type.ts';
import { recordingUrl, type RecordingOwner } from './media-answer.ts';

type RecordingStores = Pick<Longhand, 'transcripts' | 'queue'>;

/** Returns the path of a recording that the window may play; `null` when there is none on this computer. */
export function recordingPath(stores: RecordingStores, owner: RecordingOwner): string | null {
  const path = storedRecording(stores, owner)?.path ?? '';
  return isAbsolute(path) ? path : null;
}

/** Returns what the window needs to play a recording. */
export async function describeRecording(
  stores: RecordingStores,
  owner: RecordingOwner,
): Promise<RecordingStatus> {
  const stored = storedRecording(stores, owner);
  if (stored === null) return { kind: 'none' };
  const { path } = stored;
  const state = await stateOfRecording(stored);
  const file = state === 'missing' ? null : await stat(path).catch(() => null);
  if (file === null) return { kind: 'missing', name: basename(path) };
  if (state === 'replaced') return { kind: 'replaced', name: basename(path) };
  const isVideo = mimeTypeOf(extensionOf(path))?.startsWith('video/') === true;
  const stamp = fileStamp(path, file);
  const url = recordingUrl(owner, stamp);
  return { kind: 'ready', media: isVideo ? 'video' : 'audio', url, sizeBytes: file.size, stamp };
}

function storedRecording(
  { transcripts, queue }: RecordingStores,
  { kind, id }: RecordingOwner,
): Pick<RecordingFile, 'path' | 'fingerprint'> | null {
  if (kind === 'transcript') return transcripts.recordingOf(id);
  const source = queue.get(id)?.source;
  return source?.kind === 'file' ? source : null;
}
