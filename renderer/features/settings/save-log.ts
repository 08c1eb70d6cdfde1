import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Saves the log for sending, and says under which name. */
export function useSaveLog(): () => void {
  const { t } = useTranslation();
  const { ask } = useStore();
  return useCallback(
    () =>
      attempt(async () => {
        const { name } = await ask('app.saveLog', undefined);
        if (name !== null) notify(t('settings.logSaved', { name }), t('settings.logNote'));
      }),
    [ask, t],
  );
}

/** Does what the native menu asks of the window, on whatever screen it is. */
export function MenuCommands() {
  const { bridge } = useStore();
  const saveLog = useSaveLog();
  useEffect(() => bridge.on('saveLog', saveLog), [bridge, saveLog]);
  return null;
}
