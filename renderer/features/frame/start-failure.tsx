import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../electron/contract/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { problemWords } from '../../ui/problem-words.ts';
import styles from './start-failure.module.css';

/** What the window shows when the main process cannot tell it anything. */
export function StartFailure({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation();
  return (
    <main className={styles.screen}>
      <Empty title={t('failure.title')} note={problemWords(t, problem)}>
        <Button look="main" onClick={() => window.location.reload()}>
          {t('failure.reload')}
        </Button>
        {problem.detail !== undefined && <p className={styles.detail}>{problem.detail}</p>}
      </Empty>
    </main>
  );
}
