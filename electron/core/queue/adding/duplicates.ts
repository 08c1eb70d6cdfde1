import { isAbsolute, sep } from 'node:path';
import type { AddSheetRowId, Duplicate } from '../../../contract/add-sheet-commands.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { ContentHashes } from '../../media/fingerprint.ts';
import type { InspectedFile, InspectedLink } from '../../media/inspect-files.ts';
import type { Store } from '../../store/store.ts';
import type { FileSource, StateKind } from '../../item/item.ts';

/** What identifies a recording: its location, and the fingerprint of a file. */
type Recording = Pick<InspectedFile, 'kind' | 'path' | 'fingerprint'> | Pick<InspectedLink, 'kind' | 'url'>;

/** Returns a key that all recordings of the same content have; in rare cases, others have it too. */
export const contentKey = (recording: Recording): string =>
  recording.kind === 'file' ? recording.fingerprint : recording.url;

/** Whether two files are most likely the same recording, wherever they are stored. */
export const isSameRecording = (one: FileSource, other: FileSource): boolean =>
  one.fingerprint === other.fingerprint && one.sizeBytes === other.sizeBytes;

/** Where a recording is. */
export type RecordingLocation = Pick<InspectedFile, 'kind' | 'path'> | Pick<InspectedLink, 'kind' | 'url'>;

/** Returns where a recording is: its path or link. */
export const locationOf = (recording: RecordingLocation): string =>
  recording.kind === 'file' ? recording.path : recording.url;

/**
 * Whether a recording has the same content as the one at location `other`. Call it only for recordings with an equal
 * {@link contentKey}: that proves it for links; of files, the whole contents are compared.
 *
 * @param resultIfUnreadable the result when one of the files cannot be read.
 * @throws the reason of the signal of `hashes` when it is aborted.
 */
export async function isSameContent(
  recording: Recording,
  other: string,
  hashes: ContentHashes,
  resultIfUnreadable = false,
): Promise<boolean> {
  if (recording.kind === 'link' || recording.path === other) return true;
  // One after the other: if the other file is missing, this one need not be read.
  const otherHash = await hashes.of(other);
  const hash = otherHash === null ? null : await hashes.of(recording.path);
  return hash === null ? resultIfUnreadable : hash === otherHash;
}

/** A recording on a sheet; others of the same content are its duplicates. */
export interface SheetOriginal {
  readonly id: AddSheetRowId;
  readonly recording: InspectedFile | InspectedLink;
}

/** The recordings on one sheet by content. */
export class SheetContents {
  readonly #originals = new Map<string, readonly SheetOriginal[]>();
  readonly #locations = new Set<string>();

