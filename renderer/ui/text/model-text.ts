import type { TFunction } from 'i18next';
import type { ModelState, SpeechModel } from '../../../electron/contract/speech-models.ts';
import type { Format } from './format.ts';

const hour = 3600;

/** Returns the state of a model in a few words. */
export function modelStateText(t: TFunction, format: Format, state: ModelState): string {
  switch (state.kind) {
    case 'ready':
      return t(`models.ready.${state.origin}`);
    case 'downloading':
      return state.bytesPerSecond > 0
        ? t('models.downloadingAt', {
            done: format.bytes(state.doneBytes),
            rate: t('unit.perSecond', { amount: format.bytes(state.bytesPerSecond) }),
          })
        : t('models.downloading', { done: format.bytes(state.doneBytes) });
    case 'absent':
      return state.keptBytes > 0
        ? t('models.kept', { done: format.bytes(state.keptBytes) })
        : t('models.absent');
    case 'failed':
    case 'unusable':
      return t('models.absent');
  }
}

/** Returns the speed of a model on this computer, as far as it has been measured. */
export function speedText(
  t: TFunction,
  format: Format,
  { timesRealTime, measuring }: Pick<SpeechModel, 'timesRealTime' | 'measuring'>,
): string {
  if (measuring) return t('models.measuring');
  if (timesRealTime === null) return t('models.unmeasured');
  return t('models.speed', {
    factor: format.factor(timesRealTime),
    time: format.duration(hour / timesRealTime),
  });
}
