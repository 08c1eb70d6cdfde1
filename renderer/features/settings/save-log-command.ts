import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { runReportingErrors, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Returns a function that saves the log to a file that the user can send, and reports its name. */
export function useSaveLog(): () => void {
  const { t } = useTranslation();
  const { invoke } = useStore();
  return useCallback(
    () =>
      runReportingErrors(async () => {
        const { name } = await invoke('app.saveLog', undefined);
        if (name !== null) notify(t('settings.logSaved', { name }), t('settings.logNote'));
      }),
    [invoke, t],
  );
}

/** Saves the log when the user chooses that in the native menu, on any screen. */
export function SaveLogCommand() {
  const { bridge } = useStore();
  const saveLog = useSaveLog();
  useEffect(() => bridge.on('saveLog', saveLog), [bridge, saveLog]);
  return null;
}
