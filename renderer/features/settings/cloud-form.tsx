import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyStatus, ServiceAddress } from '../../../electron/contract/service.ts';
import type { ProblemCode } from '../../../electron/contract/problem.ts';
import { asProblem } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { keyProblems } from '../../ui/text/service-text.ts';
import { problemText } from '../../ui/text/problem-text.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import styles from './cloud-form.module.css';

/**
 * What the form is for: the account that the user has chosen to start with, another account, or the key of the account
 * with an address.
 */
export type CloudFormPurpose = 'first-service' | 'another-account' | { readonly enterKeyFor: ServiceAddress };

export interface CloudFormProps {
  readonly purpose: CloudFormPurpose;
  /** Whether the user has asked to enter a key. */
  readonly focusesKey?: boolean;
  readonly onConnected?: (keyStatus: KeyStatus) => void;
  readonly onCancel?: () => void;
}

interface FieldError {
  readonly field: 'address' | 'key';
  readonly message: string;
}

/** Messages of problems that the queue retries automatically, but this form does not. */
const formMessages: { readonly [C in ProblemCode]?: 'cloud.unreachable' | 'cloud.unavailable' } = {
  offline: 'cloud.unreachable',
  service_unavailable: 'cloud.unavailable',
  rate_limited: 'cloud.unavailable',
  request_failed: 'cloud.unavailable',
};

/** Asks for an address and a key, and has both checked. The key is kept in memory only until then. */
export function CloudForm({ purpose, focusesKey = false, onConnected, onCancel }: CloudFormProps) {
  const { t } = useTranslation();
  const store = useStore();
  const address = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusesKey) key.current?.focus();
  }, [focusesKey]);
  const [checking, setChecking] = useState(false);
  const [error, setError] = useState<FieldError | null>(null);
  const [use, setUse] = useState(purpose === 'first-service');
  const baseUrl = typeof purpose === 'object' ? purpose.enterKeyFor : undefined;
  // A key for its address may already be stored.
  const canReuseKey = purpose === 'another-account';

  const refuse = (field: FieldError['field'], message: string): void => {
    setError({ field, message });
    const element = field === 'key' ? key.current : (address.current ?? key.current);
    element?.focus();
  };

  const connect = async (): Promise<void> => {
    const url = baseUrl ?? address.current?.value.trim() ?? '';
    const secret = key.current?.value.trim() ?? '';
    if (url === '') return refuse('address', t('cloud.addressMissing'));
    if (secret === '' && !canReuseKey) return refuse('key', t('cloud.keyMissing'));

    setError(null);
    setChecking(true);
    try {
      const input = { baseUrl: url, use, ...(secret === '' ? {} : { key: secret }) };
      const { settings, keyStatus } = await store.invoke('service.connect', input);
      if (key.current !== null) key.current.value = '';
      store.change({ settings });
      onConnected?.(keyStatus);
    } catch (thrown) {
      const problem = asProblem(thrown);
      const concernsKey = keyProblems.has(problem.code) || baseUrl !== undefined;
      const message = formMessages[problem.code];
      refuse(concernsKey ? 'key' : 'address', message === undefined ? problemText(t, problem) : t(message));
    } finally {
      setChecking(false);
    }
  };

  const errorOf = (field: FieldError['field']): string | undefined =>
    error?.field === field ? error.message : undefined;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!checking) void connect();
      }}
    >
      {baseUrl === undefined && (
        <TextField
          ref={address}
          type="url"
          label={t('cloud.address')}
          hint={t('cloud.addressHint')}
          error={errorOf('address')}
          placeholder="https://"
          autoComplete="off"
        />
      )}
      <TextField
        ref={key}
        type="password"
        label={t('cloud.key')}
        hint={t(canReuseKey ? 'cloud.keyKeptHint' : 'cloud.keyHint')}
        error={errorOf('key')}
        autoComplete="off"
      />
      {purpose === 'another-account' && (
        <Checkbox checked={use} onChange={setUse} note={t('cloud.useNote')}>
          {t('cloud.use')}
        </Checkbox>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="main" aria-disabled={checking}>
          {t('cloud.connect')}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
        <span role="status" className={styles.checking}>
          {checking && t('cloud.checking')}
        </span>
      </div>
    </form>
  );
}
