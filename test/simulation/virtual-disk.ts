import type { FileSource } from '../../electron/core/item/item.ts';
import type { SourceFiles } from '../../electron/core/queue/scheduling/source-file.ts';

export const paths = ['/a.wav', '/b.wav', '/c.wav', '/d.wav', '/e.wav'] as const;
/** What may happen to a file. */
export const changes = ['write', 'overwrite', 'takeAway', 'bringBack', 'bringBack'] as const;

interface File {
  bytes: Uint8Array;
  mtimeMs: number;
  readonly inode: string;
}

const errorWith = (code: string): Error => Object.assign(new Error(code), { code });

/** Recordings that can change, vanish and reappear while they are read. */
export class VirtualDisk implements SourceFiles {
  readonly #files = new Map<string, File>();
  readonly #away = new Map<string, File>();
  readonly #seen = new Map<string, Uint8Array>();
  #serial = 0;

  /** Puts a new file at `path`. */
  write(path: string, bytes: Uint8Array): void {
    this.#serial += 1;
    this.#keep(path, { bytes, mtimeMs: this.#serial * 1000, inode: String(this.#serial) });
  }

  /** Changes the file's bytes in place. */
  overwrite(path: string, bytes: Uint8Array): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#serial += 1;
    file.bytes = bytes;
    file.mtimeMs = this.#serial * 1000;
    this.#keep(path, file);
  }

  /** Removes the file at `path` like an unplugged drive. */
  takeAway(path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.delete(path);
    this.#away.set(path, file);
  }

  /** Restores the removed file, unchanged. */
  bringBack(path: string): void {
    const file = this.#away.get(path);
    if (file === undefined || this.#files.has(path)) return;
    this.#away.delete(path);
    this.#files.set(path, file);
  }

  /** The file at `path` as an item's source; `null` when there is none. */
  sourceAt(path: string): FileSource | null {
    const file = this.#files.get(path);
    if (file === undefined) return null;
    const { mtimeMs, inode } = file;
    const sizeBytes = file.bytes.length;
    const fingerprint = `${path} ${mtimeMs}`;
    return { kind: 'file', path, sizeBytes, mtimeMs, inode, mimeType: 'audio/wav', fingerprint };
  }

  /** The bytes that a file had when it was added. */
  contentOf(source: FileSource): Uint8Array {
    const bytes = this.#seen.get(`${source.path} ${source.mtimeMs}`);
    if (bytes === undefined) throw new Error(`no file was ever ${source.fingerprint}`);
    return bytes;
  }

  async open({ path }: Pick<FileSource, 'path'>): ReturnType<SourceFiles['open']> {
    const file = this.#files.get(path);
    if (file === undefined) throw errorWith('ENOENT');
    return {
      stat: async () => ({ sizeBytes: file.bytes.length, mtimeMs: file.mtimeMs, inode: file.inode }),
      async read(buffer, length, position) {
        const piece = file.bytes.subarray(position, position + length);
        buffer.set(piece);
        return piece.length;
      },
      close: async () => undefined,
    };
  }

  #keep(path: string, file: File): void {
    this.#files.set(path, file);
    this.#seen.set(`${path} ${file.mtimeMs}`, file.bytes);
  }
}
