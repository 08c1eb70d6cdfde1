import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { useWorkspace } from '../workspace.ts';

/** What is shown when every segment was deleted: the way back. */
export function AllDeleted() {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const undo = useRef<HTMLButtonElement>(null);
  // The list had the focus, and is gone.
  useEffect(() => undo.current?.focus(), []);
  return (
    <Empty title={t('transcript.allDeleted')} note={t('transcript.allDeletedNote')}>
      <Button ref={undo} onClick={() => session.undo()}>
        {t('transcript.undo')}
      </Button>
    </Empty>
  );
}
