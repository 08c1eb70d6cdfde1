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
 * What the form is for: the account that a new user starts with, another account, or the key of an account that has
 * none or a wrong one.
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

/** Asks for an address and a key, and checks both at the service. Keeps the key in memory only until then. */
export function CloudForm({ purpose, focusesKey = false, onConnected, onCancel }: CloudFormProps) {
  const { t } = useTranslation();
  const store = useStore();
  const address = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusesKey) key.current?.focus();
  }, [focusesKey]);
  const [isChecking, setIsChecking] = useState(false);
  const [error, setError] = useState<FieldError | null>(null);
  const [isForNewRecordings, setIsForNewRecordings] = useState(purpose === 'first-service');
  const baseUrl = typeof purpose === 'object' ? purpose.enterKeyFor : undefined;
  // A key for the address may already be stored.
  const canReuseKey = purpose === 'another-account';

  const showError = (field: FieldError['field'], message: string): void => {
    setError({ field, message });
    const element = field === 'key' ? key.current : (address.current ?? key.current);
    element?.focus();
  };

  const connect = async (): Promise<void> => {
    const url = baseUrl ?? address.current?.value.trim() ?? '';
    const secret = key.current?.value.trim() ?? '';
    if (url === '') return showError('address', t('cloud.addressMissing'));
    if (secret === '' && !canReuseKey) return showError('key', t('cloud.keyMissing'));

    setError(null);
    setIsChecking(true);
    try {
      const input = { baseUrl: url, use: isForNewRecordings, ...(secret === '' ? {} : { key: secret }) };
      const { settings, keyStatus } = await store.invoke('service.connect', input);
      if (key.current !== null) key.current.value = '';
      store.change({ settings });
      onConnected?.(keyStatus);
    } catch (thrown) {
      const problem = asProblem(thrown);
      const concernsKey = keyProblems.has(problem.code) || baseUrl !== undefined;
      const message = formMessages[problem.code];
      showError(
        concernsKey ? 'key' : 'address',
        message === undefined ? problemText(t, problem) : t(message),
      );
    } finally {
      setIsChecking(false);
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
        if (!isChecking) void connect();
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
        <Checkbox checked={isForNewRecordings} onChange={setIsForNewRecordings} note={t('cloud.useNote')}>
          {t('cloud.use')}
        </Checkbox>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="main" aria-disabled={isChecking}>
          {t('cloud.connect')}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
        <span role="status" className={styles.checking}>
          {isChecking && t('cloud.checking')}
        </span>
      </div>
    </form>
  );
}
