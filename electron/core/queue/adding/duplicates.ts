import { basename, dirname, extname, isAbsolute, sep } from 'node:path';
import type { AddSheetRowId, Duplicate } from '../../../contract/add-sheet-commands.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import { ContentHashes } from '../../media/fingerprint.ts';
import type { Found, InspectedFile, InspectedLink } from '../../media/inspect-files.ts';
import type { KnownRecording } from '../../store/items/items-by-content.ts';
import type { Store } from '../../store/store.ts';
import { isFinished, type FileSource, type Item, type StateKind } from '../../item/item.ts';

/** What identifies a recording: its location, and the fingerprint and modification time of a file. */
type Recording =
  Pick<InspectedFile, 'kind' | 'path' | 'fingerprint' | 'mtimeMs'> | Pick<InspectedLink, 'kind' | 'url'>;

/** Returns a key that all recordings of the same content have; in rare cases, others have it too. */
const contentKey = (recording: Recording): string =>
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
 * Whether a recording has the same content as `other`. Call it only for recordings with an equal {@link contentKey}. For
 * links, an equal key is proof; for files, the whole contents are compared: with the hash of what was sent, or else with
 * the file that is at the other's location now.
 *
 * @param resultIfUnreadable the result when one of the files cannot be read.
 * @throws the reason of the signal of `hashes` when it is aborted.
 */
export async function isSameContent(
  recording: Recording,
  { location, contentHash, mtimeMs }: KnownRecording,
  hashes: ContentHashes,
  resultIfUnreadable = false,
): Promise<boolean> {
  if (recording.kind === 'link') return true;
  if (recording.path === location && (contentHash === null || recording.mtimeMs === mtimeMs)) return true;
  // One after the other: if the other file is missing, this one need not be read.
  const otherHash = contentHash ?? (location === null ? null : await hashes.of(location));
  const hash = otherHash === null ? null : await hashes.of(recording.path);
  return hash === null ? resultIfUnreadable : hash === otherHash;
}

/** A recording that was not sent, so that it is what its file contains now. */
export const unsent = (location: string): KnownRecording => ({
  location,
  contentHash: null,
  mtimeMs: null,
});

/** The first recording of its content on a sheet, or in an addition without one; others of the same content are copies. */
export interface OriginalRecording {
  /** 0 without a sheet. */
  readonly id: AddSheetRowId;
  readonly recording: InspectedFile | InspectedLink;
}

/** The recordings of one sheet, or of one addition without a sheet, by content. */
export class ContentIndex {
  readonly #originals = new Map<string, readonly OriginalRecording[]>();
  readonly #locations = new Set<string>();

