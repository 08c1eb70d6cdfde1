import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Query } from '../../../../electron/contract/model/transcript.ts';
import { notify } from '../../../notices.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWorkspace } from '../workspace.ts';
import styles from './find-bar.module.css';
import type { Found } from './use-find.ts';

export interface FindBarProps {
  readonly query: Query;
  readonly found: readonly Found[];
  /** Index of the place that is shown. */
  readonly at: number;
  readonly onQuery: (query: Query) => void;
  readonly onGo: (index: number) => void;
  readonly onClose: () => void;
}

/** Finds a text in the transcript and replaces it, here or everywhere. */
export function FindBar({ query, found, at, onQuery, onGo, onClose }: FindBarProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [replacement, setReplacement] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const count = found.length;
  const go = (by: -1 | 1): void => {
    if (count > 0) onGo((at + by + count) % count);
  };

  const replaceOne = (): void => {
    const place = found[at];
    const segment = session.getState().draft.segments.find(({ id }) => id === place?.segment);
    if (place === undefined || segment === undefined) return;
    const text = segment.text.slice(0, place.start) + replacement + segment.text.slice(place.end);
    session.edit({ kind: 'set-text', segment: segment.id, text });
    onGo(Math.min(at, count - 2));
  };
  const replaceAll = (): void => {
    if (count === 0) return;
    session.edit({ kind: 'replace', query, replacement });
    notify(t('transcript.find.replaced', { count }), t('transcript.find.undoHint'));
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves it from anywhere in it
    <search
      className={styles.bar}
      aria-label={t('transcript.find.label')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={field}
        className={styles.field}
        aria-label={t('transcript.find.find')}
        placeholder={t('transcript.find.find')}
        value={query.text}
        maxLength={1000}
        spellCheck={false}
        onChange={(event) => onQuery({ ...query, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
      />
      <span className={styles.count} role="status">
        {query.text !== '' &&
          (count === 0
            ? t('transcript.find.none')
            : t('transcript.find.of', { number: Math.min(at + 1, count), count }))}
      </span>
      <Button
        look="plain"
        aria-pressed={query.matchCase}
        className={styles.toggle ?? ''}
        onClick={() => onQuery({ ...query, matchCase: !query.matchCase })}
      >
        {t('transcript.find.case')}
      </Button>
      <Button
        look="plain"
        aria-pressed={query.wholeWords}
        className={styles.toggle ?? ''}
        onClick={() => onQuery({ ...query, wholeWords: !query.wholeWords })}
      >
        {t('transcript.find.words')}
      </Button>
      <input
        className={styles.field}
        aria-label={t('transcript.find.replacement')}
        placeholder={t('transcript.find.replacement')}
        value={replacement}
        maxLength={1000}
        spellCheck={false}
        onChange={(event) => setReplacement(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (event.ctrlKey || event.metaKey) replaceAll();
          else replaceOne();
        }}
      />
      <Button disabled={count === 0} onClick={replaceOne}>
        {t('transcript.find.replace')}
      </Button>
      <Button disabled={count === 0} onClick={replaceAll}>
        {t('transcript.find.replaceAll')}
      </Button>
      <IconButton aria-label={t('transcript.find.close')} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </search>
  );
}
