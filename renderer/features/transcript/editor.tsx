import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptDocument } from '../../../electron/contract/transcript.ts';
import { segmentIndexAt, wordEndAt, wordStartAt } from '../../../electron/core/transcript/segment.ts';
import type { ScrollTarget, ShownCue } from '../../route.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { SegmentList, type SegmentListHandle } from './editing/segment-list.tsx';
import { useSegmentActions } from './editing/use-segment-actions.ts';
import { useActionFeedback } from './editing/use-action-feedback.ts';
import { UntimedText, type UntimedTextHandle } from './editing/untimed-text.tsx';
import { EditorBanner, ShortfallBanner } from './editor-banner.tsx';
import { EditorDialogs, useDialogs } from './dialogs/editor-dialogs.tsx';
import { ChangesView, type ChangesHandle } from './changes/changes-view.tsx';
import { EditorHeader, type EditorView } from './editor-header.tsx';
import styles from './editor.module.css';
import { FindBar } from './find/find-bar.tsx';
import { findAsLibrary, markMatchesInRows } from './find/matches.ts';
import { useFind } from './find/use-find.ts';
import { canPlay } from './player/playback.ts';
import { readingKeyAction } from './player/reading-keys.ts';
import { Player, ShortRecordingBanner } from './player/player.tsx';
import { useRecording } from './player/use-recording.ts';
import { useToggleSubtitles } from './player/subtitle-preview.tsx';
import { OriginalView } from './original-view.tsx';
import { ReviewBar } from './review/review-bar.tsx';
import { useReview } from './review/use-review.ts';
import { useSegmentSelection } from './editing/use-segment-selection.ts';
import { onlyNoteOr } from './session/note-edit.ts';
import { setReadingPlace } from './reading-places.ts';
import { undoCommandOf, type UndoCommand } from './session/undo-stack.ts';
import { usePlayback, useSession, useWorkspace } from './workspace.ts';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import { needsTimes } from './editing/segment-keys.ts';
import { isTextField } from '../../ui/focus/is-text-field.ts';
import { findCommandOf, useFindKey } from '../../ui/form/find-keys.ts';
import { replaceNotice } from '../../notices.ts';
import { notifyEdit } from './editing/notify-edit.ts';
import { useWindowState } from '../../use-store.ts';
import { useUndoKey } from '../../ui/list/use-undo-key.ts';
import { useKeyNames } from '../../ui/text/key-names.ts';

export interface EditorProps {
  /** Where to scroll to; absent: where the user was, or else the beginning. */
  readonly scrollTarget?: ScrollTarget | undefined;
  /** The subtitle to show; it takes precedence over `scrollTarget`. */
  readonly cue?: ShownCue | undefined;
  /** The query of the library search that led here: its matches are marked, and the find bar starts with it. */
  readonly searchQuery?: string | undefined;
  readonly document: TranscriptDocument;
  readonly onBack: () => void;
  /** Opens the next transcript that the search of the library found; `null` if there is none. */
  readonly onNextFound: (() => void) | null;
  /** Opens the previous one. */
  readonly onPreviousFound: (() => void) | null;
}

