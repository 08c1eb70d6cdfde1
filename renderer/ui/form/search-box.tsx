import type { RefObject } from 'react';
import { Icon } from '../icon.tsx';
import styles from './search-box.module.css';

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Characters that are searched for at most; of a longer text that is pasted, the first ones. */
  readonly maxLength: number;
  /** The field, for a key that leads to it. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** An arrow key leads from the field down to what was found. */
  readonly onDown: () => void;
}

/** A field to search in; Escape empties it, an arrow leads out of it. */
export function SearchBox({ label, value, onChange, maxLength, field, onDown }: SearchBoxProps) {
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
            onDown();
          }
        }}
      />
    </div>
  );
}
