import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptDocument } from '../../../electron/contract/model/transcript.ts';
import { attempt, notify, notifyAgain } from '../../notices.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { OnceOpen } from '../../ui/once-open.ts';
import { problemWords } from '../../ui/problem-words.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useStore } from '../../use-store.ts';
import { EditorFooter } from './editor-footer.tsx';
import { EditorHeader } from './editor-header.tsx';
import { FindBar } from './find/find-bar.tsx';
import { markFound } from './find/highlights.ts';
import type { Found } from './find/found.ts';
import { useTextSearch } from './find/use-text-search.ts';
import { boundaryWords } from './editing/boundary-words.ts';
import { NoteDialog, type NoteWanted } from './editing/note-dialog.tsx';
import { quoteOf } from './editing/quote.ts';
import type { Stretch } from '../../../electron/core/library/edit/turns.ts';
import { RetimeDialog } from './editing/retime-dialog.tsx';
import { SegmentList, type SegmentListHandle } from './editing/segment-list.tsx';
import { SegmentMenu, type SegmentMenuPlace } from './editing/segment-menu.tsx';
import { useActions } from './editing/use-actions.ts';
import { WholeText, type WholeTextHandle } from './editing/whole-text.tsx';
import { AllDeleted } from './editing/all-deleted.tsx';
import { KeysDialog } from './keys/keys-dialog.tsx';
import { Player } from './player/player.tsx';
import { ReviewBar } from './review/review-bar.tsx';
import { useReview } from './review/use-review.ts';
import { OriginalView } from './reading/original-view.tsx';
import { SpeakersDialog } from './speakers/speakers-dialog.tsx';
import { speakerNames } from './speakers/speaker-names.ts';
import styles from './editor.module.css';
import type { Landing } from '../../place.ts';
import type { EditorDialog } from './editor-dialog.ts';
import { useSession, useWorkspace } from './workspace.ts';

export interface EditorProps {
  /** Where to land; absent: the beginning. */
  readonly landOn?: Landing | undefined;
  /** What to look for at first. */
  readonly sought?: string | undefined;
  readonly document: TranscriptDocument;
  readonly onBack: () => void;
}