/** An open transcript with all its tools. */
export function Editor(props: EditorProps) {
  const { document, scrollTarget, cue, searchQuery, onBack, onNextFound, onPreviousFound } = props;
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const list = useRef<SegmentListHandle>(null);
  const untimedText = useRef<UntimedTextHandle>(null);
  const segments = useSession((state) => state.draft.segments);
  const language = useSession((state) => state.language);
  const [view, setView] = useState<EditorView>('text');
  const changes = useRef<ChangesHandle>(null);
  const recording = useRecording();
  const find = useFind({ list, untimedText }, searchQuery);
  const review = useReview(list, language);
  const dialogs = useDialogs();
  const feedback = useActionFeedback(useSession((state) => state.name));
  const selection = useSegmentSelection(segments);
  const onAction = useSegmentActions({
    list,
    ...feedback,
    selection,
    onTimes: dialogs.openTimes,
    onNote: dialogs.openNote,
  });
  const toggleSubtitles = useToggleSubtitles();
  const { search, currentMatch } = find;
  const { all: findings, index: findingIndex, current } = review;
  // Escape closes what was opened over the text before it leaves the transcript.
  const onEscape = (): void => {
    if (view !== 'text') setView('text');
    else if (search !== null) find.close('reading');
    else if (findingIndex !== null) review.close();
    else onBack();
  };
  const onListKey = (event: React.KeyboardEvent): void => {
    const action = readingKeyAction(event);
    if (event.key === 'Escape') onEscape();
    else if (action === null) return;
    else action(playback);
    event.preventDefault();
  };

  useLayoutEffect(() => {
    if (typeof scrollTarget !== 'number') return;
    const { draft } = session.getState();
    const segment = draft.segments.find(({ id }) => id === scrollTarget);
    if (segment === undefined) return;
    // Go to the match itself, not just its segment.
    const [match] =
      searchQuery === undefined ? [] : findAsLibrary({ segments: [segment], text: null }, searchQuery);
    const start = match?.start ?? 0;
    playback.seek(wordStartAt(segment, start));
    list.current?.arriveAt(scrollTarget, start);
  }, [scrollTarget, searchQuery, session, playback]);

  // The preview of subtitles is beside the text.
  const [lastCue, setLastCue] = useState(cue);
  if (cue !== lastCue) {
    setLastCue(cue);
    setView('text');
  }
  const showCue = useEffectEvent(({ startSeconds }: ShownCue): void => {
    const { draft } = session.getState();
    const segment = draft.segments[Math.max(0, segmentIndexAt(draft.segments, startSeconds))];
    playback.seek(startSeconds);
    if (segment === undefined) return;
    // If another view hides the list, it will open at the reading place.
    setReadingPlace(session.id, { at: segment.id, seconds: startSeconds });
    list.current?.arriveAt(segment.id, 0);
  });
  useLayoutEffect(() => {
    if (cue !== undefined) showCue(cue);
  }, [cue]);

  const hasVideo = usePlayback((state) => state.aspectRatio !== null);
  const showsVideo = useWindowState((state) => state.settings.showVideo);
  const videoShare = useWindowState((state) => state.settings.videoShare);
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  const isUntimed = document.text !== null;
  const onKey = (event: React.KeyboardEvent): void => {
    const { target, nativeEvent } = event;
    // React also passes on the keys of open dialogs and menus.
    if (!(target instanceof Element) || !event.currentTarget.contains(target)) return;
    const hasCommandKey = event.ctrlKey || event.metaKey;
    const findCommand = findCommandOf(event);
    const command = undoCommandOf(event);
    // Escape leaves the original and the changes from anywhere; if it closed a popover or a list, it is already handled.
    if (view !== 'text' && event.key === 'Escape' && !event.defaultPrevented) {
      setView('text');
      event.preventDefault();
      return;
    }
    // The other views have no find bar and no review: these would appear only once the view is closed.
    if (view !== 'text' && (findCommand !== null || (event.key === 'F8' && changes.current === null))) return;
    // Also while a button has the focus, for example one of the player; fields and lists handle Escape themselves.
    if (event.key === 'Escape' && !event.defaultPrevented && !nativeEvent.isComposing) onEscape();
    else if (event.key === 'F3' && event.altKey) {
      const goToFound = event.shiftKey ? onPreviousFound : onNextFound;
      if (goToFound !== null) goToFound();
      else
        replaceNotice('found', t(event.shiftKey ? 'transcript.noPreviousFound' : 'transcript.noNextFound'));
    } else if (findCommand !== null) {
      if (findCommand === 'open') find.open();
      else if (search === null) find.openAtNext(findCommand);
      else search.stepAndFocus(findCommand);
    } else if (event.altKey && !hasCommandKey && !event.shiftKey && event.code === 'KeyS') toggleSubtitles();
    // With the caret in a segment, the segment handles this key, and the event does not get here.
    else if (event.altKey && !hasCommandKey && !event.shiftKey && event.code === 'KeyN' && !isUntimed) {
      const { draft } = session.getState();
      const { time } = playback.getState();
      const noted = draft.segments[Math.max(0, segmentIndexAt(draft.segments, time))];
      dialogs.openNote(onlyNoteOr(draft, noted?.id, time));
    }
    // On a Mac, Option types characters.
    else if (isUntimed && view === 'text' && needsTimes(nativeEvent) && !(isMac && isTextField(target)))
      replaceNotice('times', t('transcript.noTimes'), t('transcript.noTimesNote'));
    else if (event.key === 'F8') {
      const by = event.shiftKey ? -1 : 1;
      if (changes.current === null) review.stepAndFocus(by);
      else changes.current.step(by);
    }
    // The fields of the find bar undo their own input, and the original is not edited.
    else if (view === 'original' || nativeEvent.isComposing || target.matches('input')) return;
    else if (command !== null) session[command]();
    else return;
    event.preventDefault();
  };

  // Undo keys pressed outside the transcript, for example in the sidebar, which has the focus when its panel was closed.
  const runOutside = (command: UndoCommand): void => {
    if (view !== 'original') session[command]();
  };
  useUndoKey(
    () => runOutside('undo'),
    () => runOutside('redo'),
  );

  // The same for the find bar.
  useFindKey((key) => {
    if (key !== 'open' || view !== 'text') return false;
    find.open();
    return true;
  });

  const hasNoText = isUntimed && document.text.trim() === '' && !document.edited;
  return (
    // Shortcuts that work anywhere in the transcript.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.editor}
      data-video={(hasVideo && showsVideo) || undefined}
      style={{ '--video-share': videoShare } as React.CSSProperties}
      onKeyDown={onKey}
    >
      <div className={styles.head}>
        <EditorHeader
          document={document}
          recordingControl={recording}
          isUntimed={isUntimed}
          hasNoText={hasNoText}
          view={view}
          onView={setView}
          onDialog={dialogs.openDialog}
          onBack={onBack}
        >
          {!hasNoText && view === 'text' && (
            <Button aria-pressed={search !== null} onClick={find.open}>
              {t('transcript.find.button')}
            </Button>
          )}
          {!isUntimed && view === 'text' && (
            <Button aria-pressed={findingIndex !== null} onClick={review.open}>
              {t('transcript.review.button', { count: findings.length })}
            </Button>
          )}
        </EditorHeader>
        <EditorBanner onRestored={() => (isUntimed ? untimedText : list).current?.focus()} />
        <ShortfallBanner shortfall={document.shortfall} />
        <ShortRecordingBanner choose={recording.choose} />
      </div>
      <Player control={recording} language={language} />
      {/* The bars are hidden, not removed, while another view is shown: they keep what was typed and take no focus again. */}
      <div className={styles.tools} data-tools hidden={view !== 'text'}>
        {search !== null && (
          <FindBar
            search={search}
            onShow={find.show}
            onClose={(wasTyping) => find.close(wasTyping ? 'typing' : 'reading')}
          />
        )}
        {findingIndex !== null && (
          <ReviewBar
            review={review}
            index={findingIndex}
            onFix={(finding, operation, done) => {
              const change = review.fix(finding, operation);
              const [step] = change;
              if (operation.kind === 'insert' && step?.kind === 'splice' && step.inserted[0] !== undefined)
                list.current?.placeCaret(step.inserted[0].id, 0);
              if (done !== null && change.length > 0) notifyEdit(session, done);
            }}
            onPlay={(finding) => {
              const segment = segments.find(({ id }) => id === finding.segment);
              if (segment === undefined) return;
              const { from, to } = finding.range ?? { from: 0, to: segment.text.length };
              playback.playRange(Math.max(0, wordStartAt(segment, from) - 1), wordEndAt(segment, to));
            }}
            onEdit={review.correct}
            onClose={() => {
              review.close();
              list.current?.focus();
            }}
          />
        )}
      </div>
      <div className={styles.content}>
        {hasNoText ? (
          <Empty title={t('transcript.empty')} note={t('transcript.emptyNote')} />
        ) : view === 'original' ? (
          <OriginalView onCompare={() => setView('changes')} onClose={() => setView('text')} />
        ) : view === 'changes' ? (
          <ChangesView handle={changes} onClose={() => setView('text')} />
        ) : isUntimed ? (
          <UntimedText
            handle={untimedText}
            matches={search === null && find.markedMatches.length === 0 ? null : find.markedMatches}
            currentMatch={currentMatch}
            initialRange={typeof scrollTarget === 'number' ? undefined : scrollTarget}
            onReadingKey={onListKey}
          />
        ) : segments.length === 0 ? (
          <NoSegments />
        ) : (
          <SegmentList
            handle={list}
            onAction={onAction}
            selection={selection}
            onMenu={dialogs.openMenu}
            onSpeakers={() => dialogs.openDialog('speakers')}
            onNote={(note) => dialogs.openNote({ kind: 'existing', note })}
            onListKey={onListKey}
            onEnter={review.endCorrection}
            opened={dialogs.openedSegment}
            suspiciousSegments={review.suspiciousSegments}
            currentFinding={current ?? null}
            onChangeShown={review.goToChange}
            onRender={(element) => markMatchesInRows(element, find.markedMatches, currentMatch)}
          />
        )}
      </div>
      <EditorFooter
        isUntimed={isUntimed}
        hasNoText={hasNoText}
        selectedCount={selection.ids.length}
        view={view}
        onOriginal={() => setView('original')}
        onNextFound={onNextFound}
        onPreviousFound={onPreviousFound}
        onShowShortcuts={() => dialogs.openDialog('keys')}
      />
      <EditorDialogs
        dialogs={dialogs}
        list={list}
        onAction={onAction}
        selection={selection}
        recordingControl={recording}
      />
    </div>
  );
}

