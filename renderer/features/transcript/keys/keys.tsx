import type { ReactNode } from 'react';
import { useKeyWords } from '../../../ui/words/key-words.ts';
import styles from './keys.module.css';

/** Words with the key that does the same. */
export function Keys({ keys, children }: { readonly keys: string; readonly children: ReactNode }) {
  const words = useKeyWords();
  return (
    <span className={styles.line}>
      <span>{children}</span>
      <kbd className={styles.keys}>{words(keys)}</kbd>
    </span>
  );
}
