import type { ExportMetadata } from '../../store/library/export-sources.ts';
import { stateOfRecording } from '../recordings.ts';
import { planExport, type ExportPlan, type PlanOptions } from './export-plan.ts';

/** Files that are checked in parallel. */
const parallelChecks = 4;

/**
 * Plans the files of an export, manual or automatic, for the recordings that are on the disk now: nothing is written next
 * to a file that has taken the place of a recording, since the text would pass for that of the other.
 */
export async function planFiles(
  transcripts: readonly ExportMetadata[],
  options: PlanOptions,
  signal?: AbortSignal,
): Promise<ExportPlan> {
  if (options.where !== 'beside') return planExport(transcripts, options);
  const replaced = await matching(transcripts, isReplaced, signal);
  const located = transcripts.map((metadata) =>
    replaced.has(metadata) ? { ...metadata, recordingPath: null } : metadata,
  );
  return planExport(located, options);
}

/** Whether another file has taken the place of a recording. */
async function isReplaced({
  recordingPath: path,
  recordingFingerprint: fingerprint,
}: ExportMetadata): Promise<boolean> {
  return path !== null && (await stateOfRecording({ path, fingerprint })) === 'replaced';
}

/** Returns the items that a check on the disk holds for, of those that are checked before the signal is aborted. */
export async function matching<T>(
  items: readonly T[],
  check: (item: T) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<ReadonlySet<T>> {
  const found = new Set<T>();
  const remaining = items[Symbol.iterator]();
  const checkNext = async (): Promise<void> => {
    for (const item of remaining) {
      if (signal?.aborted === true) return;
      if (await check(item)) found.add(item);
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, checkNext));
  return found;
}
