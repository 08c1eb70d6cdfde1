import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { RecordingStatus } from '../../../../electron/contract/recording-status.ts';
import { clockTime, durationTime } from '../../../../electron/core/transcript/clock-time.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, MenuItem } from '../../../ui/actions/menu.tsx';
import { useStore, useWindowState } from '../../../use-store.ts';
import { usePlayback, usePlaybackOf, useSession, useWorkspace } from '../workspace.ts';
import { rates, type Playback } from './playback.ts';
import styles from './player.module.css';
import { SubtitlePreview, SubtitleToggle } from './subtitle-preview.tsx';
import type { RecordingControl } from './use-recording.ts';
import { VideoResizer } from './video-resizer.tsx';
import { useWaveform } from './use-waveform.ts';
import { WaveformSlider } from './waveform-slider.tsx';

export interface PlayerProps {
  readonly control: RecordingControl;
  readonly language: string | null;
}

/** The player of the recording, or the reason why there is none. */
export function Player({ control, language }: PlayerProps) {
  const { t } = useTranslation();
  const { playback } = useWorkspace();
  const { recording, choose, acceptReplaced } = control;
  const brokenUrl = usePlayback((state) => state.brokenUrl);
  const mayHaveRecording = recording === null || (recording.kind === 'ready' && recording.url !== brokenUrl);
  useEffect(() => playback.setMayHaveRecording(mayHaveRecording), [playback, mayHaveRecording]);

  if (recording === null || recording.kind === 'none') return null;
  if (recording.kind === 'replaced')
    return (
      <Banner
        tone="warn"
        title={t('transcript.replaced')}
        actions={
          <>
            <Button onClick={acceptReplaced}>{t('transcript.playReplaced')}</Button>
            <Button onClick={choose}>{t('transcript.locate')}</Button>
          </>
        }
      >
        {t('transcript.replacedNote', { name: recording.name })}
      </Banner>
    );
  if (recording.kind !== 'ready' || recording.url === brokenUrl) {
    return (
      <Banner
        tone="warn"
        title={t(recording.kind === 'missing' ? 'transcript.missing' : 'transcript.broken')}
        actions={<Button onClick={choose}>{t('transcript.locate')}</Button>}
      >
        {recording.kind === 'missing'
          ? t('transcript.missingNote', { name: recording.name })
          : t('transcript.brokenNote')}
      </Banner>
    );
  }
  // Another recording gets a new player, which starts at the same position.
  return <Controls key={recording.url} recording={recording} language={language} />;
}

/** The transcripts whose {@link ShortRecordingBanner} was closed since the window was opened. */
const closedShortRecordings = new Set<TranscriptId>();

/** Says that the recording ends before the last segment begins, so that it may be another one. */
export function ShortRecordingBanner({ choose }: Pick<RecordingControl, 'choose'>) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [isClosed, setClosed] = useState(() => closedShortRecordings.has(session.id));
  const duration = usePlayback((state) => state.duration);
  const lastStart = useSession(({ draft }) => draft.segments.at(-1)?.start ?? 0);
  if (isClosed || duration === null || duration >= lastStart) return null;
  const title = t('transcript.shortRecording');
  const note = t('transcript.shortRecordingNote', {
    duration: durationTime(duration),
    last: clockTime(lastStart),
  });
  return (
    <Banner
      tone="warn"
      title={title}
      fullText={`${title} ${note}`}
      actions={
        <>
          <Button onClick={choose}>{t('transcript.recording.chooseOther')}</Button>
          <IconButton
            aria-label={t('transcript.shortRecordingClose')}
            onClick={() => {
              closedShortRecordings.add(session.id);
              setClosed(true);
            }}
          >
            <Icon name="close" />
          </IconButton>
        </>
      }
    >
      {note}
    </Banner>
  );
}

interface ControlsProps {
  readonly recording: PlayableRecording;
  readonly language: string | null;
}

