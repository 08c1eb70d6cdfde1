import { useEffect, useRef, type RefObject } from 'react';
import { Icon } from '../icon.tsx';
import styles from './search-box.module.css';

/** What the down arrow key focuses: a list, or the handle of one. */
type Results = Pick<HTMLElement, 'focus'>;

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Maximum length of a query; a longer pasted text is cut. */
  readonly maxLength: number;
  /** The list of results, which the down arrow key moves to. */
  readonly results: RefObject<Results | null>;
}

/** A search field; Ctrl+F or Cmd+F focuses it while its screen is shown, Escape clears it, an arrow key leaves it. */
export function SearchBox({ label, value, onChange, maxLength, results }: SearchBoxProps) {
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
            focusResults(results.current);
          }
        }}
      />
    </div>
  );
}

/** Focuses the results; in a list of rows, the first becomes the active one unless there is one already. */
function focusResults(list: Results | null): void {
  list?.focus();
  if (!(list instanceof HTMLElement) || list.hasAttribute('aria-activedescendant')) return;
  // The list queues the key if its rows are still being searched for.
  list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
}
