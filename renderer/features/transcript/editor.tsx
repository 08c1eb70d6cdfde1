import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  DraftSegment,
  SegmentId,
  TranscriptDocument,
} from '../../../electron/contract/model/transcript.ts';
import { attempt, notify } from '../../notices.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { problemWords } from '../../ui/problem-words.ts';
import { useStore } from '../../use-store.ts';
import { EditorFooter } from './editor-footer.tsx';
import { EditorHeader } from './editor-header.tsx';
import { NoteDialog, type NoteWanted } from './editing/note-dialog.tsx';
import { quoteOf } from './editing/quote.ts';
import { RetimeDialog } from './editing/retime-dialog.tsx';
import { SegmentList, type SegmentListHandle } from './editing/segment-list.tsx';
import { SegmentMenu, type SegmentMenuPlace } from './editing/segment-menu.tsx';
import { useActions } from './editing/use-actions.ts';
import { KeysDialog } from './keys/keys-dialog.tsx';
import { Player } from './player/player.tsx';
import { OriginalView } from './reading/original-view.tsx';
import { piecesOfText, ReadingList } from './reading/reading-list.tsx';
import { SpeakersDialog } from './speakers/speakers-dialog.tsx';
import { speakerNames } from './speakers/speaker-names.ts';
import { useSession, useWorkspace } from './workspace.ts';

export type EditorDialog = 'speakers' | 'retime' | 'keys';

export interface EditorProps {
  readonly document: TranscriptDocument;
  readonly onBack: () => void;
}

/** An open transcript with everything that can be done with it. */
export function Editor({ document, onBack }: EditorProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { session, playback } = useWorkspace();
  const list = useRef<SegmentListHandle>(null);
  const empty = useSession((state) => state.draft.segments.length === 0);
  const saving = useSession((state) => state.saving);
  const [showsOriginal, setShowsOriginal] = useState(false);
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const [note, setNote] = useState<NoteWanted | null>(null);
  const [menu, setMenu] = useState<{ readonly open: boolean; readonly place: SegmentMenuPlace | null }>({
    open: false,
    place: null,
  });

  const copyQuote = (segment: DraftSegment): void => {
    const { draft } = session.getState();
    const name = segment.speaker === null ? null : (speakerNames(draft, t)[segment.speaker] ?? null);
    attempt(async () => {
      await ask('transcript.copy', { text: quoteOf(segment, name, document.name) });
      notify(t('transcript.quoteCopied'));
    });
  };
  const onAction = useActions({
    list,
    onQuote: copyQuote,
    onNote: (atSeconds) => setNote({ kind: 'new', atSeconds }),
  });
  const onMenu = useCallback((segment: SegmentId, anchor: Element) => {
    setMenu({ open: true, place: { segment, anchor } });
  }, []);
  const closeDialog = (): void => setDialog(null);

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

  // Text without times, or nothing at all: there is nothing to edit by segments.
  const timeless = empty && !document.edited;
  return (
    <>
      <EditorHeader
        document={document}
        timeless={timeless}
        showsOriginal={showsOriginal}
        onOriginal={() => setShowsOriginal(!showsOriginal)}
        onDialog={setDialog}
        onBack={onBack}
      />
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
      {timeless ? (
        document.text.trim() === '' ? (
          <Empty title={t('transcript.empty')} note={t('transcript.emptyNote')} />
        ) : (
          <ReadingList label={t('transcript.text')} pieces={piecesOfText(document.text)} onLeave={onBack} />
        )
      ) : showsOriginal ? (
        <OriginalView onClose={() => setShowsOriginal(false)} />
      ) : empty ? (
        <Empty title={t('transcript.allDeleted')} note={t('transcript.allDeletedNote')}>
          <Button onClick={() => session.undo()}>{t('transcript.undo')}</Button>
        </Empty>
      ) : (
        <SegmentList
          handle={list}
          onAction={onAction}
          onMenu={onMenu}
          onSpeakers={() => setDialog('speakers')}
          onNote={(id) => setNote({ kind: 'existing', note: id })}
          onListKey={onListKey}
          suspects={noSuspects}
          looked={null}
        />
      )}
      <EditorFooter
        timeless={timeless}
        showsOriginal={showsOriginal}
        onOriginal={() => setShowsOriginal(!showsOriginal)}
        onKeys={() => setDialog('keys')}
      />
      <SegmentMenu
        open={menu.open}
        place={menu.place}
        onAction={onAction}
        onSpeakers={() => setDialog('speakers')}
        onClose={() => setMenu({ ...menu, open: false })}
      />
      <SpeakersDialog open={dialog === 'speakers'} onClose={closeDialog} />
      <RetimeDialog open={dialog === 'retime'} onClose={closeDialog} />
      <KeysDialog open={dialog === 'keys'} onClose={closeDialog} />
      <NoteDialog wanted={note} onClose={() => setNote(null)} />
    </>
  );
}

const noSuspects: ReadonlyMap<SegmentId, string> = new Map();
