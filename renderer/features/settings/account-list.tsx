import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxAccountNameLength } from '../../../electron/contract/limits.ts';
import type { Account, KeyStatus, ServiceAddress } from '../../../electron/contract/service.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useGoTo, useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { hostOf, blockingConditionText } from '../../ui/text/service-text.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useStatusOf } from '../../ui/text/use-status-of.ts';
import styles from './account-list.module.css';
import { TextField } from '../../ui/form/text-field.tsx';
import { CloudForm } from './cloud-form.tsx';
import type { Accounts } from './use-accounts.ts';
import { useCreditLimit } from './use-credit-limit.ts';

const keyStatusLabels = {
  keychain: 'settings.keyKept',
  'this-run': 'settings.keyThisSession',
  none: 'settings.keyNone',
} as const satisfies Record<KeyStatus, string>;

/** The cloud accounts: each can be used, get another key, lose its key, or be removed. */
export function AccountList({ accounts, setAccounts, refresh }: Accounts) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const onConnected = (keyStatus: KeyStatus): void => {
    setAdding(false);
    refresh();
    notify(t(keyStatus === 'this-run' ? 'settings.keptThisSession' : 'settings.kept'));
  };
  return (
    <div className={styles.accounts}>
      <h3 className={styles.title}>{t('settings.accounts')}</h3>
      {accounts !== null && accounts.length > 0 && (
        <ul className={entries.list}>
          {accounts.map((account) => (
            <AccountEntry
              key={account.address}
              account={account}
              setAccounts={setAccounts}
              refresh={refresh}
              onConnected={onConnected}
            />
          ))}
        </ul>
      )}
      {accounts?.length === 0 && !isAdding && <p className={entries.quiet}>{t('settings.noAccounts')}</p>}
      {isAdding ? (
        <CloudForm purpose="another-account" onConnected={onConnected} onCancel={() => setAdding(false)} />
      ) : (
        <div className={entries.actions}>
          <Button onClick={() => setAdding(true)}>{t('settings.addAccount')}</Button>
        </div>
      )}
    </div>
  );
}

interface AccountEntryProps extends Omit<Accounts, 'accounts'> {
  readonly account: Account;
  readonly onConnected: (keyStatus: KeyStatus) => void;
}

