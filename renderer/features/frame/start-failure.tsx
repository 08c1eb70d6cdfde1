import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../electron/contract/problem.ts';
import { problemWords } from '../../ui/words/problem-words.ts';
import { Failure } from './failure.tsx';

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
