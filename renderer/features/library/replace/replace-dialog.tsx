import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import { maxFindLength } from '../../../../electron/contract/limits.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';
import type {
  PatternProblem,
  ReplacePreview,
  ReplaceQuery,
  ReplaceRequest,
} from '../../../../electron/contract/replace.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/form/choice.tsx';
import { Dialog, type DialogProps } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import {
  countTranscripts,
  collidingSpeakers,
  includedMatches,
  replaceRequest,
  previewRows,
  withSpeakers,
  type ExcludedMatches,
} from './replace-choices.ts';
import { PreviewList } from './preview-list.tsx';
import styles from './replace-dialog.module.css';
import { problemText } from '../../../ui/text/problem-text.ts';
import { useDebouncedCommand } from '../../../use-debounced-command.ts';
import { runReportingErrors } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';

/** The contents of the dialog's fields. */
export interface ReplaceDraft {
  readonly query: ReplaceQuery;
  readonly replacement: string;
}

/** The transcripts that the list shows, or that are selected there. */
export interface ReplaceScope {
  readonly kind: 'selected' | 'tagged' | 'listed';
  /** Empty unless the list shows the transcripts with a tag. */
  readonly tag: string;
  readonly ids: readonly TranscriptId[];
}

export interface ReplaceDialogProps extends Pick<DialogProps, 'open' | 'onClose'> {
  /** Where to replace unless the user chooses all transcripts; `null` for all. */
  readonly scope: ReplaceScope | null;
  /** The initial contents of the fields; `null`: empty. */
  readonly draft: ReplaceDraft | null;
  /** Called instead of `onClose` when Escape or a click outside closes it. */
  readonly onDismiss: (draft: ReplaceDraft) => void;
  /** `isPreviewCapped`: there are more matches than the dialog can show. */
  readonly onReplace: (request: ReplaceRequest, isPreviewCapped: boolean) => void;
}

const emptyPreview: ReplacePreview = { groups: [], isCapped: false };
const emptyQuery: ReplaceQuery = { text: '', matchCase: false, wholeWords: false, mode: 'text' };
const nothingExcluded: ExcludedMatches = new Set();

