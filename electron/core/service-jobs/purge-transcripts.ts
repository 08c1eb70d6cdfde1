import type { TranscriptId } from '../../contract/identifiers.ts';
import type { PurgeReport } from '../../contract/library-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { TaskOptions } from '../library/task/run-task.ts';
import type { Longhand } from '../longhand.ts';

const onDevice: ServiceAddress = 'on-device';

/**
 * Permanently deletes transcripts in the trash. Before that it deletes their jobs on this computer, where a copy of what
 * was deleted has no use, and those of `atService`: the job is looked up through the transcript.
 */
export async function purgeTranscripts(
  { library, jobs, transcripts }: Pick<Longhand, 'library' | 'jobs' | 'transcripts'>,
  ids: readonly TranscriptId[],
  atService: { readonly service: ServiceAddress; readonly jobIds: readonly string[] },
  options: TaskOptions,
): Promise<PurgeReport> {
  let leftAtService = 0;
  const here = { service: onDevice, jobIds: transcripts.trashedJobs(onDevice, ids) };
  for (const { service, jobIds } of [here, atService]) {
    if (jobIds.length === 0) continue;
    const { failed, left } = await jobs.of(service).deleteJobs(jobIds, options);
    leftAtService += failed.length + (left ?? 0);
  }
  return { ...(await library.purge(ids, options)), leftAtService };
}
