import { useCallback, useState } from 'react';
import { notifyOf } from '../../../notices.ts';

/** What a tool of several steps shows at the moment. */
export interface Shown<Phase> {
  readonly phase: Phase;
  /** A dialog that closes stays until it has left the screen. */
  readonly open: boolean;
  /** Each opening is a dialog of its own: the key of what shows it. */
  readonly serial: number;
}

export interface Phases<Phase> {
  /** `null` before the first phase. */
  readonly shown: Shown<Phase> | null;
  readonly show: (phase: Phase) => void;
  readonly close: () => void;
  /** Shows a phase while something is done, and what went wrong with it. */
  readonly during: (phase: Phase, work: () => Promise<void>) => Promise<void>;
}

/** The steps of a tool, one dialog after the other. */
export function usePhases<Phase>(): Phases<Phase> {
  const [shown, setShown] = useState<Shown<Phase> | null>(null);
  const show = useCallback(
    (phase: Phase) => setShown((now) => ({ phase, open: true, serial: (now?.serial ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setShown((now) => (now === null ? null : { ...now, open: false })), []);
  const during = useCallback(
    async (phase: Phase, work: () => Promise<void>): Promise<void> => {
      show(phase);
      try {
        await work();
      } catch (error) {
        notifyOf(error);
      } finally {
        // Closed, it goes on, and something else may be shown by now.
        setShown((now) => (now?.phase === phase ? { ...now, open: false } : now));
      }
    },
    [show],
  );
  return { shown, show, close, during };
}
