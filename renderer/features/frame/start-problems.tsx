import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWindow } from '../../use-store.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { problemWords } from '../../ui/words/problem-words.ts';

/** What was found wrong when the program started, until the user has read it. */
export function StartProblems() {
  const { t } = useTranslation();
  const problems = useWindow((state) => state.app.startProblems);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());

  return problems
    .filter(({ code }) => !read.has(code))
    .map((problem) => (
      <Banner
        key={problem.code}
        tone="warn"
        actions={
          <Button onClick={() => setRead(new Set([...read, problem.code]))}>{t('action.dismiss')}</Button>
        }
      >
        {problemWords(t, problem)}
      </Banner>
    ));
}
