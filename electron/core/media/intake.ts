import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { isTranscriptName } from '../../contract/choices.ts';
import type { Problem, ProblemCode } from '../../contract/problem.ts';
import { fingerprintOf } from './fingerprint.ts';
import { pathProblem } from './file-problem.ts';
import { parseLink, shownLink } from './links.ts';
import { openRegularFile, type OpenFile, type OpenForReading } from './open-file.ts';
import { hasMediaName, hasSharedName, recognise, recognisedBytes } from './recognise.ts';
import { walk } from './walk.ts';

/** A local file that can be transcribed, as it is now. */
export interface ExaminedFile {
  readonly kind: 'file';
  readonly path: string;
  readonly name: string;
  /** The folder as a person would say it ("Season 9 / Raw"). */
  readonly place: string;
  readonly sizeBytes: number;
  /** Modification time, Unix milliseconds with fractions. */
  readonly mtimeMs: number;
  /** The file system's number of the file, in decimal; `'0'` where there is none. */
  readonly inode: string;
  readonly mimeType: string;
  /** See {@link fingerprintOf}. */
  readonly fingerprint: string;
}

export interface ExaminedLink {
  readonly kind: 'link';
  readonly url: string;
  readonly name: string;
  /** The link's host. */
  readonly place: string;
}

/** Something that cannot be transcribed, with the reason. */
export interface LeftOutOfIntake {
  readonly kind: 'leftOut';
  readonly name: string;
  /** The folder as a person would say it; empty for a link. */
  readonly place: string;
  readonly problem: Problem;
}

/** Files in folders that nobody takes for recordings, told once as a number: nobody named them. */
export interface PassedOver {
  readonly kind: 'passedOver';
  readonly count: number;
}

/** What came of one thing that somebody gave. */
export type ExaminedOne = ExaminedFile | ExaminedLink | LeftOutOfIntake;
export type Examined = ExaminedOne | PassedOver;

/** A file to be examined, and how it came here. */
interface Candidate {
  readonly kind: 'candidate';
  readonly path: string;
  readonly place: string;
  /** Somebody named this very file; else it was found in a folder. */
  readonly named: boolean;
}

/** So many files are examined at once. */
const filesAtOnce = 32;
/** So many recordings are told together. */
const toldTogether = 64;

/** Heads of files that nobody looks at now; see `fingerprint.ts`. */
const idleHeads: Buffer[] = [];

/** Examines paths and links, in their order, and tells some at a time; see {@link examine}. */
export type Examine = (
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
) => AsyncIterable<readonly Examined[]>;

/** As {@link examine}, with some told together: the first few as soon as they are there. */
export async function* examineTogether(
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
  open: OpenForReading = openRegularFile,
): AsyncGenerator<readonly Examined[]> {
  let together: Examined[] = [];
  let enough = filesAtOnce;
  for await (const one of examine(paths, links, signal, open)) {
    if (together.push(one) < enough) continue;
    yield together;
    together = [];
    enough = toldTogether;
  }
  if (together.length > 0) yield together;
}

/**
 * Examines paths and links, in their order: folders are walked, each file is opened and its first bytes looked at.
 * What cannot be transcribed comes with its reason, and the rest goes on.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function* examine(
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
  open: OpenForReading = openRegularFile,
): AsyncGenerator<Examined> {
  const seen = new Set<string>();
  let batch: (Candidate | LeftOutOfIntake)[] = [];
  let passedOver = 0;
  const examineBatch = async (): Promise<Examined[]> => {
    signal.throwIfAborted();
    const all = await Promise.all(
      batch.map((one) => (one.kind === 'candidate' ? examineCandidate(one, open) : one)),
    );
    batch = [];
    const examined = all.filter((one) => one !== null);
    passedOver += all.length - examined.length;
    return examined;
  };
  for (const path of paths) {
    for await (const one of candidatesAt(path, signal)) {
      if (one.kind === 'passedOver') {
        passedOver += one.count;
        continue;
      }
      const repeated = one.kind === 'candidate' && seen.has(one.path);
      batch.push(repeated ? leftOut(one.path, 'already_queued') : one);
      if (one.kind === 'candidate') seen.add(one.path);
      if (batch.length === filesAtOnce) yield* await examineBatch();
    }
  }
  yield* await examineBatch();
  if (passedOver > 0) yield { kind: 'passedOver', count: passedOver };
  for (const link of links) yield examineLink(link);
}

/** Examines one file. */
export async function examineFile(path: string): Promise<ExaminedFile | LeftOutOfIntake> {
  const full = resolve(path);
  const candidate: Candidate = { kind: 'candidate', path: full, place: placeOf(full), named: true };
  return (await examineCandidate(candidate, openRegularFile)) ?? leftOut(full, 'not_media');
}

