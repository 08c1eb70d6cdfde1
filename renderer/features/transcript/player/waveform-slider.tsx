import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isComplete, type Waveform } from '../../../../electron/contract/waveform.ts';
import { clockTime, durationTime } from '../../../../electron/core/transcript/clock-time.ts';
import { useDelayed } from '../../../ui/time/timers.ts';
import { useSession, usePlayback, useWorkspace } from '../workspace.ts';
import { displayLevels, decodedFraction } from './growing-waveform.ts';
import styles from './player.module.css';

/** Width of a bar and of the gap after it, in px. */
const barWidth = 2;
const gapWidth = 1.5;
/** Seconds that an arrow key skips. */
const arrowSeconds = 5;

export interface WaveformSliderProps {
  /** `null` before anything is decoded. */
  readonly waveform: Waveform | null;
  readonly duration: number;
}

/** The waveform as a slider: a click or an arrow key seeks. */
export function WaveformSlider({ waveform, duration }: WaveformSliderProps) {
  const { t } = useTranslation();
  const { playback } = useWorkspace();
  const canvas = useRef<HTMLCanvasElement>(null);
  const time = usePlayback((state) => state.time);
  const notes = useSession((state) => state.draft.notes);
  const levels = useMemo(() => (waveform === null ? null : displayLevels(waveform)), [waveform]);
  const playedFraction = duration > 0 ? Math.min(1, time / duration) : 0;

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const paint = (): void =>
      draw(
        element,
        levels,
        playedFraction,
        notes.map(({ atSeconds }) => atSeconds / duration),
      );
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    // The colours depend on the theme.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', paint);
    return () => {
      observer.disconnect();
      theme.removeEventListener('change', paint);
    };
  }, [levels, playedFraction, notes, duration]);

  const seekTo = (event: React.PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    playback.seek(((event.clientX - box.left) / box.width) * duration);
  };

  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.wave}
      aria-label={t('transcript.position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={t('transcript.positionOf', {
        time: clockTime(time),
        duration: durationTime(duration),
      })}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') playback.skip(-arrowSeconds);
        else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') playback.skip(arrowSeconds);
        else if (event.key === 'Home') playback.seek(0);
        else if (event.key === 'End') playback.seek(duration);
        else if (event.key === ' ') playback.toggle();
        else return;
        event.preventDefault();
      }}
    >
      <canvas ref={canvas} className={styles.canvas} />
      {waveform !== null && !isComplete(waveform) && <Progress fraction={decodedFraction(waveform)} />}
    </div>
  );
}

/** The progress of decoding, shown after a delay. */
function Progress({ fraction }: { readonly fraction: number }) {
  const { t } = useTranslation();
  return useDelayed() ? (
    <span className={styles.progress}>{t('transcript.waveform', { share: Math.floor(fraction * 100) })}</span>
  ) : null;
}

/** Draws the waveform. `playedFraction` and `notes` are fractions of the duration. */
function draw(
  canvas: HTMLCanvasElement,
  levels: Uint8Array | null,
  playedFraction: number,
  notes: readonly number[],
): void {
  const scale = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const { color: unplayedColour, outlineColor: noteColour } = style;
  const playedColour = style.getPropertyValue('accent-color');
  const bars = Math.max(1, Math.floor(width / (barWidth + gapWidth)));
  const loudest = Math.max(24, ...(levels ?? []));
  for (let index = 0; index < bars; index += 1) {
    const level = levels === null ? 0 : maxLevel(levels, index / bars, (index + 1) / bars) / loudest;
    const barHeight = Math.max(2, level * (height - 6));
    context.fillStyle = index / bars < playedFraction ? playedColour : unplayedColour;
    context.fillRect(index * (barWidth + gapWidth), (height - barHeight) / 2, barWidth, barHeight);
  }
  context.fillStyle = noteColour;
  for (const note of notes) context.fillRect(note * width, 0, 2, 5);
}

/** Returns the maximum level between two points, given as fractions of the duration. */
function maxLevel(levels: Uint8Array, from: number, to: number): number {
  let loudest = 0;
  const end = Math.max(Math.floor(from * levels.length) + 1, Math.floor(to * levels.length));
  for (let at = Math.floor(from * levels.length); at < end; at += 1)
    loudest = Math.max(loudest, levels[at] ?? 0);
  return loudest;
}
