import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { problemText } from '../../ui/text/problem-text.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSend, useWindowState } from '../../use-store.ts';

/** Offers a newer version of the program until the user dismisses it. */
export function UpdateBanner() {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const update = useWindowState((state) => state.update);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (update.kind === 'unavailable' || update.kind === 'none') return null;
  const { version } = update;
  const isDismissible = update.kind === 'offered' || update.kind === 'failed';
  if (isDismissible && dismissed === version) return null;

  const download = (): void => send('updates.download', undefined);
  const dismiss = <Button onClick={() => setDismissed(version)}>{t('action.dismiss')}</Button>;
  switch (update.kind) {
    case 'offered': {
      const isWebsite = update.how === 'website';
      return (
        <Banner
          tone="calm"
          title={t('update.offered', { version })}
          actions={
            <>
              {dismiss}
              <Button onClick={download}>{t(isWebsite ? 'update.openPage' : 'update.download')}</Button>
            </>
          }
        >
          {isWebsite && t('update.website')}
        </Banner>
      );
    }
    case 'downloading':
      return (
        <Banner tone="calm">
          {t('update.downloading', { version, percent: format.percent(update.fractionDone) })}
        </Banner>
      );
    case 'ready':
      return (
        <Banner
          tone="calm"
          title={t('update.ready', { version })}
          actions={
            !update.isBusy && (
              <Button onClick={() => send('updates.install', undefined)}>{t('update.install')}</Button>
            )
          }
        >
          {update.isBusy && t('update.busy')}
        </Banner>
      );
    case 'failed':
      return (
        <Banner
          tone="warn"
          title={t('update.failed', { version })}
          actions={
            <>
              {dismiss}
              <Button onClick={download}>{t('action.tryAgain')}</Button>
            </>
          }
        >
          {problemText(t, update.problem)}
        </Banner>
      );
  }
}