function examineLink(link: string): ExaminedLink | LeftOutOfIntake {
  const parsed = parseLink(link);
  if (!parsed.ok) return { kind: 'leftOut', name: shownLink(link), place: '', problem: parsed.problem };
  return { kind: 'link', url: parsed.url, name: parsed.name, place: parsed.host };
}

/** What a path that somebody gave stands for: the file itself, or the recordings in the folder. */
async function* candidatesAt(
  given: string,
  signal: AbortSignal,
): AsyncGenerator<Candidate | LeftOutOfIntake | PassedOver> {
  const path = resolve(given);
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) yield* candidatesIn(path, signal);
    else if (stats.isFile()) yield { kind: 'candidate', path, place: placeOf(path), named: true };
    else yield leftOut(path, 'not_a_file');
  } catch (error) {
    signal.throwIfAborted();
    yield refused(path, pathProblem(path, error));
  }
}

async function* candidatesIn(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<Candidate | LeftOutOfIntake | PassedOver> {
  let files = 0;
  let others = 0;
  let transcripts = 0;
  let told = 0;
  for await (const found of walk(folder, signal)) {
    if (found.kind === 'unreadable') {
      told += 1;
      yield refused(found.path, found.problem, placeOf(found.path, folder));
      continue;
    }
    files += 1;
    if (!hasMediaName(found.path)) {
      others += 1;
      if (isTranscriptName(found.path)) transcripts += 1;
      continue;
    }
    told += 1;
    yield { kind: 'candidate', path: found.path, place: placeOf(found.path, folder), named: false };
  }
  if (told === 0 && transcripts > 0) {
    yield refused(folder, { code: 'folder_of_transcripts', params: { path: folder, count: transcripts } });
  } else if (told === 0) yield leftOut(folder, files === 0 ? 'folder_empty' : 'folder_without_media');
  else yield { kind: 'passedOver', count: others };
}

/** `null` for a file in a folder whose extension means something else here. */
async function examineCandidate(
  { path, place, named }: Candidate,
  open: OpenForReading,
): Promise<ExaminedFile | LeftOutOfIntake | null> {
  const name = basename(path);
  const buffer = idleHeads.pop() ?? Buffer.allocUnsafeSlow(recognisedBytes);
  let handle: OpenFile | null = null;
  try {
    handle = await open(path);
    const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
    const sizeBytes = Number(size);
    if (sizeBytes === 0) return leftOut(path, 'file_empty', place);
    const { bytesRead } = await handle.read(buffer, 0, recognisedBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    const mimeType = recognise(name, head);
    if (mimeType === null) return named || !hasSharedName(name) ? leftOut(path, 'not_media', place) : null;
    return {
      kind: 'file',
      path,
      name,
      place,
      sizeBytes,
      mtimeMs: toMilliseconds(mtimeNs),
      inode: ino.toString(),
      mimeType,
      fingerprint: await fingerprintOf(handle, sizeBytes, head),
    };
  } catch (error) {
    return refused(path, pathProblem(path, error), place);
  } finally {
    idleHeads.push(buffer);
    await handle?.close();
  }
}

/** Nanoseconds as milliseconds, rounded in the way in which Node's own `mtimeMs` is. */
function toMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;
}

const leftOut = (path: string, code: ProblemCode, place?: string): LeftOutOfIntake =>
  refused(path, { code, params: { path } }, place);

const refused = (path: string, problem: Problem, place = placeOf(path)): LeftOutOfIntake => ({
  kind: 'leftOut',
  name: nameOf(path),
  place,
  problem,
});

/** The last part of a path; of a whole drive the path itself. */
function nameOf(path: string): string {
  return basename(path) === '' ? path : basename(path);
}

/** The folder of a file: by its name, or from the folder that was given downwards. */
function placeOf(path: string, given = dirname(path)): string {
  const inside = relative(given, dirname(path));
  return [nameOf(given), ...inside.split(sep)].filter((part) => part !== '').join(' / ');
}
