import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptDocument } from '../../../electron/contract/transcript.ts';
import type { ScrollTarget } from '../../route.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { AllDeleted } from './editing/all-deleted.tsx';
import { SegmentList, type SegmentListHandle } from './editing/segment-list.tsx';
import { useActions } from './editing/use-actions.ts';
import { useTelling } from './editing/use-telling.ts';
import { WholeText, type WholeTextHandle } from './editing/whole-text.tsx';
import { EditorBanner } from './editor-banner.tsx';
import { EditorDialogs, useDialogs } from './editor-dialogs.tsx';
import { EditorFooter } from './editor-footer.tsx';
import { EditorHeader } from './editor-header.tsx';
import styles from './editor.module.css';
import { FindBar } from './find/find-bar.tsx';
import { markFound } from './find/highlights.ts';
import { useFinding } from './find/use-finding.ts';
import { Player } from './player/player.tsx';
import { OriginalView } from './reading/original-view.tsx';
import { ReviewBar } from './review/review-bar.tsx';
import { useLooking } from './review/use-looking.ts';
import { useReadingKeys } from './use-reading-keys.ts';
import { useSession, useWorkspace } from './workspace.ts';

export interface EditorProps {
  /** Where to land; absent: the beginning. */
  readonly landOn?: ScrollTarget | undefined;
  /** What to look for at first. */
  readonly sought?: string | undefined;
  readonly document: TranscriptDocument;
  readonly onBack: () => void;
}

/** An open transcript with everything that can be done with it. */
export function Editor({ document, landOn, sought, onBack }: EditorProps) {
  const { t } = useTranslation();
  const { playback } = useWorkspace();
  const list = useRef<SegmentListHandle>(null);
  const whole = useRef<WholeTextHandle>(null);
  const segments = useSession((state) => state.draft.segments);
  const [showsOriginal, setShowsOriginal] = useState(false);
  const finding = useFinding({ list, whole }, sought);
  const looking = useLooking(list);
  const dialogs = useDialogs();
  const telling = useTelling(document.name);
  const onAction = useActions({
    list,
    ...telling,
    onNote: (atSeconds) => dialogs.openNote({ kind: 'new', atSeconds }),
  });
  const onListKey = useReadingKeys(onBack);
  const { search, found } = finding;
  const { findings, at, looked } = looking;

  useEffect(() => {
    if (typeof landOn === 'number') list.current?.edit(landOn, 0);
  }, [landOn]);

  const onKey = (event: React.KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    if (command && key === 'f') finding.open();
    else if (event.key === 'F3' || (command && key === 'g')) {
      if (search === null) finding.open();
      else search.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'F8') looking.step(event.shiftKey ? -1 : 1);
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
        onDialog={dialogs.openDialog}
        onBack={onBack}
      >
        {!silent && (
          <Button aria-pressed={search !== null} onClick={finding.open}>
            {t('transcript.find.button')}
          </Button>
        )}
        {!timeless && (
          <Button aria-pressed={at !== null} onClick={() => looking.go(0)}>
            {t('transcript.review.button', { count: findings.length })}
          </Button>
        )}
      </EditorHeader>
      <EditorBanner onDone={() => (timeless ? whole : list).current?.focus()} />
      <Player />
      {search !== null && !showsOriginal && (
        <FindBar search={search} onShow={finding.show} onClose={finding.leave} />
      )}
      {at !== null && !showsOriginal && (
        <ReviewBar
          findings={findings}
          isReading={looking.isReading}
          at={at}
          asked={looking.asked}
          onGo={looking.go}
          onMend={(suspect) => {
            const [step] = looking.mend(suspect);
            const inserted =
              suspect.fix?.kind === 'insert' && step?.kind === 'splice' ? step.inserted[0] : undefined;
            if (inserted !== undefined) list.current?.edit(inserted.id, 0);
          }}
          onPlay={({ segment: id }) => {
            const start = segments.find((segment) => segment.id === id)?.start ?? 0;
            playback.seek(Math.max(0, start - 1));
            playback.play();
          }}
          onEdit={({ segment }) => list.current?.edit(segment, 0)}
          onClose={() => {
            looking.go(null);
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
      ) : segments.length === 0 ? (
        <AllDeleted />
      ) : (
        <SegmentList
          handle={list}
          onAction={onAction}
          onMenu={dialogs.openMenu}
          onSpeakers={() => dialogs.openDialog('speakers')}
          onNote={(note) => dialogs.openNote({ kind: 'existing', note })}
          onListKey={onListKey}
          suspects={looking.suspects}
          looked={looked?.segment ?? null}
          onDrawn={(element) => markFound(element, search?.found ?? [], found)}
        />
      )}
      <EditorFooter
        timeless={timeless}
        silent={silent}
        showsOriginal={showsOriginal}
        onOriginal={() => setShowsOriginal(!showsOriginal)}
        onKeys={() => dialogs.openDialog('keys')}
      />
      <EditorDialogs dialogs={dialogs} onAction={onAction} />
    </div>
  );
}
