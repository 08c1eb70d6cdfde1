import { useCallback, useEffect, useState } from 'react';
import type { Account } from '../../../electron/contract/service.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';

export interface Accounts {
  /** `null` until they are loaded. */
  readonly accounts: readonly Account[] | null;
  /** Shows the accounts that a command has returned. */
  readonly setAccounts: (accounts: readonly Account[]) => void;
  readonly refresh: () => void;
}

/** Returns the cloud accounts, read again whenever the settings or the default service change. */
export function useAccounts(): Accounts {
  const { invoke } = useStore();
  const [accounts, setAccounts] = useState<readonly Account[] | null>(null);
  const addresses = useWindowState((state) => state.settings.accounts);
  const service = useWindowState((state) => state.service);
  const refresh = useCallback(
    () => runReportingErrors(async () => setAccounts(await invoke('accounts.list', undefined))),
    [invoke],
  );
  useEffect(refresh, [refresh, addresses, service]);
  return { accounts, setAccounts, refresh };
}
