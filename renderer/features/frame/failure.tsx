import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import styles from './failure.module.css';

export interface FailureProps {
  readonly title: string;
  readonly note: string;
  /** What was thrown, for those who want to know. */
  readonly detail: string | undefined;
  /** The words of the button that opens the window anew. */
  readonly again: string;
}

/** What stands in the place of the whole window when it cannot go on. */
export function Failure({ title, note, detail, again }: FailureProps) {
  return (
    <main className={styles.screen}>
      <Empty title={title} note={note}>
        <Button look="main" onClick={() => window.location.reload()}>
          {again}
        </Button>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      </Empty>
    </main>
  );
}
