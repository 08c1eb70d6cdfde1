import { useTranslation } from 'react-i18next';
import { useWindowState } from '../../use-store.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { conditionText } from '../../ui/text/service-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useBlockedServices } from '../../ui/text/use-service-conditions.ts';

/** Announces to screen readers, on every screen, that an item needs attention or that everything is done. */
export function Announcer() {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useServiceName();
  const [blockedService] = useBlockedServices();
  const { all, attention, done } = useWindowState((state) => state.queue.summary.counts);
  const failedSaves = useWindowState((state) => state.failedAutoExports);
  const serviceMessage =
    blockedService === undefined
      ? null
      : conditionText(t, format, nameOf(blockedService.service), blockedService);

  return (
    <>
      <p role="status" className="visually-hidden">
        {serviceMessage !== null
          ? `${serviceMessage.title} ${serviceMessage.text}`
          : attention > 0
            ? t('queue.needYou', { count: attention })
            : all > 0 && done === all && t('queue.allDone', { count: all })}
      </p>
      <p role="status" className="visually-hidden">
        {failedSaves !== null && t('autoExports.failed', { count: failedSaves.count })}
      </p>
    </>
  );
}