function Controls({ recording, language }: ControlsProps) {
  const { session, playback } = useWorkspace();
  const waveform = useWaveform(session.id, recording);
  const isVideoShown = useWindowState((state) => state.settings.showVideo);
  const hasVideo = usePlayback((state) => state.aspectRatio !== null) && isVideoShown;
  const hasSegments = useSession(({ draft }) => draft.text === null);
  return (
    <MediaBar
      recording={recording}
      playback={playback}
      durationSeconds={session.durationSeconds ?? 0}
      isVideoHidden={!isVideoShown}
      tools={hasSegments && <SubtitleToggle />}
      overlay={hasSegments && <SubtitlePreview language={language} over="video" />}
      resizer={hasVideo && <VideoResizer />}
    >
      {(duration) => (
        <div className={styles.timeline}>
          <WaveformSlider waveform={waveform} duration={duration} />
          {hasSegments && !hasVideo && <SubtitlePreview language={language} over="waveform" />}
        </div>
      )}
    </MediaBar>
  );
}

export type PlayableRecording = Extract<RecordingStatus, { kind: 'ready' }>;

export interface MediaBarProps {
  readonly recording: PlayableRecording;
  readonly playback: Playback;
  /** Used until the recording has been opened. */
  readonly durationSeconds: number;
  /** Whether a video is only heard. */
  readonly isVideoHidden?: boolean;
  /** Buttons after the time. */
  readonly tools?: ReactNode;
  /** Shown on top of the video. */
  readonly overlay?: ReactNode;
  /** Changes the width of the video where it is beside the text. */
  readonly resizer?: ReactNode;
  /** Renders the slider. */
  readonly children: (durationSeconds: number) => ReactNode;
}

/** The video, if there is one; a button that plays and pauses, a slider, the time and the speed. */
export function MediaBar({
  recording,
  playback,
  durationSeconds,
  isVideoHidden = false,
  tools,
  overlay,
  resizer,
  children,
}: MediaBarProps) {
  const { t } = useTranslation();
  const { bridge } = useStore();
  useEffect(() => bridge.on('window.closed', () => playback.pause()), [bridge, playback]);
  const isPlaying = usePlaybackOf(playback, (state) => state.isPlaying);
  const aspectRatio = usePlaybackOf(playback, (state) => state.aspectRatio);
  const rate = usePlaybackOf(playback, (state) => state.rate);
  const mediaDuration = usePlaybackOf(playback, (state) => state.duration);
  const duration = mediaDuration ?? durationSeconds;
  const attach = useCallback(
    (element: HTMLMediaElement | null) => (element === null ? undefined : playback.attach(element)),
    [playback],
  );

  return (
    <>
      {recording.media === 'video' ? (
        <div className={styles.screen} data-shown={(aspectRatio !== null && !isVideoHidden) || undefined}>
          <div
            className={styles.picture}
            style={
              aspectRatio === null
                ? undefined
                : ({ aspectRatio, '--aspect-ratio': aspectRatio } as React.CSSProperties)
            }
          >
            {/* The transcript replaces captions. */}
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
            <video
              ref={attach}
              src={recording.url}
              preload="metadata"
              className={styles.video}
              aria-label={t('transcript.picture')}
              onClick={() => playback.toggle()}
            />
            {aspectRatio !== null && overlay}
          </div>
          {resizer}
        </div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio ref={attach} src={recording.url} preload="metadata" />
      )}
      <div className={styles.player} role="group" aria-label={t('transcript.player')}>
        <button
          type="button"
          className={styles.play}
          aria-label={t(isPlaying ? 'transcript.pause' : 'transcript.play')}
          onClick={() => playback.toggle()}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" fill="currentColor" aria-hidden>
            <path d={isPlaying ? 'M4 3h3v10H4zM9 3h3v10H9z' : 'M5 2.8v10.4L13.2 8z'} />
          </svg>
        </button>
        {children(duration)}
        <div className={styles.time}>
          <Time playback={playback} duration={duration} />
          {tools}
          <Menu
            button={
              <Button
                variant="plain"
                className={styles.rate ?? ''}
                aria-label={t('transcript.speed', { rate })}
              >
                {t('transcript.rate', { rate })}
              </Button>
            }
          >
            {rates.map((option) => (
              <MenuItem key={option} onClick={() => playback.setRate(option)}>
                {t('transcript.rate', { rate: option })}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </div>
    </>
  );
}

function Time({ playback, duration }: { readonly playback: Playback; readonly duration: number }) {
  const second = usePlaybackOf(playback, (state) => Math.floor(state.time));
  return (
    <span className={styles.digits}>
      {clockTime(second)}
      <span className={styles.total}> / {durationTime(duration)}</span>
    </span>
  );
}
