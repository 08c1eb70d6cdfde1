import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemId } from '../../../electron/contract/identifiers.ts';
import { maxQueryLength } from '../../../electron/contract/limits.ts';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import { findMatches, patternOf } from '../../../electron/core/transcript/find.ts';
import { notifyError } from '../../notices.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { SearchBox } from '../../ui/form/search-box.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useStore, useWindowState } from '../../use-store.ts';
import { MediaBar } from './player/player.tsx';
import { segmentIndexAt } from '../../../electron/core/transcript/segment.ts';
import { Playback } from './player/playback.ts';
import { readingKeyAction } from './player/reading-keys.ts';
import { VideoResizer } from './player/video-resizer.tsx';
import styles from './editor.module.css';
import playerStyles from './player/player.module.css';
import { languageTag } from '../../../electron/contract/languages.ts';
import { clockTime, durationTime } from '../../../electron/core/transcript/clock-time.ts';
import { ReadingList, segmentParagraphs, type ReadingListHandle } from './reading-list.tsx';
import { setReadingPlace } from './reading-places.ts';
import { useLiveTranscript } from './use-live-transcript.ts';
import { usePlaybackOf } from './workspace.ts';

/**
 * A transcript in progress, to read along, search and listen to. Once it is saved and playback has stopped, the screen of
 * the saved transcript replaces this one at the same position.
 */
