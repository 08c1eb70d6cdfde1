import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { differenceOf } from '../../../../electron/core/library/edit/whole-text.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { skipBackSeconds } from './use-actions.ts';
import styles from './whole-text.module.css';

/** The text of a transcript without times, to read and to type in as one. */
export function WholeText({ onLeave }: { readonly onLeave: () => void }) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const field = useRef<HTMLTextAreaElement>(null);
  const stored = useSession((state) => state.draft.text ?? '');
  const shown = session.textOf(null, stored);

  // Reading and typing start at once, at the beginning.
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(0, 0);
  }, []);

  useLayoutEffect(() => {
    const element = field.current;
    const change = element === null ? null : differenceOf(element.value, shown);
    if (element === null || change === null) return;
    element.value = shown;
    // What was taken back is where one goes on.
    const end = change.at + change.inserted.length;
    element.setSelectionRange(end, end);
  }, [shown]);

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && (key === 'y' || (key === 'z' && event.shiftKey))) session.redo();
    else if (command && key === 'z') session.undo();
    else if (event.key === 'Tab' && event.shiftKey) playback.skip(-skipBackSeconds);
    else if (event.key === 'Tab') playback.toggle();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };

  return (
    <textarea
      ref={field}
      className={styles.text}
      aria-label={t('transcript.text')}
      defaultValue={shown}
      dir="auto"
      spellCheck={false}
      onInput={(event) => session.type(null, event.currentTarget.value)}
      onBlur={() => session.flush()}
      onKeyDown={onKeyDown}
    />
  );
}