function AccountEntry({ account, setAccounts, refresh, onConnected }: AccountEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  const send = useSend();
  const goTo = useGoTo();
  const { address, keyStatus, unfinishedItemCount, folderCount } = account;
  // The section above asks for the key of the default service.
  const asksForKey = useWindowState(
    ({ route, settings }) =>
      route.screen === 'settings' && route.enterKeyFor === address && settings.service !== address,
  );
  const [openForm, setOpenForm] = useState<'none' | 'key' | 'details' | 'remove'>(
    asksForKey ? 'key' : 'none',
  );
  const nameOf = useServiceName();
  const name = nameOf(address);
  const limit = useWindowState((state) => state.settings.accountLimits[address]);
  const isNamed = useWindowState((state) => state.settings.accountNames[address] !== undefined);
  const status = useStatusOf(address);
  // The section above shows the condition of the default service; the key status already says that a key is missing.
  const isDefault = useWindowState((state) => state.settings.service === address);
  const showsCondition = status !== null && !isDefault && keyStatus !== 'none';
  const conditionNote = showsCondition ? blockingConditionText(t, format, name, status) : null;
  const labelOf = (action: string) => t('settings.actionOn', { action, name });

  const forget = async (): Promise<void> => {
    setAccounts(await invoke('accounts.forgetKey', { service: address }));
    notify(t('settings.forgotten'));
  };
  const remove = async (): Promise<void> => {
    setOpenForm('none');
    try {
      setAccounts(await invoke('accounts.remove', { service: address }));
    } catch (error) {
      // The account is gone, even if its key could not be deleted.
      refresh();
      throw error;
    }
    notify(
      t('settings.accountRemoved', { name }),
      folderCount === 0 ? undefined : t('settings.foldersMoved', { count: folderCount }),
    );
  };

  return (
    <li className={entries.entry}>
      <p className={entries.name}>{name}</p>
      {isNamed && <p className={entries.quiet}>{address}</p>}
      <p className={keyStatus === 'keychain' ? entries.quiet : entries.warn}>
        {t(keyStatusLabels[keyStatus])}
      </p>
      {conditionNote !== null && <p className={entries.warn}>{conditionNote}</p>}
      {limit !== undefined && (
        <p className={entries.quiet}>{t('settings.creditLimitSet', { count: limit })}</p>
      )}
      {openForm === 'details' && <DetailsForm address={address} onClose={() => setOpenForm('none')} />}
      {openForm === 'key' ? (
        <CloudForm
          purpose={{ enterKeyFor: address }}
          focusesKey
          onConnected={(next) => {
            setOpenForm('none');
            onConnected(next);
          }}
          onCancel={() => setOpenForm('none')}
        />
      ) : (
        <div className={entries.actions}>
          <Button
            aria-label={labelOf(t(keyStatus === 'none' ? 'settings.enterKey' : 'settings.replaceKey'))}
            onClick={() => setOpenForm('key')}
          >
            {t(keyStatus === 'none' ? 'settings.enterKey' : 'settings.replaceKey')}
          </Button>
          {conditionNote !== null && (
            <Button
              aria-label={labelOf(t('action.tryAgain'))}
              onClick={() => send('service.tryAgain', { service: address })}
            >
              {t('action.tryAgain')}
            </Button>
          )}
          {keyStatus !== 'none' && (
            <Button aria-label={labelOf(t('settings.forgetKey'))} onClick={() => runReportingErrors(forget)}>
              {t('settings.forgetKey')}
            </Button>
          )}
          <Button aria-label={labelOf(t('settings.rename'))} onClick={() => setOpenForm('details')}>
            {t('settings.rename')}
          </Button>
          {address.startsWith('https:') && (
            <Button
              aria-label={labelOf(t('settings.openWebsite'))}
              onClick={() => send('accounts.openWebsite', { service: address })}
            >
              {t('settings.openWebsite')}
            </Button>
          )}
          <Button
            aria-label={labelOf(t('settings.removeAccount'))}
            onClick={() => {
              // The dialog shows how many items wait for the account now.
              refresh();
              setOpenForm('remove');
            }}
          >
            {t('settings.removeAccount')}
          </Button>
        </div>
      )}
      <Dialog
        open={openForm === 'remove'}
        onClose={() => setOpenForm('none')}
        title={t('settings.removeAccountTitle', { name })}
        note={[
          unfinishedItemCount === 0
            ? t('settings.removeAccountNote')
            : t('settings.removeAccountWaiting', { count: unfinishedItemCount }),
          t('settings.removeAccountKept', { name }),
          ...(folderCount === 0 ? [] : [t('settings.removeAccountFolders', { count: folderCount })]),
        ].join(' ')}
        actions={
          <>
            <Button onClick={() => setOpenForm('none')}>{t('settings.keepAccount')}</Button>
            <Button
              onClick={() => {
                setOpenForm('none');
                goTo({ screen: 'jobs', service: address });
              }}
            >
              {t('settings.showKept')}
            </Button>
            <Button variant="danger" onClick={() => runReportingErrors(remove)}>
              {t('settings.removeAccount')}
            </Button>
          </>
        }
      />
    </li>
  );
}

/** Gives an account a name and a limit. */
function DetailsForm({
  address,
  onClose,
}: {
  readonly address: ServiceAddress;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const store = useStore();
  const name = useWindowState((state) => state.settings.accountNames[address] ?? '');
  const limit = useWindowState((state) => state.settings.accountLimits[address] ?? null);
  const field = useRef<HTMLInputElement>(null);
  const creditLimit = useCreditLimit(limit);
  useEffect(() => field.current?.focus(), []);
  const save = async (): Promise<void> => {
    const credits = creditLimit.read();
    if (credits === undefined) return;
    await store.invoke('accounts.rename', { service: address, name: field.current?.value ?? '' });
    store.change({ settings: await store.invoke('accounts.setLimit', { service: address, credits }) });
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        runReportingErrors(save);
      }}
    >
      <TextField
        ref={field}
        label={t('settings.accountName')}
        hint={t('settings.accountNameHint', { host: hostOf(address) })}
        maxLength={maxAccountNameLength}
        defaultValue={name}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <TextField
        {...creditLimit.field}
        hint={t('settings.accountLimitHint')}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div className={entries.actions}>
        <Button type="submit" variant="main">
          {t('action.save')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </div>
    </form>
  );
}