export function LiveScreen({ id }: { readonly id: ItemId }) {
  const { t } = useTranslation();
  const format = useFormat();
  const goTo = useGoTo();
  const list = useRef<ReadingListHandle>(null);
  const [playback] = useState(() => new Playback());
  const { view, lastMetadata, segments } = useLiveTranscript(id);
  const recording = useItemRecording(id);
  const videoShare = useWindowState((state) => state.settings.videoShare);
  const isPaused = useWindowState((state) => state.queue.summary.paused);
  const hasVideo = usePlaybackOf(playback, (state) => state.aspectRatio !== null);
  const isPlaying = usePlaybackOf(playback, (state) => state.isPlaying);
  const playingIndex = usePlaybackOf(playback, ({ time }) =>
    time === 0 ? -1 : segmentIndexAt(segments, time),
  );
  const [query, setQuery] = useState('');
  const pattern = useMemo(() => patternOf({ text: query, matchCase: false, wholeWords: false }), [query]);
  const matchRangesOf = useCallback(
    (text: string) => (pattern === null ? [] : findMatches(text, pattern)),
    [pattern],
  );
  const matchingIndexes = useMemo(
    () => segments.flatMap(({ text }, index) => (matchRangesOf(text.trim()).length > 0 ? [index] : [])),
    [segments, matchRangesOf],
  );
  // Index of the segment whose match was scrolled to; -1 for none.
  const [shownIndex, setShownIndex] = useState(-1);

  const matchNumber = matchingIndexes.indexOf(shownIndex) + 1;

  const goBack = (): void => goTo({ screen: 'queue' });
  const openSaved = (): void => {
    if (view?.kind !== 'done') return;
    // The IDs of a new transcript are indexes.
    setReadingPlace(view.transcriptId, {
      at: list.current?.readingIndex() ?? 0,
      seconds: playback.getState().time,
    });
    goTo({ screen: 'transcript', id: view.transcriptId, from: 'queue' });
  };
  const onComplete = useEffectEvent(openSaved);
  // Not while the user types in the search field: the rest would be typed into the other screen.
  const [isSearching, setSearching] = useState(false);
  useEffect(() => {
    if (view?.kind === 'done' && !isPlaying && !isSearching) onComplete();
  }, [view, isPlaying, isSearching]);

  const seekTo = (index: number): void => playback.seek(segments[index]?.start ?? 0);
  const showMatch = (step: 1 | -1): void => {
    if (matchingIndexes.length === 0) return;
    const next =
      step === 1
        ? (matchingIndexes.find((index) => index > shownIndex) ?? matchingIndexes[0])
        : (matchingIndexes.findLast((index) => index < shownIndex) ?? matchingIndexes.at(-1));
    if (next === undefined) return;
    setShownIndex(next);
    list.current?.scrollTo(next);
    if (readyRecording !== null && !isPlaying) seekTo(next);
  };
  const paragraphs = useMemo(
    () => segmentParagraphs(segments, lastMetadata?.durationSeconds ?? null),
    [segments, lastMetadata?.durationSeconds],
  );
  const readyRecording = recording?.kind === 'ready' ? recording : null;
  const details = [
    view?.kind !== 'done' &&
      t('live.transcribed', { share: format.percent((lastMetadata?.progress ?? 0) / 100) }),
    lastMetadata !== null && lastMetadata.language !== null && format.language(lastMetadata.language),
    lastMetadata !== null &&
      lastMetadata.durationSeconds !== null &&
      format.duration(lastMetadata.durationSeconds),
  ].filter((part) => part !== false);

  return (
    // The keys of the player work anywhere on the screen.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.editor}
      data-video={hasVideo || undefined}
      style={{ '--video-share': videoShare } as React.CSSProperties}
      onFocus={({ target }) => setSearching(isSearchField(target))}
      onKeyDown={(event) => {
        const { target, currentTarget } = event;
        // React also passes on the keys of open menus. Fields and the list handle Escape themselves.
        if (event.defaultPrevented || !(target instanceof Element) || !currentTarget.contains(target)) return;
        if (target instanceof HTMLInputElement) return;
        const action = readingKeyAction(event);
        if (event.key === 'Escape') goBack();
        else if (action === null || readyRecording === null) return;
        // A button keeps Space for itself.
        else if (event.key === ' ' && target instanceof HTMLButtonElement) return;
        else action(playback);
        event.preventDefault();
      }}
    >
      <div className={styles.head}>
        <ScreenHeader
          back={
            <IconButton aria-label={t('transcript.back')} onClick={goBack}>
              <Icon name="back" />
            </IconButton>
          }
          title={<bdi>{lastMetadata?.name}</bdi>}
          subtitle={lastMetadata !== null && details.join('\u00a0· ')}
          actions={
            <SearchBox
              label={t('live.search')}
              value={query}
              onChange={(text) => {
                setQuery(text);
                setShownIndex(-1);
              }}
              maxLength={maxQueryLength}
              results={list}
              onStep={showMatch}
            />
          }
        >
          {view?.kind === 'transcribing' && (
            <ProgressBar label={t('live.label')} value={view.progress / 100} />
          )}
        </ScreenHeader>
      </div>
      {readyRecording !== null && (
        <MediaBar
          recording={readyRecording}
          playback={playback}
          durationSeconds={lastMetadata?.durationSeconds ?? 0}
          resizer={hasVideo && <VideoResizer />}
        >
          {(duration) => <PositionSlider playback={playback} duration={duration} />}
        </MediaBar>
      )}
      <div className={styles.tools}>
        {(recording?.kind === 'missing' || recording?.kind === 'replaced') && view?.kind !== 'done' && (
          <Banner tone="warn" title={t(`transcript.${recording.kind}`)}>
            {t('live.missingNote', { name: recording.name })}
          </Banner>
        )}
        {view?.kind === 'transcribing' && isPaused && (
          <Banner tone="calm" title={t('live.paused')}>
            {t('live.pausedNote')}
          </Banner>
        )}
        {view?.kind === 'stopped' && (
          <Banner tone="calm" title={t('live.stopped')}>
            {t('live.stoppedNote')}
          </Banner>
        )}
        {view?.kind === 'done' && (
          <Banner
            tone="calm"
            title={t('live.complete')}
            actions={<Button onClick={openSaved}>{t('live.open')}</Button>}
          >
            {isPlaying && t('live.completeNote')}
          </Banner>
        )}
      </div>
      <div className={styles.content}>
        {segments.length === 0 ? (
          view?.kind === 'transcribing' && <Empty title={t('live.waiting')} />
        ) : (
          <ReadingList
            ref={list}
            label={t('live.label')}
            paragraphs={paragraphs}
            language={typeof lastMetadata?.language === 'string' ? languageTag(lastMetadata.language) : null}
            followsEnd={!isPlaying}
            isPlaying={isPlaying}
            currentIndex={shownIndex}
            playingIndex={playingIndex}
            onPlay={
              readyRecording === null
                ? undefined
                : (index) => {
                    seekTo(index);
                    playback.play();
                  }
            }
            onSeek={readyRecording === null ? undefined : seekTo}
            matchRangesOf={matchRangesOf}
            onLeave={goBack}
          />
        )}
      </div>
      <ScreenFooter>
        {query === ''
          ? [view?.kind === 'transcribing' && t('live.note'), readyRecording !== null && t('live.playNote')]
              .filter(Boolean)
              .join(' ')
          : matchingIndexes.length === 0
            ? t('transcript.find.none')
            : matchNumber === 0
              ? t('live.found', { count: matchingIndexes.length })
              : t('transcript.find.of', { number: matchNumber, count: matchingIndexes.length })}
      </ScreenFooter>
    </div>
  );
}

interface PositionSliderProps {
  readonly playback: Playback;
  /** Seconds. */
  readonly duration: number;
}

function PositionSlider({ playback, duration }: PositionSliderProps) {
  const { t } = useTranslation();
  const second = usePlaybackOf(playback, (state) => Math.floor(state.time));
  return (
    <input
      type="range"
      className={playerStyles.position}
      aria-label={t('transcript.position')}
      aria-valuetext={t('transcript.positionOf', {
        time: clockTime(second),
        duration: durationTime(duration),
      })}
      min={0}
      max={Math.max(1, Math.floor(duration))}
      value={second}
      onChange={(event) => playback.seek(Number(event.target.value))}
    />
  );
}

/** The recording of an item; `null` before it is known. */
function useItemRecording(id: ItemId): RecordingStatus | null {
  const { invoke } = useStore();
  const [recording, setRecording] = useState<RecordingStatus | null>(null);
  useEffect(() => {
    invoke('queue.recording', { id }).then(setRecording).catch(notifyError);
  }, [invoke, id]);
  return recording;
}

const isSearchField = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement && target.type === 'search';
