import { useEffect, useState } from 'react';
import type { TranscriptId } from '../../../../electron/contract/model/library.ts';
import type { Recording } from '../../../../electron/contract/model/transcript.ts';
import { useStore } from '../../../use-store.ts';
import type { PeaksAnswer, PeaksRequest } from './peaks.ts';

/** The waveform of a recording as far as it is known: kept from before, or computed now beside the window. */
export function usePeaks(id: TranscriptId, recording: Recording): Uint8Array | null {
  const { ask } = useStore();
  const [peaks, setPeaks] = useState<Uint8Array | null>(null);
  const url = recording.kind === 'ready' ? recording.url : null;
  const sizeBytes = recording.kind === 'ready' ? recording.sizeBytes : 0;

  useEffect(() => {
    if (url === null) return;
    let worker: Worker | null = null;
    let wanted = true;
    const find = async (): Promise<void> => {
      const kept = await ask('transcript.waveform', { id });
      if (!wanted) return;
      if (kept !== null) {
        setPeaks(kept);
        return;
      }
      worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<PeaksAnswer>) => {
        if (data.kind === 'failed') return;
        setPeaks(data.peaks);
        // It can be made again: a full disk costs nothing but the time.
        if (data.kind === 'all')
          ask('transcript.keepWaveform', { id, peaks: data.peaks }).catch(() => undefined);
      });
      worker.postMessage({ url, sizeBytes } satisfies PeaksRequest);
    };
    // Without a waveform the player still plays.
    find().catch(() => undefined);
    return () => {
      wanted = false;
      worker?.terminate();
    };
  }, [ask, id, url, sizeBytes]);
  return peaks;
}
