import type { TFunction } from 'i18next';
import type { ModelCheck, ModelOption } from '../../../electron/contract/speech-models.ts';
import type { Format } from './format.ts';

/** Returns what is known about a model: languages, speed, memory, published errors, licence. */
export function modelFactsText(t: TFunction, format: Format, option: ModelOption): string {
  const { languages, canTranslate, timesRealTime, isMeasured, memoryBytes, errorRate, licence, attribution } =
    option;
  const speed =
    timesRealTime === null
      ? []
      : [
          t(isMeasured ? 'models.choose.speed' : 'models.choose.expectedSpeed', {
            factor: format.factor(timesRealTime),
          }),
        ];
  return [
    t('models.choose.languages', { count: languages }),
    t(canTranslate ? 'models.choose.translates' : 'models.choose.noTranslation'),
    ...speed,
    t('models.choose.memory', { size: format.bytes(memoryBytes) }),
    ...(errorRate === null ? [] : [t('models.choose.published', { share: errorRate })]),
    `${attribution}, ${licence}`,
  ].join(' · ');
}

/** Returns the full result of a check, to be copied into a problem report. */
export function checkReport(t: TFunction, format: Format, { name }: ModelOption, check: ModelCheck): string {
  const { said, heard, errorRate, timesRealTime, failure } = check;
  return [
    name,
    t('models.report.said', { text: said }),
    t('models.report.heard', { text: heard }),
    t('models.report.errors', { share: format.percent(errorRate) }),
    ...(timesRealTime === null ? [] : [t('models.report.speed', { factor: format.factor(timesRealTime) })]),
    ...(failure === null ? [] : [failure]),
  ].join('\n');
}
