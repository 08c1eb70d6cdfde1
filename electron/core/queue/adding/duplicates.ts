import type { Duplicate } from '../../../contract/add-sheet.ts';
import { hashOfContent } from '../../media/fingerprint.ts';
import type { InspectedFile, InspectedLink } from '../../media/inspect-files.ts';
import type { Store } from '../../store/store.ts';
import type { FileSource, Source } from '../../item/item.ts';

/** Two recordings that may have the same content. */
type Recording = Pick<InspectedFile, 'kind' | 'path' | 'fingerprint'> | Pick<InspectedLink, 'kind' | 'url'>;

/** What two recordings of the same content have in common; others may, by a rare chance. */
export const contentOf = (recording: Recording): string =>
  recording.kind === 'file' ? recording.fingerprint : recording.url;

/** Whether two files are most likely the same recording, wherever they are. */
export const isSameRecording = (one: FileSource, other: FileSource): boolean =>
  one.fingerprint === other.fingerprint && one.sizeBytes === other.sizeBytes;

/** Where a recording is: a path or a link. */
export const locationOf = (recording: Recording): string =>
  recording.kind === 'file' ? recording.path : recording.url;

/**
 * Whether a recording has the content of what lies at `other`. A fingerprint makes two files likely doubles; only their
 * whole contents prove it, and nothing is left out on a guess.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function isSameContent(
  recording: Recording,
  other: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (recording.kind === 'link' || recording.path === other) return true;
  try {
    const [one, two] = await Promise.all([
      hashOfContent(recording.path, signal),
      hashOfContent(other, signal),
    ]);
    return one === two;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The recordings on one sheet, by their content. */
export type SheetContents = Map<string, { readonly at: string; readonly name: string }[]>;

/** Where a recording is on the sheet already; a new one is put there. `same file`: nothing else than that one. */
export async function findOnSheet(
  contents: SheetContents,
  recording: InspectedFile | InspectedLink,
  signal: AbortSignal,
): Promise<Duplicate | 'same file' | null> {
  const at = locationOf(recording);
  const content = contentOf(recording);
  const others = contents.get(content) ?? [];
  if (others.some((other) => other.at === at)) return 'same file';
  for (const other of others) {
    if (await isSameContent(recording, other.at, signal)) return { kind: 'batch', name: other.name };
  }
  contents.set(content, [...others, { at, name: recording.name }]);
  return null;
}

/** Where a recording is already: as a transcript, or in the queue on its way to one. */
export async function findDuplicate(
  { contents, transcripts }: Pick<Store, 'contents' | 'transcripts'>,
  recording: InspectedFile | InspectedLink,
  signal: AbortSignal,
): Promise<Duplicate | null> {
  const likely = contents.onAnyService(contentOf(recording));
  const inLibrary = await findInLibrary(transcripts, recording, signal);
  if (inLibrary !== null) return inLibrary;
  let onItsWay: Duplicate | null = null;
  for (const { id, name, source, state } of likely) {
    if (state.kind === 'cancelled' || state.kind === 'failed' || state.kind === 'cancelling') continue;
    if (!(await isLikelySame(recording, source, signal))) continue;
    if (state.kind === 'done') return { kind: 'transcript', transcriptId: state.transcriptId, name };
    onItsWay ??= { kind: 'queue', itemId: id, name };
  }
  return onItsWay;
}

/** A transcript whose row has long been cleared is one all the same. */
async function findInLibrary(
  transcripts: Store['transcripts'],
  recording: InspectedFile | InspectedLink,
  signal: AbortSignal,
): Promise<Duplicate | null> {
  for (const id of transcripts.withContent(contentOf(recording))) {
    const at = transcripts.recordingOf(id)?.path;
    const transcript = transcripts.get(id);
    if (at === undefined || transcript === null) continue;
    if (!(await isLikelySame(recording, { kind: 'file', path: at }, signal))) continue;
    return { kind: 'transcript', transcriptId: id, name: transcript.name };
  }
  return null;
}

/**
 * As {@link isSameContent}; a file that is no longer there to be compared with is taken for the same, for whoever looks
 * at the sheet can still choose to add this one.
 */
async function isLikelySame(
  recording: InspectedFile | InspectedLink,
  source: Pick<Extract<Source, { kind: 'file' }>, 'kind' | 'path'> | Extract<Source, { kind: 'link' }>,
  signal: AbortSignal,
): Promise<boolean> {
  if (recording.kind === 'link' || source.kind === 'link' || recording.path === source.path) return true;
  try {
    return (await hashOfContent(source.path, signal)) === (await hashOfContent(recording.path, signal));
  } catch {
    signal.throwIfAborted();
    return true;
  }
}
