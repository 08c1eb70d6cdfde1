import { useCallback, useState } from 'react';

/** A question that a tool asks the user in a dialog. */
export interface DialogRequest<Question> {
  readonly question: Question;
  /** A closed dialog stays mounted until it has faded out. */
  readonly open: boolean;
  /** Increases with each opening; the React key of the dialog. */
  readonly serial: number;
}

export interface DialogRequests<Question> {
  /** `null` before the first question. */
  readonly request: DialogRequest<Question> | null;
  readonly show: (question: Question) => void;
  readonly close: () => void;
}

/** Returns the requests for a dialog in which a tool asks the user something. */
export function useDialogRequest<Question>(): DialogRequests<Question> {
  const [request, setRequest] = useState<DialogRequest<Question> | null>(null);
  const show = useCallback(
    (question: Question) => setRequest((now) => ({ question, open: true, serial: (now?.serial ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setRequest((now) => (now === null ? null : { ...now, open: false })), []);
  return { request, show, close };
}