/** Finds a text in all transcripts and the names of speakers, previews each replacement, and replaces the chosen ones. */
export function ReplaceDialog({ scope, draft, open, onClose, onDismiss, onReplace }: ReplaceDialogProps) {
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  const problemId = useId();
  const [query, setQuery] = useState<ReplaceQuery>(draft?.query ?? emptyQuery);
  const [replacement, setReplacement] = useState(draft?.replacement ?? '');
  /** The replacement that would have made the texts too long. */
  const [tooLong, setTooLong] = useState<string | null>(null);
  const isPattern = query.mode === 'pattern';
  const [excluded, setExcluded] = useState(nothingExcluded);
  const [wantsSpeakers, setWantsSpeakers] = useState<boolean | null>(null);
  // By default, a deletion leaves names alone: a deleted word such as “um” may be part of a name.
  const renamesSpeakers = wantsSpeakers ?? replacement !== '';
  const [isScoped, setIsScoped] = useState(true);
  const search = useReplacePreview(query, isScoped ? (scope?.ids ?? null) : null, open);
  const foundPreview = search.kind === 'found' ? search.preview : null;
  const [mergesSpeakers, setMergesSpeakers] = useState(false);
  const fullPreview = foundPreview ?? emptyPreview;
  const colliding = useMemo(
    () => collidingSpeakers(fullPreview, query, replacement),
    [fullPreview, query, replacement],
  );
  const preview = useMemo(
    () =>
      withSpeakers(fullPreview, (speaker) => renamesSpeakers && (mergesSpeakers || !colliding.has(speaker))),
    [fullPreview, colliding, mergesSpeakers, renamesSpeakers],
  );
  const foundCount = useMemo(() => countTranscripts(fullPreview, () => true), [fullPreview]);
  const collidingCount = useMemo(
    () => countTranscripts(fullPreview, (speaker) => colliding.has(speaker)),
    [fullPreview, colliding],
  );
  const rows = useMemo(() => previewRows(preview), [preview]);
  const { groups, replacements, transcripts, speakers } = useMemo(
    () => includedMatches(preview, excluded),
    [preview, excluded],
  );
  const changeQuery = (patch: Partial<ReplaceQuery>): void => {
    setQuery({ ...query, ...patch });
    setExcluded(nothingExcluded);
    setTooLong(null);
  };

  const statusText = (): string => {
    if (query.text === '' || search.kind === 'unusable') return '';
    if (search.kind === 'failed') return problemText(t, search.problem);
    if (foundPreview === null) return t('replaceAll.searching');
    if (foundPreview.groups.length === 0)
      return isScoped && scope !== null
        ? t('replaceAll.noneInScope', { count: scope.ids.length })
        : t('replaceAll.none');
    const summary = foundPreview.groups.some(({ matches }) => matches.length > 0)
      ? t('replaceAll.in', { places: t('replaceAll.places', { count: replacements }), count: transcripts })
      : t('replaceAll.noneInText');
    return foundPreview.isCapped ? `${summary} · ${t('replaceAll.capped')}` : summary;
  };
  const failureText = (): string | null => {
    if (tooLong === replacement) return t('transcript.find.failure.long');
    if (search.kind !== 'unusable') return null;
    const { failure, transcript } = search.problem;
    const text = t(`transcript.find.failure.${failure}`);
    return transcript === null ? text : t('replaceAll.failedIn', { name: transcript, failure: text });
  };
  const failure = failureText();
  const submitLabel = (): string => {
    if (replacements === 0 && speakers > 0) return t('replaceAll.submitSpeakers', { count: speakers });
    return t(replacement === '' ? 'replaceAll.submitDeletion' : 'replaceAll.submit', { count: replacements });
  };

  const submit = (): void => {
    if (groups.length === 0) return;
    const request = replaceRequest(query, replacement, groups, mergesSpeakers);
    if (request === null) setTooLong(replacement);
    else onReplace(request, preview.isCapped);
  };

  return (
    <Dialog
      wide
      open={open}
      onClose={onClose}
      onDismiss={() => onDismiss({ query, replacement })}
      title={
        isScoped && scope !== null
          ? t('replaceAll.titleScoped', { count: scope.ids.length })
          : t('replaceAll.title')
      }
      note={t('replaceAll.note')}
      initialFocus={() => body.current?.querySelector<HTMLElement>('input') ?? null}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" disabled={groups.length === 0} onClick={submit}>
            {submitLabel()}
          </Button>
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={body}
        className={styles.body}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      >
        <div className={styles.fields}>
          <TextField
            type="text"
            label={t('replaceAll.find')}
            value={query.text}
            maxLength={maxFindLength}
            aria-invalid={search.kind === 'unusable'}
            aria-describedby={search.kind === 'unusable' ? problemId : undefined}
            onChange={(event) => changeQuery({ text: event.target.value })}
          />
          <TextField
            type="text"
            label={t('replaceAll.with')}
            value={replacement}
            maxLength={maxFindLength}
            title={isPattern ? t('transcript.find.groups') : undefined}
            onChange={(event) => setReplacement(event.target.value)}
          />
        </div>
        <div className={styles.options}>
          <Checkbox checked={query.matchCase} onChange={(matchCase) => changeQuery({ matchCase })}>
            {t('transcript.find.case')}
          </Checkbox>
          <Checkbox checked={query.wholeWords} onChange={(wholeWords) => changeQuery({ wholeWords })}>
            {t('transcript.find.words')}
          </Checkbox>
          <Checkbox
            checked={isPattern}
            onChange={(checked) => changeQuery({ mode: checked ? 'pattern' : 'text' })}
          >
            {t('transcript.find.pattern')}
          </Checkbox>
        </div>
        {scope !== null && (
          <Checkbox
            checked={isScoped}
            onChange={(checked) => {
              setIsScoped(checked);
              setExcluded(nothingExcluded);
            }}
          >
            {t(`replaceAll.only.${scope.kind}`, { count: scope.ids.length, tag: scope.tag })}
          </Checkbox>
        )}
        {failure !== null && (
          <p id={problemId} role="alert" className={styles.problem}>
            {failure}
          </p>
        )}
        <p role="status" className={styles.status} hidden={failure !== null}>
          {statusText()}
        </p>
        {foundCount > 0 && (
          <div className={styles.speakers}>
            <Checkbox
              checked={renamesSpeakers}
              note={t('replaceAll.inSpeakers', { count: foundCount })}
              onChange={setWantsSpeakers}
            >
              {t('replaceAll.renameSpeakers')}
            </Checkbox>
            {renamesSpeakers && collidingCount > 0 && (
              <Checkbox
                checked={mergesSpeakers}
                note={t('replaceAll.inEqual', { count: collidingCount })}
                onChange={setMergesSpeakers}
              >
                {t('replaceAll.mergeSpeakers')}
              </Checkbox>
            )}
          </div>
        )}
        <div className={styles.list} data-empty={rows.length === 0 || undefined}>
          {rows.length > 0 && (
            <PreviewList
              rows={rows}
              excluded={excluded}
              merged={colliding}
              replacement={replacement}
              onExcluded={setExcluded}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The state of the search for a query. */
type ReplaceSearch =
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly preview: ReplacePreview }
  /** The pattern is invalid, or takes too long. */
  | { readonly kind: 'unusable'; readonly problem: PatternProblem }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Finds a text in some transcripts, or in all if `ids` is `null`. It is `searching` until the result for exactly this query
 * arrives: the result of an earlier one is never shown. The search ends when the query changes or the dialog closes.
 */
function useReplacePreview(
  query: ReplaceQuery,
  ids: readonly TranscriptId[] | null,
  open: boolean,
): ReplaceSearch {
  const { invoke } = useStore();
  const input = useMemo(() => (query.text === '' ? null : { query, ids }), [query, ids]);
  useEffect(() => {
    if (input === null || !open) return undefined;
    return () => runReportingErrors(() => invoke('replace.stopFinding', undefined));
  }, [invoke, input, open]);
  const { result, problem, isPending } = useDebouncedCommand('replace.find', input);
  if (input === null || isPending) return { kind: 'searching' };
  if (problem !== null) return { kind: 'failed', problem };
  // `null`: another search took its place.
  if (result === null) return { kind: 'searching' };
  return 'failure' in result ? { kind: 'unusable', problem: result } : { kind: 'found', preview: result };
}