/** An open transcript with everything that can be done with it. */
export function Editor({ document, landOn, sought, onBack }: EditorProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ask } = useStore();
  const { session, playback } = useWorkspace();
  const list = useRef<SegmentListHandle>(null);
  const whole = useRef<WholeTextHandle>(null);
  const empty = useSession((state) => state.draft.segments.length === 0);
  const saving = useSession((state) => state.saving);
  const [showsOriginal, setShowsOriginal] = useState(false);
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const segments = useSession((state) => state.draft.segments);
  const { search, open: openSearch, close: closeSearch } = useTextSearch(sought);
  const found = search?.found[search.at];
  const { findings, isReading, mend } = useReview();
  const [reviewed, setReviewed] = useState<number | null>(null);
  const [asked, setAsked] = useState(0);
  const at = reviewed === null ? null : Math.min(reviewed, Math.max(0, findings.length - 1));
  const looked = at === null ? undefined : findings[at];
  const suspects = useMemo(
    () =>
      new Map(
        findings.map(({ segment, kind, amount }) => [
          segment,
          t(`transcript.review.kind.${kind}`, { amount: Math.round(amount * 10) / 10 }),
        ]),
      ),
    [findings, t],
  );
  const [note, setNote] = useState<NoteWanted | null>(null);
  const [menu, setMenu] = useState<{ readonly open: boolean; readonly place: SegmentMenuPlace | null }>({
    open: false,
    place: null,
  });

  const copyQuote = (selected: readonly Stretch[]): void => {
    const { draft } = session.getState();
    const text = quoteOf(draft.segments, selected, speakerNames(draft, t), document.name);
    attempt(async () => {
      await ask('transcript.copy', { text });
      notify(t('transcript.quoteCopied'));
    });
  };
  const onAction = useActions({
    list,
    onQuote: copyQuote,
    onBoundary: (moved) => {
      const { title, note } = boundaryWords(t, format, moved);
      notifyAgain('boundary', title, note);
    },
    onNote: (atSeconds) => setNote({ kind: 'new', atSeconds }),
  });
  const onMenu = useCallback((place: SegmentMenuPlace) => setMenu({ open: true, place }), []);
  const closeDialog = (): void => setDialog(null);

  const showFound = (place: Found): void => {
    if (place.segment === null) whole.current?.show(place);
    else list.current?.show(place.segment, place.start);
  };
  /** The caret goes to what was found last, or to where it was. */
  const leaveFind = (): void => {
    closeSearch();
    if (found === undefined) (list.current ?? whole.current)?.focus();
    else if (found.segment === null) whole.current?.select(found);
    else list.current?.edit(found.segment, found.start, found.end);
  };
  const openFind = (): void => openSearch((list.current ?? whole.current)?.place() ?? null);
  const stepReview = (by: -1 | 1): void => {
    const count = findings.length;
    setReviewed(at === null || count === 0 ? 0 : (at + by + count) % count);
    setAsked(asked + 1);
  };
  const lookedSegment = looked?.segment;
  useEffect(() => {
    if (lookedSegment !== undefined) list.current?.show(lookedSegment);
  }, [lookedSegment]);

  useEffect(() => {
    if (typeof landOn === 'number') list.current?.edit(landOn, 0);
  }, [landOn]);

  const onKey = (event: React.KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    if (command && key === 'f') openFind();
    else if (event.key === 'F3' || (command && key === 'g')) {
      if (search === null) openFind();
      else search.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'F8') stepReview(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };

  const onListKey = (event: React.KeyboardEvent): void => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (event.key === 'Escape') onBack();
    else if (command && key === 'z') {
      if (event.shiftKey) session.redo();
      else session.undo();
    } else if (command && key === 'y') session.redo();
    else if (command || event.altKey) return;
    else if (key === ' ') playback.toggle();
    else if (key === 'arrowleft') playback.skip(-5);
    else if (key === 'arrowright') playback.skip(5);
    else if (key === '<') playback.stepRate(-1);
    else if (key === '>') playback.stepRate(1);
    else return;
    event.preventDefault();
  };

  const timeless = document.text !== null;
  const silent = timeless && document.text.trim() === '' && !document.edited;
  return (
    // Keys that work wherever one is in the transcript.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.editor} onKeyDown={onKey}>
      <EditorHeader
        document={document}
        timeless={timeless}
        silent={silent}
        showsOriginal={showsOriginal}
        onOriginal={() => setShowsOriginal(!showsOriginal)}
        onDialog={setDialog}
        onBack={onBack}
      >
        {!silent && (
          <Button aria-pressed={search !== null} onClick={openFind}>
            {t('transcript.find.button')}
          </Button>
        )}
        {!timeless && (
          <Button aria-pressed={reviewed !== null} onClick={() => setReviewed(0)}>
            {t('transcript.review.button', { count: findings.length })}
          </Button>
        )}
      </EditorHeader>
      {saving.kind === 'unsaved' && (
        <Banner
          tone="bad"
          title={t('transcript.unsaved')}
          actions={<Button onClick={() => session.retry()}>{t('action.tryAgain')}</Button>}
        >
          {problemWords(t, saving.problem)}
        </Banner>
      )}
      <Player />
      {search !== null && !showsOriginal && (
        <FindBar search={search} onShow={showFound} onClose={leaveFind} />
      )}
      {at !== null && !showsOriginal && (
        <ReviewBar
          findings={findings}
          isReading={isReading}
          at={at}
          asked={asked}
          onGo={setReviewed}
          onMend={(finding) => {
            const [step] = mend(finding);
            const inserted =
              finding.mend?.kind === 'insert' && step?.kind === 'splice' ? step.inserted[0] : undefined;
            if (inserted !== undefined) list.current?.edit(inserted.id, 0);
          }}
          onPlay={({ segment: id }) => {
            const start = segments.find((segment) => segment.id === id)?.start ?? 0;
            playback.seek(Math.max(0, start - 1));
            playback.play();
          }}
          onEdit={({ segment }) => list.current?.edit(segment, 0)}
          onClose={() => {
            setReviewed(null);
            list.current?.focus();
          }}
        />
      )}
      {silent ? (
        <Empty title={t('transcript.empty')} note={t('transcript.emptyNote')} />
      ) : showsOriginal ? (
        <OriginalView onClose={() => setShowsOriginal(false)} />
      ) : timeless ? (
        <WholeText
          handle={whole}
          found={search?.found ?? null}
          shown={found}
          landOn={typeof landOn === 'number' ? undefined : landOn}
          onLeave={onBack}
        />
      ) : empty ? (
        <AllDeleted />
      ) : (
        <SegmentList
          handle={list}
          onAction={onAction}
          onMenu={onMenu}
          onSpeakers={() => setDialog('speakers')}
          onNote={(id) => setNote({ kind: 'existing', note: id })}
          onListKey={onListKey}
          suspects={suspects}
          looked={looked?.segment ?? null}
          onDrawn={(element) => markFound(element, search?.found ?? [], found)}
        />
      )}
      <EditorFooter
        timeless={timeless}
        silent={silent}
        showsOriginal={showsOriginal}
        onOriginal={() => setShowsOriginal(!showsOriginal)}
        onKeys={() => setDialog('keys')}
      />
      <OnceOpen open={menu.open}>
        {() => (
          <SegmentMenu
            open={menu.open}
            place={menu.place}
            onAction={onAction}
            onSpeakers={() => setDialog('speakers')}
            onClose={() => setMenu({ ...menu, open: false })}
          />
        )}
      </OnceOpen>
      <OnceOpen open={dialog === 'speakers'}>
        {() => <SpeakersDialog open={dialog === 'speakers'} onClose={closeDialog} />}
      </OnceOpen>
      <OnceOpen open={dialog === 'retime'}>
        {() => <RetimeDialog open={dialog === 'retime'} onClose={closeDialog} />}
      </OnceOpen>
      <OnceOpen open={dialog === 'keys'}>
        {() => <KeysDialog open={dialog === 'keys'} onClose={closeDialog} />}
      </OnceOpen>
      <OnceOpen open={note !== null}>
        {() => <NoteDialog wanted={note} onClose={() => setNote(null)} />}
      </OnceOpen>
    </div>
  );
}
