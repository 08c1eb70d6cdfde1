import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, KeyStatus } from '../../../electron/contract/service.ts';
import { attempt, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { serviceName } from '../../ui/words/service-words.ts';
import styles from './account-list.module.css';
import { CloudForm } from './cloud-form.tsx';
import type { Accounts } from './use-accounts.ts';

const keyStatusLabels = {
  keychain: 'settings.keyKept',
  'this-run': 'settings.keyThisRun',
  none: 'settings.keyNone',
} as const satisfies Record<KeyStatus, string>;

/** The cloud accounts: each can be used, get another key, lose its key, or be removed. */
export function AccountList({ accounts, show, refresh }: Accounts) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const connected = (now: KeyStatus): void => {
    setAdding(false);
    refresh();
    notify(t(now === 'this-run' ? 'settings.keptThisRun' : 'settings.kept'));
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
              show={show}
              refresh={refresh}
              onConnected={connected}
            />
          ))}
        </ul>
      )}
      {accounts?.length === 0 && !adding && <p className={entries.quiet}>{t('settings.noAccounts')}</p>}
      {adding ? (
        <CloudForm canReuseKey onConnected={connected} onCancel={() => setAdding(false)} />
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

function AccountEntry({ account, show, refresh, onConnected }: AccountEntryProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [step, setStep] = useState<'none' | 'key' | 'remove'>('none');
  const { address, keyStatus, unfinishedCount } = account;
  const name = serviceName(t, address);
  const on = (action: string) => t('settings.actionOn', { action, name });

  const forget = async (): Promise<void> => {
    show(await ask('accounts.forgetKey', { service: address }));
    notify(t('settings.forgotten'));
  };
  const remove = async (): Promise<void> => {
    setStep('none');
    show(await ask('accounts.remove', { service: address }));
    notify(t('settings.accountRemoved', { name }));
  };

  return (
    <li className={entries.entry}>
      <p className={entries.name}>{name}</p>
      <p className={keyStatus === 'keychain' ? entries.quiet : entries.warn}>
        {t(keyStatusLabels[keyStatus])}
      </p>
      {step === 'key' ? (
        <CloudForm
          baseUrl={address}
          onConnected={(now) => {
            setStep('none');
            onConnected(now);
          }}
          onCancel={() => setStep('none')}
        />
      ) : (
        <div className={entries.actions}>
          <Button
            aria-label={on(t(keyStatus === 'none' ? 'settings.enterKey' : 'settings.replaceKey'))}
            onClick={() => setStep('key')}
          >
            {t(keyStatus === 'none' ? 'settings.enterKey' : 'settings.replaceKey')}
          </Button>
          {keyStatus !== 'none' && (
            <Button aria-label={on(t('settings.forgetKey'))} onClick={() => attempt(forget)}>
              {t('settings.forgetKey')}
            </Button>
          )}
          <Button
            aria-label={on(t('settings.removeAccount'))}
            onClick={() => {
              // Items that wait for it may have been added since.
              refresh();
              setStep('remove');
            }}
          >
            {t('settings.removeAccount')}
          </Button>
        </div>
      )}
      <Dialog
        open={step === 'remove'}
        onClose={() => setStep('none')}
        title={t('settings.removeAccountTitle', { name })}
        note={
          unfinishedCount === 0
            ? t('settings.removeAccountNote')
            : t('settings.removeAccountWaiting', { count: unfinishedCount })
        }
        actions={
          <>
            <Button onClick={() => setStep('none')}>{t('settings.keepAccount')}</Button>
            <Button look="danger" onClick={() => attempt(remove)}>
              {t('settings.removeAccount')}
            </Button>
          </>
        }
      />
    </li>
  );
}
