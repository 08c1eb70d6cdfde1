import type { ReadBytes } from './read-bytes.ts';

/** What can be read of a file without interruption, as a file of its own. */
export interface FilePart {
  readonly sizeBytes: number;
  readonly read: ReadBytes;
  /**
   * What its times are relative to: the start of the recording; its own start, because it is another recording that was
   * appended to the file; or its own start, which is at `seconds` of the recording.
   */
  readonly times: 'recording' | 'appended' | { readonly seconds: number };
}

/** What can be read of a file. */
export interface ReadableParts {
  /** Empty if the file is to be read as it is. */
  readonly parts: readonly FilePart[];
  /**
   * The duration of the audio that is lost after the last part, as a share of the duration up to there. It is estimated
   * from the bytes.
   */
  readonly lostShare: number;
}

/** A file that is read as it is. */
export const wholeFile: ReadableParts = { parts: [], lostShare: 0 };

/** A piece of a file: its bytes, or where they are. */
export type FilePiece = Uint8Array | { readonly start: number; readonly end: number };

const lengthOf = (piece: FilePiece): number =>
  piece instanceof Uint8Array ? piece.length : piece.end - piece.start;

/** Joins pieces of a file into a file of their own. */
export function joinPieces(
  pieces: readonly FilePiece[],
  read: ReadBytes,
): Pick<FilePart, 'sizeBytes' | 'read'> {
  return {
    sizeBytes: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start);
      let pieceStart = 0;
      for (const piece of pieces) {
        const from = Math.max(0, start - pieceStart);
        const to = Math.min(lengthOf(piece), end - pieceStart);
        if (from < to) {
          const part =
            piece instanceof Uint8Array
              ? piece.subarray(from, to)
              : await read(piece.start + from, piece.start + to);
          bytes.set(part, pieceStart + from - start);
        }
        pieceStart += lengthOf(piece);
      }
      return bytes;
    },
  };
}

const windowBytes = 1024 * 1024;

/** Reads a file from its start to its end, in few large reads. */
export class FileWindow {
  readonly sizeBytes: number;
  readonly #read: ReadBytes;
  #bytes: Uint8Array = new Uint8Array();
  #start = 0;

  constructor(sizeBytes: number, read: ReadBytes) {
    this.sizeBytes = sizeBytes;
    this.#read = read;
  }

  /** Returns the bytes from an offset, at least `length` of them except at the end of the file. */
  async from(offset: number, length: number): Promise<Uint8Array> {
    const end = this.#start + this.#bytes.length;
    if (offset < this.#start || (offset + length > end && end < this.sizeBytes)) {
      this.#bytes = await this.#read(
        offset,
        Math.min(this.sizeBytes, offset + Math.max(length, windowBytes)),
      );
      this.#start = offset;
    }
    return this.#bytes.subarray(offset - this.#start);
  }
}
