import { useCallback } from 'react';
import type { CommandInput } from '../../../electron/contract/commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Returns a function that changes settings, with immediate effect. */
export function useChangeSettings(): (patch: CommandInput<'settings.change'>) => void {
  const store = useStore();
  return useCallback(
    (patch) =>
      runReportingErrors(async () =>
        store.change({ settings: await store.invoke('settings.change', patch) }),
      ),
    [store],
  );
}