  /** Records a location; returns whether it is new. */
  addLocation(recording: Recording): boolean {
    const location = locationOf(recording);
    if (this.#locations.has(location)) return false;
    this.#locations.add(location);
    return true;
  }

  /** Finds the original that has the same content as a recording. @throws as {@link isSameContent} does. */
  async find(recording: Recording, hashes: ContentHashes): Promise<OriginalRecording | null> {
    for (const original of this.#originals.get(contentKey(recording)) ?? [])
      if (await isSameContent(recording, unsent(locationOf(original.recording)), hashes)) return original;
    return null;
  }

  /** Returns the originals that most likely have the same content as a recording. */
  likelyOriginals(recording: Recording): readonly OriginalRecording[] {
    return this.#originals.get(contentKey(recording)) ?? [];
  }

  /** Adds an original, in place of `replaced` if that has the same content. */
  add(original: OriginalRecording, replaced: OriginalRecording | null): void {
    const content = contentKey(original.recording);
    const others = (this.#originals.get(content) ?? []).filter((other) => other !== replaced);
    this.#originals.set(content, [...others, original]);
  }
}

/**
 * Whether `recording` should be transcribed rather than `other`, which has the same content. The one that was in the
 * queue before is preferred, then the one whose name is not that of a copy, then the one nearer to the root, since copies
 * and backups lie deeper, then the one whose folder is not named like a folder of copies, then the one whose name the
 * other's name begins with, as `talk` and `talk 2`. Subtitles are saved next to the preferred one.
 */
export function isPreferredCopy(
  { itemsByContent }: Pick<Store, 'itemsByContent'>,
  recording: InspectedFile | InspectedLink,
  other: InspectedFile | InspectedLink,
): boolean {
  if (recording.kind === 'link' || other.kind === 'link') return false;
  const queuedPaths = itemsByContent
    .withFingerprint(contentKey(recording))
    .map(({ location }) => location)
    .filter((location) => location === recording.path || location === other.path);
  if (queuedPaths.length > 0)
    return queuedPaths.includes(recording.path) && !queuedPaths.includes(other.path);
  const difference =
    copyMarksOf(basename(recording.path)) - copyMarksOf(basename(other.path)) ||
    depthOf(recording.path) - depthOf(other.path) ||
    copyMarksOf(folderOf(recording.path)) - copyMarksOf(folderOf(other.path));
  return difference === 0
    ? stemOf(other.path) !== stemOf(recording.path) && stemOf(other.path).startsWith(stemOf(recording.path))
    : difference < 0;
}

/**
 * Among files that most likely have the same content, swaps the preferred one with the first; all other positions stay.
 * Whatever adds recordings in this order takes the preferred one.
 */
export function preferredFirst(store: Pick<Store, 'itemsByContent'>, group: readonly Found[]): Found[] {
  const ordered = [...group];
  const files = ordered.filter((one) => one.kind === 'file');
  for (const [, same] of Map.groupBy(files, contentKey)) {
    const preferred = same.reduce((best, one) => (isPreferredCopy(store, one, best) ? one : best));
    const first = same[0] ?? preferred;
    const [from, to] = [ordered.indexOf(preferred), ordered.indexOf(first)];
    ordered[from] = first;
    ordered[to] = preferred;
  }
  return ordered;
}

/** Words in the names of copies and of the folders of copies, in the languages of the window. */
const copyWords: ReadonlySet<string> = new Set(
  'copy copies backup backups old archive kopie kopien sicherung archiv copia copias respaldo archivo'.split(
    ' ',
  ),
);

/** Returns 1 for a name of a copy or of a folder of copies, otherwise 0. */
function copyMarksOf(name: string): number {
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  return /\(\d+\)/.test(name) || words.some((word) => copyWords.has(word)) ? 1 : 0;
}

const folderOf = (path: string): string => basename(dirname(path));

const stemOf = (path: string): string => basename(path, extname(path));

const depthOf = (path: string): number => path.split(sep).length;

/** The parts of a store that say which recordings are known. */
type KnownStore = Pick<Store, 'itemsByContent' | 'transcripts'>;

/**
 * What makes a recording known. `unfinished`: only an item that will still have a transcript, for a user who wants
 * recordings transcribed again; `outside-trash`: also a transcript that is not in the trash, and an item that can be
 * retried; `all`: also a transcript in the trash.
 */
export type KnownScope = 'all' | 'outside-trash' | 'unfinished';

/**
 * Finds a recording of the same content in the library or in the queue, for any service. It is the only place that
 * decides what is known: whatever adds recordings, or says what adding them would do, asks here. One whose file is gone
 * is assumed to have the same content: the user can still choose to add this one on the sheet.
 */
export async function findDuplicate(
  { itemsByContent, transcripts }: KnownStore,
  recording: InspectedFile | InspectedLink,
  hashes: ContentHashes,
  scope: KnownScope = 'all',
): Promise<KnownDuplicate | null> {
  let found = scope === 'unfinished' ? null : await findInLibrary(transcripts, recording, hashes, scope);
  for (const { id, kind, ...known } of itemsByContent.withFingerprint(contentKey(recording))) {
    if (found !== null && precedenceOf(found) === 0) return found;
    // What ended without a transcript is only retried with the same file.
    const isElsewhere = known.location !== locationOf(recording);
    if ((isElsewhere && isRetryable(kind)) || (scope === 'unfinished' && isFinished(kind))) continue;
    // Compared before its row is parsed: thousands of other contents may have the same fingerprint.
    if (!(await isSameContent(recording, known, hashes, true))) continue;
    const item = itemsByContent.get(id);
    const duplicate = item === null ? null : duplicateOf(transcripts, item);
    if (duplicate === null || !isInScope(duplicate, scope)) continue;
    if (isElsewhere && isRetryable(duplicate.kind)) continue;
    if (found === null || precedenceOf(duplicate) < precedenceOf(found)) found = duplicate;
  }
  return found;
}

/** A recording that is known, not one of the same addition. */
type KnownDuplicate = Exclude<Duplicate, { readonly kind: 'copy' }>;

/** A recording on the sheet whose content is in the queue. */
export type QueuedDuplicate = Extract<Duplicate, { readonly itemId: ItemId }>;

/** Whether a duplicate is an item that ended without a transcript and can be retried. */
const isRetryable = (kind: StateKind | Duplicate['kind']): boolean =>
  kind === 'failed' || kind === 'cancelled';

function isInScope(duplicate: KnownDuplicate, scope: KnownScope): boolean {
  if (scope === 'unfinished') return duplicate.kind === 'queue';
  return scope === 'all' || !('isTrashed' in duplicate && duplicate.isTrashed);
}

/** The duplicate with the lowest number is the best reason not to transcribe a recording. */
function precedenceOf(duplicate: KnownDuplicate): number {
  switch (duplicate.kind) {
    case 'transcript':
      return duplicate.isTrashed ? 2 : 0;
    case 'queue':
      return 1;
    case 'imported':
      return 3;
    case 'failed':
    case 'cancelled':
      return 4;
  }
}

/** Returns what a recording with the content of an item is a duplicate of; `null` if it counts as new. */
function duplicateOf(transcripts: Store['transcripts'], item: Item): KnownDuplicate | null {
  const { id: itemId, name, state } = item;
  if (state.kind === 'failed' || state.kind === 'cancelled') return { kind: state.kind, itemId, name };
  if (state.kind === 'cancelling') {
    // An item that gets another job once this one is deleted, for example after a removal is undone, is still in the
    // queue. Any other cancelling item will have no transcript.
    const isContinued = state.next.kind === 'waiting' || state.next.kind === 'blocked';
    return isContinued ? { kind: 'queue', itemId, name } : null;
  }
  const transcript = transcripts.ofItem(item);
  if (transcript !== null)
    return { kind: 'transcript', transcriptId: transcript.id, isTrashed: transcript.isTrashed, name };
  // A recording whose transcript was deleted counts as new.
  return state.kind === 'done' ? null : { kind: 'queue', itemId, name };
}

/** Returns what a recording is a duplicate of now that its item may have changed; `null` if it is a new one. */
export function currentDuplicate(
  { items, transcripts }: Pick<Store, 'items' | 'transcripts'>,
  duplicate: QueuedDuplicate,
): Duplicate | null {
  const item = items.get(duplicate.itemId);
  if (item === null) return null;
  // Its job is still being deleted: it can be retried after that.
  return item.state.kind === 'cancelling' ? duplicate : duplicateOf(transcripts, item);
}

/**
 * The recordings of one addition without the add sheet, and what is known of them. Of several of the same content, all
 * but the first are duplicates of kind `copy`.
 */
export class AdditionContents {
  readonly #store: KnownStore;
  readonly #scope: KnownScope;
  readonly #hashes: ContentHashes;
  readonly #contents = new ContentIndex();

  constructor(store: KnownStore, scope: KnownScope, signal: AbortSignal) {
    this.#store = store;
    this.#scope = scope;
    this.#hashes = new ContentHashes(signal);
  }

  /** Finds what a recording is a duplicate of, as {@link findDuplicate} does. */
  async find(recording: InspectedFile | InspectedLink): Promise<Duplicate | null> {
    const known = await findDuplicate(this.#store, recording, this.#hashes, this.#scope);
    if (known !== null && !isRetryable(known.kind)) return known;
    const original = await this.#contents.find(recording, this.#hashes);
    return original === null ? known : { kind: 'copy', name: original.recording.name };
  }

  /** Records a recording that is added or retried. */
  add(recording: InspectedFile | InspectedLink): void {
    this.#contents.add({ id: 0, recording }, null);
  }
}

/** Whether a duplicate is transcribed or will be; not one that failed or was cancelled, which may be retried later. */
export const isInQueueOrLibrary = (duplicate: Duplicate | null): boolean =>
  duplicate?.kind === 'queue' || duplicate?.kind === 'transcript';

/**
 * Whether a recording is added only if the user includes it: its content is already on the sheet, in the queue, even
 * failed or cancelled, or in the library, except as a recording of an imported text.
 */
export const isExcludedByDefault = (duplicate: Duplicate | null): boolean =>
  duplicate !== null && duplicate.kind !== 'imported';

/** Finds the transcript of a recording of the same content, even if its row in the queue was cleared. */
async function findInLibrary(
  transcripts: Store['transcripts'],
  recording: InspectedFile | InspectedLink,
  hashes: ContentHashes,
  scope: KnownScope,
): Promise<KnownDuplicate | null> {
  for (const { id, name, isImported, isTrashed, path, ...known } of transcripts.withContent(
    contentKey(recording),
  )) {
    if (isTrashed && scope === 'outside-trash') continue;
    // A transcript from a backup may know only the file name of its recording, which counts as a missing file. So does the
    // transcribed recording while the transcript is linked to another file.
    const location = path !== null && isAbsolute(path) ? path : null;
    if (!(await isSameContent(recording, { ...known, location }, hashes, true))) continue;
    return { kind: isImported ? 'imported' : 'transcript', transcriptId: id, isTrashed, name };
  }
  return null;
}
