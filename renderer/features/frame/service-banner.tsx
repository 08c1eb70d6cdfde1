import { useTranslation } from 'react-i18next';
import { useGoTo, useSend, useWindow } from '../../use-store.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/words/use-format.ts';
import { conditionWords } from '../../ui/words/service-words.ts';

/** Says what stands in the way of the whole service, when something does. */
export function ServiceBanner() {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const goTo = useGoTo();
  const { service, condition, balanceCredits } = useWindow((state) => state.service);
  const dues = useWindow((state) => state.queue.summary.pendingCosts.find((one) => one.service === service));
  const isShort = dues !== undefined && balanceCredits !== null && dues.credits > balanceCredits;
  const shortage = isShort ? { needed: dues.credits, left: balanceCredits } : null;
  const words = conditionWords(t, format, service, condition, shortage);
  if (words === null) return null;

  return (
    <Banner
      tone={words.tone}
      title={words.title}
      actions={
        <>
          {condition.kind === 'stopped' && service !== 'on-device' && (
            <Button onClick={() => goTo({ screen: 'settings' })}>{t('action.openSettings')}</Button>
          )}
          <Button onClick={() => send('service.tryAgain', undefined)}>{t('action.tryAgain')}</Button>
        </>
      }
    >
      {words.text}
    </Banner>
  );
}
