import { useEffect, useState } from 'react';
import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { RecordingStatus } from '../../../../electron/contract/recording-status.ts';
import { isComplete, type Waveform } from '../../../../electron/contract/waveform.ts';
import { useStore } from '../../../use-store.ts';
import type { WaveformResponse, WaveformRequest } from './waveform-worker.ts';

/** Milliseconds between two stores of the waveform; what is decoded in between may be decoded again. */
const storeIntervalMs = 5000;

/**
 * Returns the waveform of a recording as far as it is decoded: what was stored before, and what a worker decodes while the
 * transcript is open. `null` before anything is decoded, and if the recording cannot be decoded.
 */
export function useWaveform(
  id: TranscriptId,
  { url, stamp, sizeBytes }: Extract<RecordingStatus, { kind: 'ready' }>,
): Waveform | null {
  const { invoke } = useStore();
  const [waveform, setWaveform] = useState<Waveform | null>(null);

  useEffect(() => {
    let worker: Worker | null = null;
    let isActive = true;
    let unstored: Waveform | null = null;
    let storedAt = performance.now();
    const storeWaveform = (): void => {
      if (unstored === null) return;
      // It can be decoded again, so a failure is ignored.
      invoke('transcript.keepWaveform', { id, stamp, waveform: unstored }).catch(() => undefined);
      unstored = null;
      storedAt = performance.now();
    };
    const decode = (previous: Waveform | null): void => {
      worker?.terminate();
      worker = new Worker(new URL('./waveform-worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<WaveformResponse>) => {
        if (data.kind === 'failed') return;
        setWaveform(data.waveform);
        unstored = data.waveform;
        if (isComplete(data.waveform) || performance.now() - storedAt > storeIntervalMs) storeWaveform();
        if (data.kind === 'exhausted') decode(data.waveform);
      });
      worker.postMessage({ url, sizeBytes, previous } satisfies WaveformRequest);
    };
    const load = async (): Promise<void> => {
      const previous = await invoke('transcript.waveform', { id });
      if (!isActive) return;
      setWaveform(previous);
      if (previous === null || !isComplete(previous)) decode(previous);
    };
    // Without a waveform the player still plays.
    load().catch(() => undefined);
    return () => {
      isActive = false;
      worker?.terminate();
      storeWaveform();
    };
  }, [invoke, id, url, stamp, sizeBytes]);
  return waveform;
}
