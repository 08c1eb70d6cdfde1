import { useRef, type RefObject } from 'react';
import { Icon } from '../icon.tsx';
import { useFindKey } from './find-keys.ts';
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
  /** Goes to the next or previous match of a text; absent where the query filters a list. */
  readonly onStep?: (by: -1 | 1) => void;
}

/**
 * A search field. Ctrl+F or Cmd+F focuses it while its screen is shown, and Escape clears it. The down arrow key moves to
 * the results, as does Escape once it is empty. With `onStep`, Enter in it, F3 and Ctrl+G go from match to match.
 */
export function SearchBox({ label, value, onChange, maxLength, results, onStep }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null);
  useFindKey((command) => {
    // The add sheet covers the search of the queue. A notice or a popover covers nothing.
    if (field.current?.closest('[inert]') !== null || (command !== 'open' && onStep === undefined))
      return false;
    if (command === 'open' || value === '') field.current.select();
    else onStep?.(command);
    return true;
  });
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
          if (event.key === 'Escape' && value === '') results.current?.focus();
          else if (event.key === 'Escape') onChange('');
          else if (event.key === 'Enter' && onStep !== undefined) {
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          } else if (event.key === 'ArrowDown' && !event.nativeEvent.isComposing) {
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
