import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import type { BaseUIEvent } from '@base-ui/react/types';
import { useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import styles from './combobox.module.css';
import fields from './field.module.css';
import { usePopupFocus } from '../focus/use-popup-focus.ts';
import { Icon } from '../icon.tsx';

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  /** Whether a line above it separates it from other options. */
  readonly startsGroup?: boolean;
}

export interface ComboboxProps {
  readonly label: string;
  /** Shown while the selected items have different values. */
  readonly placeholder?: string;
  /** `null` for none, or several at once. */
  readonly value: string | null;
  readonly options: readonly ComboboxOption[];
  readonly onChange: (value: string) => void;
}

/** Whether a key types a character. Space opens the list. */
const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** Chooses one of many options from a list that is filtered by typing, which also opens it. */
export function Combobox({ label, placeholder = '', value, options, onChange }: ComboboxProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const focus = usePopupFocus({ popup, open: isOpen, initialFocus: () => search.current });
  /** Enter at a closed list submits its form, as in any other field: without a form, it opens the list. */
  const onKeyDown = (event: BaseUIEvent<KeyboardEvent<HTMLElement>>): void => {
    const form = event.currentTarget.closest('form');
    if (isOpen || event.key !== 'Enter' || form === null) return searchTyped(event);
    event.preventBaseUIHandler();
    event.preventDefault();
    // A key that is held has just chosen an option.
    if (!event.repeat) form.requestSubmit();
  };
  /**
   * Opens the list with the search focused before the key types its character, which goes there. Base UI would choose
   * the first option that begins with it, and miss the rest of a word.
   */
  const searchTyped = (event: BaseUIEvent<KeyboardEvent>): void => {
    if (isOpen || !isTyping(event)) return;
    event.preventBaseUIHandler();
    flushSync(() => setOpen(true));
    search.current?.focus();
  };
  const selected = options.find((option) => option.value === value) ?? null;
  return (
    <BaseCombobox.Root<ComboboxOption>
      items={options}
      open={isOpen}
      onOpenChange={setOpen}
      value={selected}
      autoHighlight
      isItemEqualToValue={(one, other) => one.value === other.value}
      onValueChange={(option) => {
        if (option !== null) onChange(option.value);
      }}
    >
      <div className={fields.field}>
        <BaseCombobox.Label className={fields.label}>{label}</BaseCombobox.Label>
        <BaseCombobox.Trigger className={styles.trigger} onKeyDown={onKeyDown}>
          <span className={styles.selected}>{selected?.label ?? placeholder}</span>
          <Icon name="chevron-down" />
        </BaseCombobox.Trigger>
      </div>
      <BaseCombobox.Portal>
        <BaseCombobox.Positioner
          className={styles.positioner}
          align="start"
          sideOffset={4}
          positionMethod="fixed"
        >
          <BaseCombobox.Popup ref={popup} className={styles.popup} aria-label={label} {...focus}>
            <BaseCombobox.Input
              ref={search}
              className={styles.search}
              placeholder={t('combobox.search')}
              aria-label={t('combobox.search')}
            />
            <BaseCombobox.Empty className={styles.empty}>{t('combobox.nothing')}</BaseCombobox.Empty>
            <BaseCombobox.List className={styles.list}>
              {(option: ComboboxOption) => (
                <BaseCombobox.Item
                  key={option.value}
                  value={option}
                  className={styles.item}
                  data-starts-group={option.startsGroup === true || undefined}
                >
                  <span>{option.label}</span>
                  <BaseCombobox.ItemIndicator>
                    <Icon name="check" />
                  </BaseCombobox.ItemIndicator>
                </BaseCombobox.Item>
              )}
            </BaseCombobox.List>
          </BaseCombobox.Popup>
        </BaseCombobox.Positioner>
      </BaseCombobox.Portal>
    </BaseCombobox.Root>
  );
}
