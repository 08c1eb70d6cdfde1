import type { TFunction } from 'i18next';
import type { ModelState, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import type { Format } from './format.ts';

const secondsPerHour = 3600;

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

/** Returns the speed of a model on this computer and how it was measured, if it was. */
export function speedText(
  t: TFunction,
  format: Format,
  { speed, measuring }: Pick<SpeechModelView, 'speed' | 'measuring'>,
): string {
  if (measuring) return t('models.measuring');
  if (speed === null) return t('models.unmeasured');
  return t(`models.speed.${speed.source}`, {
    factor: format.factor(speed.timesRealTime),
    time: format.duration(secondsPerHour / speed.timesRealTime),
  });
}
