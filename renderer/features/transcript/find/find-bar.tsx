import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxFindLength } from '../../../../electron/contract/limits.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useSession } from '../workspace.ts';
import { ReplacedText } from '../../../ui/text/marked.tsx';
import styles from './find-bar.module.css';
import { hasSeveralTerms, type FoundMatch } from './matches.ts';
import type { TextSearch } from './use-find.ts';
import { undoCommandOf } from '../session/undo-stack.ts';
import { useReplaceControl } from './use-replace-control.ts';

export interface FindBarProps {
  readonly search: TextSearch;
  /** Scrolls to a match. */
  readonly onShow: (match: FoundMatch) => void;
  /** Called with whether the focus came from the caret in the text. */
  readonly onClose: (wasTyping: boolean) => void;
}

/** UTF-16 units of text that the preview shows before the match: few, so that the replacement is visible in narrow windows. */
const beforeLength = 20;

/** UTF-16 units of text that the preview shows after the match. */
const afterLength = 60;

/** Finds and replaces text in the transcript. */
export function FindBar({ search, onShow, onClose }: FindBarProps) {
  const { t } = useTranslation();
  const [replacement, setReplacement] = useState('');
  const bar = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { query, matches, index, focusRequests, setQuery } = search;
  const count = matches.length;
  // A replacement is meant for the text as it stands in the field, not for each of its words wherever it is.
  const findsWordsApart = query.isLibraryQuery && hasSeveralTerms(query.text);
  const canReplace = count > 0 && !findsWordsApart;
  const currentMatch = matches[index];
  const isDeleting = replacement === '';
  const replaceControl = useReplaceControl(search, replacement);
  const problemId = useId();
  const handledRequests = useRef(0);
  const wasTyping = useRef(false);
  useEffect(() => {
    if (handledRequests.current === focusRequests) return;
    handledRequests.current = focusRequests;
    field.current?.select();
  }, [focusRequests]);
  // Do not scroll while the user types in the text.
  const show = useEffectEvent((match: FoundMatch) => {
    if (bar.current?.contains(document.activeElement) === true) onShow(match);
  });
  useEffect(() => {
    if (currentMatch !== undefined) show(currentMatch);
  }, [currentMatch]);

  const failure = search.failure ?? replaceControl.failure;
  const statusText = (): string => {
    if (query.text === '' || failure !== null) return '';
    if (count > 0)
      return t(`transcript.find.${search.wrapped ?? (search.isCapped ? 'ofMore' : 'of')}`, {
        number: index + 1,
        count,
      });
    if (search.isSearching) return t('transcript.find.searching');
    const { lastResult } = replaceControl;
    return lastResult === null
      ? t('transcript.find.none')
      : t(lastResult.isDeletion ? 'transcript.find.deleted' : 'transcript.find.replaced', {
          count: lastResult.count,
        });
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves it and Ctrl+Z undoes from anywhere in it
    <search
      ref={bar}
      className={styles.bar}
      aria-label={t('transcript.find.label')}
      onFocus={({ relatedTarget: from }) => {
        if (from !== null && bar.current?.contains(from) !== true)
          wasTyping.current = from.matches('[role=textbox], textarea');
      }}
      onKeyDown={(event) => {
        const command = undoCommandOf(event);
        if (event.key === 'Escape') onClose(wasTyping.current);
        // Without a replacement to undo, the fields undo their own typing.
        else if (command === null || !isField(event.target) || !replaceControl.runCommand(command)) return;
        event.preventDefault();
      }}
    >
      <div className={styles.group}>
        <input
          ref={field}
          className={styles.field}
          aria-label={t('transcript.find.find')}
          aria-invalid={search.failure !== null}
          aria-describedby={search.failure === null ? undefined : problemId}
          placeholder={t('transcript.find.find')}
          value={query.text}
          maxLength={maxFindLength}
          spellCheck={false}
          onChange={(event) => setQuery({ ...query, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            search.step(event.shiftKey ? -1 : 1);
          }}
        />
        <input
          className={styles.field}
          aria-label={t('transcript.find.replacement')}
          placeholder={t('transcript.find.replacement')}
          title={query.isPattern ? t('transcript.find.groups') : undefined}
          value={replacement}
          maxLength={maxFindLength}
          spellCheck={false}
          onFocus={() => {
            if (findsWordsApart) setQuery(query);
          }}
          onChange={(event) => setReplacement(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            // Enter never deletes: only the buttons do, whose labels say so.
            if (isDeleting) search.step(event.shiftKey ? -1 : 1);
            else if (event.ctrlKey || event.metaKey) replaceControl.replaceAll();
            else replaceControl.replaceCurrent();
          }}
        />
        <span className={styles.count} role="status">
          {statusText()}
        </span>
        <IconButton
          aria-label={t('transcript.find.previous')}
          disabled={count === 0}
          onClick={() => search.stepAndFocus(-1)}
        >
          <Icon name="chevron-up" />
        </IconButton>
        <IconButton
          aria-label={t('transcript.find.next')}
          disabled={count === 0}
          onClick={() => search.stepAndFocus(1)}
        >
          <Icon name="chevron-down" />
        </IconButton>
      </div>
      <div className={styles.group}>
        {toggles.map(({ name, label, symbol }) => (
          <Button
            key={name}
            variant="plain"
            aria-pressed={query[name]}
            aria-label={t(`transcript.find.${label}`)}
            className={styles.toggle ?? ''}
            onClick={() => setQuery({ ...query, [name]: !query[name] })}
          >
            <span className={styles.label}>{t(`transcript.find.${label}`)}</span>
            <span className={styles.symbol} title={t(`transcript.find.${label}`)} data-symbol={symbol} />
          </Button>
        ))}
        <Button
          disabled={!canReplace}
          onClick={() => {
            replaceControl.replaceCurrent();
            if (count === 1) field.current?.focus();
          }}
        >
          {t(isDeleting ? 'transcript.find.delete' : 'transcript.find.replace')}
        </Button>
        <Button
          disabled={!canReplace}
          onClick={() => {
            replaceControl.replaceAll();
            // The buttons are disabled once there is nothing left to replace.
            field.current?.focus();
          }}
        >
          {t(isDeleting ? 'transcript.find.deleteAll' : 'transcript.find.replaceAll')}
        </Button>
      </div>
      <IconButton
        className={styles.close}
        aria-label={t('transcript.find.close')}
        onClick={() => onClose(wasTyping.current)}
      >
        <Icon name="close" />
      </IconButton>
      {failure !== null && (
        <p id={problemId} role="alert" className={styles.problem}>
          {t(`transcript.find.failure.${failure}`)}
        </p>
      )}
      {replacement !== '' && currentMatch !== undefined && replaceControl.preview !== null && (
        <p className={styles.preview} dir="auto">
          <Preview match={currentMatch} replacement={replaceControl.preview} />
        </p>
      )}
    </search>
  );
}

const isField = (target: EventTarget): boolean => target instanceof HTMLInputElement;

/** The options of a query. Narrow windows show the symbols that text editors use. */
const toggles = [
  { name: 'matchCase', label: 'case', symbol: 'Aa' },
  { name: 'wholeWords', label: 'words', symbol: '|ab|' },
  { name: 'isPattern', label: 'pattern', symbol: '.*' },
] as const;

/** Shows the text around the current match as it would be after the replacement. */
function Preview({ match, replacement }: { readonly match: FoundMatch; readonly replacement: string }) {
  const { segment, start, end } = match;
  const text = useSession(({ draft }) =>
    segment === null ? draft.text : draft.segments.find(({ id }) => id === segment)?.text,
  );
  // While the user types, matches are a moment older than the text.
  if (text === null || text === undefined || end > text.length) return null;
  const from = Math.max(0, start - beforeLength);
  const excerpt = text.slice(from, end + afterLength);
  return (
    <>
      {from > 0 && '…'}
      <ReplacedText
        text={excerpt}
        marks={[{ start: start - from, end: end - from }]}
        replacement={replacement}
      />
      {end + afterLength < text.length && '…'}
    </>
  );
}
