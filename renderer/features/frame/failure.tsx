import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import styles from './failure.module.css';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkMissingError } from '../../lazy-part.tsx';
import { asProblem } from '../../notices.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { problemText } from '../../ui/text/problem-text.ts';

export interface FailureProps {
  readonly title: string;
  readonly note: string;
  /** Technical details, for a report. */
  readonly detail: string | undefined;
  /** The label of the button that reloads the window. */
  readonly reloadLabel: string;
}

/** Replaces the whole window when it cannot continue. */
function Failure({ title, note, detail, reloadLabel }: FailureProps) {
  return (
    <main className={styles.screen}>
      <Empty title={title} note={note}>
        <Button variant="main" onClick={() => window.location.reload()}>
          {reloadLabel}
        </Button>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      </Empty>
    </main>
  );
}

interface State {
  readonly failed: { readonly error: unknown } | null;
}

/** Catches an error while rendering: shows the reason with a button to reload, instead of an empty window. */
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
    error instanceof ChunkMissingError
      ? [t('failure.partMissing'), t('failure.partMissingNote')]
      : [t('failure.stopped'), t('crash.nothingLost')];
  return (
    <Failure title={title} note={note} detail={asProblem(error).detail} reloadLabel={t('crash.reopen')} />
  );
}

/** Replaces the window when the main process cannot send its state. */
export function StartFailure({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation();
  return (
    <Failure
      title={t('failure.title')}
      note={problemText(t, problem)}
      detail={problem.detail}
      reloadLabel={t('failure.reload')}
    />
  );
}
