import { useEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';
import styles from './search-box.module.css';

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Maximum length of a query; a longer pasted text is cut. */
  readonly maxLength: number;
  /** Called for the down arrow key, which moves to the results. */
  readonly onArrowDown: () => void;
}

/** A search field; Ctrl+F or Cmd+F focuses it while its screen is shown, Escape clears it, an arrow key leaves it. */
export function SearchBox({ label, value, onChange, maxLength, onArrowDown }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
      if (event.target instanceof Element && event.target.closest('[role=dialog]') !== null) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div className={styles.box}>
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        className={styles.field}
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        value={value}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value.slice(0, maxLength))}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          else if (event.key === 'ArrowDown' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            onArrowDown();
          }
        }}
      />
    </div>
  );
}