  /** Records a location; returns whether it is new on the sheet. */
  addLocation(recording: Recording): boolean {
    const location = locationOf(recording);
    if (this.#locations.has(location)) return false;
    this.#locations.add(location);
    return true;
  }

  /** Finds the recording on the sheet that has the same content. @throws as {@link isSameContent} does. */
  async find(recording: Recording, hashes: ContentHashes): Promise<SheetOriginal | null> {
    for (const original of this.#originals.get(contentKey(recording)) ?? [])
      if (await isSameContent(recording, locationOf(original.recording), hashes)) return original;
    return null;
  }

  /** Returns the recordings on the sheet that most likely have the same content, each content once. */
  likely(recording: Recording): readonly SheetOriginal[] {
    return this.#originals.get(contentKey(recording)) ?? [];
  }

  /** Adds an original, in place of `replaced` if that has the same content. */
  add(original: SheetOriginal, replaced: SheetOriginal | null): void {
    const content = contentKey(original.recording);
    const others = (this.#originals.get(content) ?? []).filter((other) => other !== replaced);
    this.#originals.set(content, [...others, original]);
  }
}

/**
 * Whether `recording` should be transcribed rather than `other`, which has the same content. The one that was in the
 * queue before is preferred, then the one nearer to the root, since copies and backups lie deeper, then the one that is
 * not called a copy. Subtitles are saved next to the preferred one.
 */
export function isPreferredCopy(
  { itemsByContent }: Pick<Store, 'itemsByContent'>,
  recording: InspectedFile | InspectedLink,
  other: InspectedFile | InspectedLink,
): boolean {
  if (recording.kind === 'link' || other.kind === 'link') return false;
  const queuedPaths = itemsByContent
    .likely(contentKey(recording))
    .map(({ location }) => location)
    .filter((location) => location === recording.path || location === other.path);
  if (queuedPaths.length > 0)
    return queuedPaths.includes(recording.path) && !queuedPaths.includes(other.path);
  const depthDifference = depthOf(recording.path) - depthOf(other.path);
  return depthDifference === 0
    ? isCalledCopy(other.path) && !isCalledCopy(recording.path)
    : depthDifference < 0;
}

/** Whether the file or its folder has the name of a copy, in the languages of the window. */
const isCalledCopy = (path: string): boolean =>
  path
    .split(sep)
    .slice(-2)
    .some((name) =>
      /\b(copy|copies|backups?|old|archive|kopien?|sicherung|archiv|copias?|respaldo|archivo)\b|\(\d+\)/i.test(
        name,
      ),
    );

const depthOf = (path: string): number => path.split(sep).length;

/**
 * Finds a recording of the same content in the library, or an unfinished one in the queue. One whose file is gone is
 * assumed to have the same content: the user can still choose to add this one on the sheet.
 */
export async function findDuplicate(
  { itemsByContent, transcripts }: Pick<Store, 'itemsByContent' | 'transcripts'>,
  recording: InspectedFile | InspectedLink,
  hashes: ContentHashes,
): Promise<Duplicate | null> {
  const inLibrary = await findInLibrary(transcripts, recording, hashes);
  if (inLibrary?.kind === 'transcript') return inLibrary;
  let queued: Duplicate | null = null;
  for (const { id, kind, location } of itemsByContent.likely(contentKey(recording))) {
    if (hasEndedWithoutTranscript(kind)) continue;
    // Before its row is parsed: there may be thousands of other contents with the same fingerprint.
    if (!(await isSameContent(recording, location, hashes, true))) continue;
    const item = itemsByContent.get(id);
    if (item === null || hasEndedWithoutTranscript(item.state.kind)) continue;
    const { name, state } = item;
    const transcript = transcripts.ofItem(item);
    // A recording whose transcript was deleted counts as new.
    if (state.kind === 'done' && transcript === null) continue;
    if (transcript !== null)
      return { kind: 'transcript', transcriptId: transcript.id, isTrashed: transcript.isTrashed, name };
    queued ??= { kind: 'queue', itemId: id, name };
  }
  return queued ?? inLibrary;
}

/** Whether an item has ended, or is about to, without a transcript. */
const hasEndedWithoutTranscript = (kind: StateKind): boolean =>
  kind === 'cancelled' || kind === 'failed' || kind === 'cancelling';

/** Finds an item of the same recording, at the same location, that ended without a transcript and can be retried. */
export function findUnsuccessful(
  { itemsByContent }: Pick<Store, 'itemsByContent'>,
  recording: InspectedFile | InspectedLink,
): QueuedDuplicate | null {
  for (const { id, kind, location } of itemsByContent.likely(contentKey(recording))) {
    if ((kind !== 'cancelled' && kind !== 'failed') || location !== locationOf(recording)) continue;
    const item = itemsByContent.get(id);
    if (item !== null) return { kind, itemId: id, name: item.name };
  }
  return null;
}

/** A recording on the sheet whose content is in the queue. */
export type QueuedDuplicate = Extract<Duplicate, { readonly itemId: ItemId }>;

/** Returns what a recording is a duplicate of now that its item may have changed; `null` if it is a new one. */
export function currentDuplicate(
  { items, transcripts }: Pick<Store, 'items' | 'transcripts'>,
  duplicate: QueuedDuplicate,
): Duplicate | null {
  const { itemId, name } = duplicate;
  const item = items.get(itemId);
  if (item === null) return null;
  const { kind } = item.state;
  // Its job is still being deleted: only then it can be retried.
  if (kind === 'cancelling') return duplicate;
  if (kind === 'failed' || kind === 'cancelled') return { kind, itemId, name };
  const transcript = transcripts.ofItem(item);
  if (transcript !== null)
    return { kind: 'transcript', transcriptId: transcript.id, isTrashed: transcript.isTrashed, name };
  return kind === 'done' ? null : { kind: 'queue', itemId, name };
}

/** Whether a duplicate is transcribed or will be; not one that failed or was cancelled, which may be retried later. */
export const isInQueueOrLibrary = (duplicate: Duplicate | null): boolean =>
  duplicate?.kind === 'queue' || duplicate?.kind === 'transcript';

/** Whether a recording is added only if the user includes it: it, or a copy of it, is or will be transcribed. */
export const isExcludedByDefault = (duplicate: Duplicate | null): boolean =>
  duplicate !== null && duplicate.kind !== 'attached';

/** Finds the transcript of a recording of the same content, even if its row in the queue was cleared. */
async function findInLibrary(
  transcripts: Store['transcripts'],
  recording: InspectedFile | InspectedLink,
  hashes: ContentHashes,
): Promise<Duplicate | null> {
  for (const { id, name, isImported, isTrashed, path } of transcripts.withContent(contentKey(recording))) {
    // Of a restored transcript, only the name of the recording may be known, which counts as a missing file. So does
    // the transcribed recording while the transcript is linked to another file.
    if (path !== null && isAbsolute(path) && !(await isSameContent(recording, path, hashes, true))) continue;
    return { kind: isImported ? 'attached' : 'transcript', transcriptId: id, isTrashed, name };
  }
  return null;
}
