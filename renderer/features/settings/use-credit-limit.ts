import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { maxCreditLimit } from '../../../electron/contract/limits.ts';

export interface CreditLimitField {
  /** The properties of the text field. */
  readonly field: {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly inputMode: 'numeric';
    readonly label: string;
    readonly error: string | undefined;
    readonly defaultValue: string;
  };
  /** Returns the limit in the field, or `null` for none. If it is invalid, shows an error and returns `undefined`. */
  readonly read: () => number | null | undefined;
}

/** Manages a text field for a limit of credits per month. */
export function useCreditLimit(limit: number | null): CreditLimitField {
  const { t } = useTranslation();
  const ref = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const read = (): number | null | undefined => {
    const text = ref.current?.value.trim() ?? '';
    const credits = text === '' ? null : Number(text);
    const isValid =
      credits === null || (Number.isInteger(credits) && credits > 0 && credits <= maxCreditLimit);
    setError(isValid ? undefined : t('settings.creditLimitInvalid', { max: maxCreditLimit }));
    if (!isValid) ref.current?.focus();
    return isValid ? credits : undefined;
  };
  const defaultValue = limit === null ? '' : String(limit);
  return {
    field: { ref, inputMode: 'numeric', label: t('settings.creditLimit'), error, defaultValue },
    read,
  };
}
