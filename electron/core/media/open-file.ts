import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';

/** What is needed of a file to examine it; see {@link openQuickly} for what need not be awaited. */
export interface OpenFile {
  stat(options: { readonly bigint: true }): Promise<BigIntStats> | BigIntStats;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }> | { readonly bytesRead: number };
  close(): Promise<void> | void;
}

/** Opens a file to be read. */
export type OpenForReading = (path: string) => Promise<OpenFile> | OpenFile;

/** Reads without stopping the thread. */
export const openPatiently: OpenForReading = (path) => open(path, 'r');

/** A file of this computer opens in a small part of it. */
const slowMs = 2;
/** So many files are opened patiently after a slow one. */
const patientCount = 256;

/**
 * Reads while the thread waits, which takes a fraction of the work; for a thread that has nothing else to do. When a
 * file was slow to open, as on a network drive, the next are read beside each other.
 *
 * @param now milliseconds, with fractions, of a clock that never jumps.
 */
export function openQuickly(now: () => number): OpenForReading {
  let patient = 0;
  return (path) => {
    if (patient > 0) {
      patient -= 1;
      return openPatiently(path);
    }
    const begun = now();
    const descriptor = openSync(path, 'r');
    if (now() - begun > slowMs) patient = patientCount;
    return {
      stat: () => fstatSync(descriptor, { bigint: true }),
      read: (buffer, offset, length, position) => ({
        bytesRead: readSync(descriptor, buffer, offset, length, position),
      }),
      close: () => closeSync(descriptor),
    };
  };
}
