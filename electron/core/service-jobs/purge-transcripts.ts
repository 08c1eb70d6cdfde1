import type { TranscriptId } from '../../contract/identifiers.ts';
import type { CopiesAtService, PurgeReport } from '../../contract/library-commands.ts';
import { audioKeptDays } from '../../contract/service-job-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { TaskOptions } from '../library/task/run-task.ts';
import type { Longhand } from '../longhand.ts';

const dayMs = 24 * 3_600_000;

/** Returns the jobs of transcripts in the trash that services may still have, by service. */
const jobsAtServices = (
  { transcripts }: Pick<Longhand, 'transcripts'>,
  ids: readonly TranscriptId[],
  now: number,
): ReadonlyMap<ServiceAddress, readonly string[]> =>
  transcripts.trashedJobs(ids, now - audioKeptDays * dayMs);

/** Returns where copies of transcripts in the trash may exist besides this computer. */
export function copiesAtServices(
  longhand: Pick<Longhand, 'transcripts'>,
  ids: readonly TranscriptId[],
  now: number,
): readonly CopiesAtService[] {
  return [...jobsAtServices(longhand, ids, now)].flatMap(([service, jobIds]) =>
    // Only accounts have an address; this computer, imports and backups do not.
    URL.canParse(service) ? { service, count: jobIds.length } : [],
  );
}

/**
 * Permanently deletes transcripts in the trash. Deletes their jobs first, which are found through the transcripts: those
 * on this computer, and those on the services in `servicesToPurge`.
 */
export async function purgeTranscripts(
  longhand: Pick<Longhand, 'library' | 'jobs' | 'transcripts'>,
  ids: readonly TranscriptId[],
  { servicesToPurge, now }: { readonly servicesToPurge: readonly ServiceAddress[]; readonly now: number },
  options: TaskOptions,
): Promise<PurgeReport> {
  let leftAtService = 0;
  for (const [service, jobIds] of jobsAtServices(longhand, ids, now)) {
    if (service !== 'on-device' && !servicesToPurge.includes(service)) continue;
    const { failed, notStarted } = await longhand.jobs.of(service).deleteJobs(jobIds, options);
    leftAtService += failed.length + (notStarted ?? 0);
  }
  return { ...(await longhand.library.purge(ids, options)), leftAtService };
}
