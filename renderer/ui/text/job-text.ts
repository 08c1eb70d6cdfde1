import type { TFunction } from 'i18next';
import { textContext } from '../../../electron/contract/problem.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import type { SpeakerOption } from '../../../electron/contract/options.ts';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import { isKnownStatus, type JobStatus } from '../../../electron/contract/job-status.ts';
import type { Format } from './format.ts';

/** Returns the text of a job's status at the service; a status that this version does not know is shown unchanged. */
export function jobText(t: TFunction, service: ServiceAddress, status: JobStatus): string {
  return isKnownStatus(status) ? t(`job.${status}`, textContext(service)) : t('job.other', { status });
}

/** Returns the options of a row that differ from the defaults, for the line below its name. */
export function jobOptionsText(
  t: TFunction,
  format: Format,
  { options }: Pick<QueueRow, 'options'>,
): readonly string[] {
  return [
    ...(options.language === 'auto' ? [] : [format.language(options.language)]),
    ...(options.accuracy === 'balanced' ? [] : [t(`accuracy.${options.accuracy}`)]),
    ...(options.translateToEnglish ? [t('options.translated')] : []),
    ...(options.speakers === 'off' ? [] : [speakersText(t, options.speakers)]),
  ];
}

const speakersText = (t: TFunction, speakers: Exclude<SpeakerOption, 'off'>): string =>
  speakers === 'automatic'
    ? t('options.speakers.words.automatic')
    : t('options.speakers.words.count', { count: speakers });
