import { Icon } from './icon.tsx';
import styles from './search-box.module.css';

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field to search in; Escape empties it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <div className={styles.box}>
      <Icon name="search" />
      <input
        type="search"
        className={styles.field}
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
        }}
      />
    </div>
  );
}
