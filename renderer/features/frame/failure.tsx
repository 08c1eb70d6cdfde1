import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import styles from './failure.module.css';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PartMissingError } from '../../lazy-part.tsx';
import { asProblem } from '../../notices.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { problemWords } from '../../ui/words/problem-words.ts';

export interface FailureProps {
  readonly title: string;
  readonly note: string;
  /** What was thrown, for those who want to know. */
  readonly detail: string | undefined;
  /** The words of the button that opens the window anew. */
  readonly again: string;
}

/** What stands in the place of the whole window when it cannot go on. */
function Failure({ title, note, detail, again }: FailureProps) {
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

interface State {
  readonly failed: { readonly error: unknown } | null;
}

/** Shows in words that the window cannot go on, with the way out, where there would be nothing at all. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, State> {
  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override state: State = { failed: null };

  override render(): ReactNode {
    const { failed } = this.state;
    return failed === null ? this.props.children : <WindowFailure error={failed.error} />;
  }
}

function WindowFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  const [title, note] =
    error instanceof PartMissingError
      ? [t('failure.partMissing'), t('failure.partMissingNote')]
      : [t('failure.stopped'), t('crash.nothingLost')];
  return <Failure title={title} note={note} detail={asProblem(error).detail} again={t('crash.openAnew')} />;
}

/** What the window shows when the main process cannot tell it anything. */
export function StartFailure({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation();
  return (
    <Failure
      title={t('failure.title')}
      note={problemWords(t, problem)}
      detail={problem.detail}
      again={t('failure.reload')}
    />
  );
}
