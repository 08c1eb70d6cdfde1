import type { Inspect, Found } from '../../media/inspect-files.ts';
import { Yielder } from '../../yielder.ts';
import { FolderTranscripts, richestOfEachName } from './folder-transcripts.ts';
import { findFiles, type ImportOptions } from './import-files.ts';

type OfferOptions = Pick<ImportOptions, 'store' | 'clock' | 'read'>;

/** What an import of folders would do. */
interface ExpectedImport {
  /** The files that it would add, or say why they cannot be read. */
  readonly added: readonly string[];
  /** How many files it would find in the library or in the trash. */
  readonly known: number;
}

/**
 * Inspects as `inspect` does, but offers only the transcripts of folders that an import would add: neither those that are
 * in the library or in the trash, such as its own exports, nor what is not a transcript.
 */
export const offerNewTranscripts = (inspect: Inspect, options: OfferOptions): Inspect =>
  async function* (paths, links, signal) {
    for await (const batch of inspect(paths, links, signal)) {
      const offered: Found[] = [];
      for (const one of batch) offered.push(...(await offeredOf(one, options, signal)));
      yield offered;
    }
  };

async function offeredOf(
  found: Found,
  options: OfferOptions,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (found.kind === 'transcripts') {
    const { added } = await expectImport(found.paths, options, signal);
    const isAdded = new Set(added);
    const known = found.paths.filter((path) => !isAdded.has(path));
    const skipped: Found = { kind: 'skipped', counts: new Map(known.map((path) => [path, 1])) };
    return [{ ...found, paths: added }, skipped];
  }
  if (found.kind !== 'rejected' || found.problem.code !== 'folder_of_transcripts') return [found];
  const path = String(found.problem.params?.['path']);
  const { added, known } = await expectImport([path], options, signal);
  if (added.length > 0)
    return [{ ...found, problem: { code: 'folder_of_transcripts', params: { path, count: added.length } } }];
  const code = known > 0 ? 'folder_of_known_transcripts' : 'folder_without_media';
  return [{ ...found, problem: { code, params: { path } } }];
}

/** @throws CancelledError or the signal's reason when it is aborted */
async function expectImport(
  paths: readonly string[],
  { store, clock, read }: OfferOptions,
  signal: AbortSignal,
): Promise<ExpectedImport> {
  const found = await findFiles(paths, signal, () => undefined);
  const yielder = new Yielder(clock);
  const inFolders = new FolderTranscripts({ store, yielder, signal });
  const added: string[] = [];
  let known = 0;
  for (const path of richestOfEachName(found.paths)) {
    const reading = await read(path, signal);
    const isNoTranscript = reading.kind === 'failed' && reading.problem.code === 'not_a_transcript';
    const file = isNoTranscript ? ({ kind: 'other' } as const) : await inFolders.kindOf(path, reading);
    if (file === null) break;
    if (file.kind === 'new') {
      added.push(path);
      inFolders.add(path, reading);
    } else if (file.kind !== 'other') known += 1;
    await yielder.yieldIfDue();
  }
  signal.throwIfAborted();
  return { added, known };
}
