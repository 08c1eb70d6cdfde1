import type { FileSource } from '../../electron/core/item/item.ts';
import type { SourceFiles } from '../../electron/core/queue/scheduling/source-file.ts';

export const paths = ['/a.wav', '/b.wav', '/c.wav', '/d.wav', '/e.wav'] as const;
/** What can happen to a file. */
export const changes = ['write', 'overwrite', 'unplug', 'replug', 'replug'] as const;

interface File {
  bytes: Uint8Array;
  mtimeMs: number;
  readonly inode: string;
}

const errorWith = (code: string): Error => Object.assign(new Error(code), { code });

/** Recordings that can change, vanish and reappear while they are read. */
export class VirtualDisk implements SourceFiles {
  readonly #files = new Map<string, File>();
  readonly #unplugged = new Map<string, File>();
  /** The bytes of each version of each file. */
  readonly #contents = new Map<string, Uint8Array>();
  #serial = 0;

  /** Puts a new file at `path`. */
  write(path: string, bytes: Uint8Array): void {
    this.#serial += 1;
    this.#store(path, { bytes, mtimeMs: this.#serial * 1000, inode: String(this.#serial) });
  }

  /** Changes the file's bytes in place. */
  overwrite(path: string, bytes: Uint8Array): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#serial += 1;
    file.bytes = bytes;
    file.mtimeMs = this.#serial * 1000;
    this.#store(path, file);
  }

  /** Removes the file at `path` as if its drive were unplugged. */
  unplug(path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.delete(path);
    this.#unplugged.set(path, file);
  }

  /** Restores the removed file, unchanged. */
  replug(path: string): void {
    const file = this.#unplugged.get(path);
    if (file === undefined || this.#files.has(path)) return;
    this.#unplugged.delete(path);
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
    const bytes = this.#contents.get(`${source.path} ${source.mtimeMs}`);
    if (bytes === undefined) throw new Error(`no file ever was ${source.fingerprint}`);
    return bytes;
  }

  async open({ path }: Pick<FileSource, 'path'>): ReturnType<SourceFiles['open']> {
    const file = this.#files.get(path);
    if (file === undefined) throw errorWith('ENOENT');
    return {
      stat: async () => ({ sizeBytes: file.bytes.length, mtimeMs: file.mtimeMs, inode: file.inode }),
      async read(buffer, length, position) {
        const chunk = file.bytes.subarray(position, position + length);
        buffer.set(chunk);
        return chunk.length;
      },
      close: async () => undefined,
    };
  }

  #store(path: string, file: File): void {
    this.#files.set(path, file);
    this.#contents.set(`${path} ${file.mtimeMs}`, file.bytes);
  }
}
