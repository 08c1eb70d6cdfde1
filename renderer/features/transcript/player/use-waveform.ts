import { useEffect, useState } from 'react';
import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { Recording } from '../../../../electron/contract/transcript.ts';
import { isWhole, type Waveform } from '../../../../electron/contract/waveform.ts';
import { useStore } from '../../../use-store.ts';
import type { WaveformAnswer, WaveformRequest } from './waveform-worker.ts';

/** Milliseconds after which what was heard meanwhile is kept: more is never heard twice. */
const storeIntervalMs = 5000;

/**
 * The waveform of a recording as far as it is known: kept from before, and heard on beside the window as long as the
 * transcript is open. `null` before anything is known, and for good where nothing can be heard.
 */
export function useWaveform(
  id: TranscriptId,
  { url, stamp, sizeBytes }: Extract<Recording, { kind: 'ready' }>,
): Waveform | null {
  const { ask } = useStore();
  const [waveform, setWaveform] = useState<Waveform | null>(null);

  useEffect(() => {
    let worker: Worker | null = null;
    let isWanted = true;
    let unkept: Waveform | null = null;
    let keptAt = performance.now();
    const keep = (): void => {
      if (unkept === null) return;
      // It can be made again: a full disk costs nothing but the time.
      ask('transcript.keepWaveform', { id, stamp, waveform: unkept }).catch(() => undefined);
      unkept = null;
      keptAt = performance.now();
    };
    const hear = (known: Waveform | null): void => {
      worker?.terminate();
      worker = new Worker(new URL('./waveform-worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<WaveformAnswer>) => {
        if (data.kind === 'failed') return;
        setWaveform(data.waveform);
        unkept = data.waveform;
        if (isWhole(data.waveform) || performance.now() - keptAt > storeIntervalMs) keep();
        if (data.kind === 'tired') hear(data.waveform);
      });
      worker.postMessage({ url, sizeBytes, known } satisfies WaveformRequest);
    };
    const find = async (): Promise<void> => {
      const known = await ask('transcript.waveform', { id });
      if (!isWanted) return;
      setWaveform(known);
      if (known === null || !isWhole(known)) hear(known);
    };
    // Without a waveform the player still plays.
    find().catch(() => undefined);
    return () => {
      isWanted = false;
      worker?.terminate();
      keep();
    };
  }, [ask, id, url, stamp, sizeBytes]);
  return waveform;
}
