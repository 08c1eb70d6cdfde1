import type { TranscriptId } from '../../contract/identifiers.ts';
import type { CopiesAtService, PurgeReport } from '../../contract/library-commands.ts';
import { audioKeptDays } from '../../contract/service-job-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { TaskOptions } from '../library/task/run-task.ts';
import type { Longhand } from '../longhand.ts';

const dayMs = 24 * 3_600_000;

type Jobs = ReadonlyMap<ServiceAddress, readonly string[]>;

/** Returns the jobs that the services of transcripts in the trash may still have: none keeps one longer than its audio. */
const keptJobs = (
  { transcripts }: Pick<Longhand, 'transcripts'>,
  ids: readonly TranscriptId[],
  now: number,
): Jobs => transcripts.trashedJobs(ids, now - audioKeptDays * dayMs);

/** Returns where else than on this computer there may be copies of transcripts in the trash. */
export function copiesAtServices(
  longhand: Pick<Longhand, 'transcripts'>,
  ids: readonly TranscriptId[],
  now: number,
): readonly CopiesAtService[] {
  return [...keptJobs(longhand, ids, now)].flatMap(([service, jobIds]) =>
    // Everything but an address is no account: this computer, an import, a backup.
    URL.canParse(service) ? { service, count: jobIds.length } : [],
  );
}

/**
 * Permanently deletes transcripts in the trash. Before that it deletes their jobs on this computer, where a copy of what
 * was deleted has no use, and at those of their services that are in `alsoAt`: a job is looked up through its transcript.
 */
export async function purgeTranscripts(
  longhand: Pick<Longhand, 'library' | 'jobs' | 'transcripts'>,
  ids: readonly TranscriptId[],
  { alsoAt, now }: { readonly alsoAt: readonly ServiceAddress[]; readonly now: number },
  options: TaskOptions,
): Promise<PurgeReport> {
  let leftAtService = 0;
  for (const [service, jobIds] of keptJobs(longhand, ids, now)) {
    if (service !== 'on-device' && !alsoAt.includes(service)) continue;
    const { failed, left } = await longhand.jobs.of(service).deleteJobs(jobIds, options);
    leftAtService += failed.length + (left ?? 0);
  }
  return { ...(await longhand.library.purge(ids, options)), leftAtService };
}