/** Shown after every segment was deleted, with a button to undo that. */
function NoSegments() {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const undo = useRef<HTMLButtonElement>(null);
  // The list that had the focus is gone.
  useEffect(() => undo.current?.focus(), []);
  return (
    <Empty title={t('transcript.allDeleted')} note={t('transcript.allDeletedNote')}>
      <Button ref={undo} onClick={() => session.undo()}>
        {t('transcript.undo')}
      </Button>
    </Empty>
  );
}

/** Separates two hints. */
const separator = ' · ';

export interface EditorFooterProps {
  readonly isUntimed: boolean;
  readonly hasNoText: boolean;
  /** Number of selected segments. */
  readonly selectedCount: number;
  readonly view: EditorView;
  readonly onOriginal: () => void;
  readonly onNextFound: EditorProps['onNextFound'];
  readonly onPreviousFound: EditorProps['onPreviousFound'];
  readonly onShowShortcuts: () => void;
}

/** The most useful shortcuts, and the button for the original. */
function EditorFooter(props: EditorFooterProps) {
  const { isUntimed, hasNoText, selectedCount, view, onOriginal, onShowShortcuts } = props;
  const { onNextFound, onPreviousFound } = props;
  const { t } = useTranslation();
  const keyNames = useKeyNames();
  const hasRecording = usePlayback(canPlay);
  const usedHints = useWindowState((state) => state.settings.usedHints);
  if (hasNoText) return null;
  // The other views are read-only.
  const keyHints =
    view !== 'text'
      ? []
      : [
          hasRecording && !usedHints.includes('play') && t('transcript.playHint'),
          isUntimed && t('transcript.noTimes'),
          !isUntimed &&
            !usedHints.includes('split') &&
            t('transcript.splitHint', { split: keyNames('Enter') }),
          !isUntimed &&
            !usedHints.includes('merge') &&
            t('transcript.mergeHint', { merge: keyNames('Alt+↑') }),
        ].filter((hint) => hint !== false);
  const hints =
    selectedCount > 1 && view === 'text'
      ? [
          t('transcript.selected', { count: selectedCount }),
          t('transcript.selectedHint', {
            assign: keyNames('Alt+1'),
            highlight: keyNames('Alt+H'),
            merge: keyNames('Alt+↓'),
            remove: keyNames('Del'),
          }),
        ]
      : keyHints;
  return (
    <ScreenFooter
      end={
        <>
          {onPreviousFound !== null && (
            <Button variant="plain" title={keyNames('Alt+Shift+F3')} onClick={onPreviousFound}>
              {t('transcript.find.previousFound')}
            </Button>
          )}
          {onNextFound !== null && (
            <Button variant="plain" title={keyNames('Alt+F3')} onClick={onNextFound}>
              {t('transcript.find.nextFound')}
            </Button>
          )}
          <Button variant="plain" onClick={onShowShortcuts}>
            {t('transcript.keys.show')}
          </Button>
          {view !== 'original' && (
            <Button variant="plain" onClick={onOriginal}>
              {t('transcript.original.show')}
            </Button>
          )}
        </>
      }
    >
      {/* A hint that does not fit is hidden completely. A translated text can contain several hints. */}
      <span role={selectedCount > 1 ? 'status' : undefined} className={styles.hints}>
        {hints
          .join(separator)
          .split(separator)
          .map((hint, index) => (
            <span key={hint}>{index === 0 ? hint : separator.trimStart() + hint}</span>
          ))}
      </span>
    </ScreenFooter>
  );
}
