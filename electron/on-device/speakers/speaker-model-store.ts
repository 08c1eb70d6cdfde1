import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../contract/problem.ts';
import type { SpeakerModelsView } from '../../contract/speakers.ts';
import type { Clock } from '../../core/ports.ts';
import { downloadFile, partialPath } from '../models/download-file.ts';
import {
  downloadProblem,
  freeBytesOf,
  openConnections,
  publicMirrors,
  spareBytes,
} from '../models/model-download.ts';
import { sizeOf } from '../models/model-files.ts';
import type { OwnFolderInspector } from '../models/own-folder-inspector.ts';
import {
  isComplete,
  type PublishedSpeakerFile,
  speakerModelFiles,
  type SpeakerModelPart,
  type SpeakerModelSource,
} from './speaker-models.ts';

export interface SpeakerModelStoreOptions {
  /** Where downloaded models are kept. */
  readonly downloadFolder: string;
  readonly mirrors: readonly string[];
  readonly clock: Clock;
  /** Closed by the store. */
  readonly ownFolders: OwnFolderInspector;
  /** {@link speakerModelFiles} unless given. */
  readonly files?: Readonly<Record<SpeakerModelPart, PublishedSpeakerFile>>;
}

const recordSchema = z.object({ ownFolder: z.string().min(1) });

/** The speaker models on this computer, which tell voices apart: downloaded, or in a folder of the user. */
export class SpeakerModelStore {
  readonly #options: SpeakerModelStoreOptions;
  readonly #files: readonly PublishedSpeakerFile[];
  readonly #folder: string;
  /** The file that names the user's folder. */
  readonly #recordPath: string;

  constructor(options: SpeakerModelStoreOptions) {
    this.#options = options;
    // Smallest first, so that a broken server shows before much has been transferred.
    this.#files = Object.values(options.files ?? speakerModelFiles).sort((a, b) => a.sizeBytes - b.sizeBytes);
    this.#folder = join(options.downloadFolder, 'speakers');
    this.#recordPath = join(options.downloadFolder, 'speakers.json');
  }

  /**
   * Returns where the models are; `null` when they are not downloaded. A folder of the user is not looked into, since its
   * drive may not respond.
   */
  locate(): SpeakerModelSource | null {
    const ownFolder = this.#ownFolder();
    if (ownFolder !== null) return { folder: ownFolder, isOwn: true };
    return isComplete(this.#folder, this.#files) ? { folder: this.#folder, isOwn: false } : null;
  }

  /**
   * Looks into a folder of the user for the models.
   *
   * @throws ProblemError `model_folder_incomplete` or `model_folder_unreachable`; an error of the disk
   */
  async locateIn(folder: string): Promise<SpeakerModelSource> {
    const paths = this.#files.map(({ path }) => path);
    const missingPaths = await this.#options.ownFolders.missingFiles(folder, paths).inTime;
    if (missingPaths.length === 0) return { folder, isOwn: true };
    const detail = `missing: ${missingPaths.join(', ')}`;
    throw new ProblemError({ code: 'model_folder_incomplete', params: { folder: basename(folder) }, detail });
  }

  async describe(): Promise<SpeakerModelsView> {
    const ownFolder = this.#ownFolder();
    const source = ownFolder === null ? this.locate() : await this.locateIn(ownFolder).catch(() => null);
    return {
      isReady: source !== null,
      ownFolder: ownFolder === null ? null : basename(ownFolder),
      parts: this.#files.toReversed().map(({ name, licence, sizeBytes, url }) => {
        const { host, pathname } = new URL(url);
        const [owner, repository] = pathname.split('/').slice(1);
        return { name, licence, sizeBytes, origin: `${host}/${owner}/${repository}` };
      }),
      keptBytes: this.#files.reduce((sum, file) => sum + this.#keptBytes(file), 0),
    };
  }

  /**
   * Downloads the missing files and resumes an earlier download.
   *
   * @param onBytes called with the number of bytes of all files that are on the disk
   * @throws ProblemError `disk_full`, `model_damaged` or `model_unreachable`; the signal's reason; an error of the disk
   */
  async download(onBytes: (bytes: number) => void, signal: AbortSignal): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const missingBytes = this.#files.reduce((sum, file) => sum + file.sizeBytes - this.#keptBytes(file), 0);
    if ((await freeBytesOf(this.#folder)) < missingBytes + spareBytes)
      throw new ProblemError({ code: 'disk_full' });
    const { dispatcher, close } = await openConnections();
    let bytesBefore = 0;
    try {
      for (const file of this.#files) {
        const target = join(this.#folder, file.path);
        if (sizeOf(target) !== file.sizeBytes) {
          const bytesBeforeFile = bytesBefore;
          const context = {
            dispatcher,
            clock: this.#options.clock,
            signal,
            onBytes: (bytes: number) => onBytes(bytesBeforeFile + bytes),
          };
          await downloadFile({ ...file, urls: addressesOf(file, this.#options.mirrors) }, target, context);
        }
        bytesBefore += file.sizeBytes;
        onBytes(bytesBefore);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw downloadProblem(error);
    } finally {
      await close();
    }
  }

  /** Deletes the downloaded files. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Uses the files in a folder of the user instead. They may be other ones of the same names and shapes.
   *
   * @throws what {@link locateIn} throws
   */
  async useFolder(folder: string): Promise<void> {
    await this.locateIn(folder);
    await mkdir(this.#options.downloadFolder, { recursive: true });
    await writeFile(`${this.#recordPath}.new`, JSON.stringify({ ownFolder: folder }));
    await rename(`${this.#recordPath}.new`, this.#recordPath);
  }

  /** Stops waiting for folders of the user. */
  close(): void {
    this.#options.ownFolders.close();
  }

  /** Uses the published files again. */
  async forgetFolder(): Promise<void> {
    await rm(this.#recordPath, { force: true });
  }

  #ownFolder(): string | null {
    try {
      return recordSchema.parse(JSON.parse(readFileSync(this.#recordPath, 'utf8'))).ownFolder;
    } catch {
      return null;
    }
  }

  #keptBytes({ path, sizeBytes }: PublishedSpeakerFile): number {
    const target = join(this.#folder, path);
    return Math.min(sizeBytes, sizeOf(target) || sizeOf(partialPath(target)));
  }
}

/** Returns the addresses of a file. The user's mirrors have the paths of the public servers. */
function addressesOf({ url }: PublishedSpeakerFile, mirrors: readonly string[]): readonly string[] {
  const { origin, pathname } = new URL(url);
  const isMirrored = mirrors !== publicMirrors || publicMirrors.includes(origin);
  return isMirrored ? mirrors.map((mirror) => `${mirror}${pathname}`) : [url];
}
