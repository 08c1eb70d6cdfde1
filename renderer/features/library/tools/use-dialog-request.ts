import { useCallback, useState } from 'react';

/** What a tool asks the user at the moment. */
export interface DialogRequest<Question> {
  readonly question: Question;
  /** A dialog that closes stays until it has left the screen. */
  readonly open: boolean;
  /** Each opening is a dialog of its own: the key of what shows it. */
  readonly serial: number;
}

export interface DialogRequests<Question> {
  /** `null` before the first question. */
  readonly asked: DialogRequest<Question> | null;
  readonly show: (question: Question) => void;
  readonly close: () => void;
}

/** The dialogs in which a tool asks what is to be done, one after the other. */
export function useDialogRequest<Question>(): DialogRequests<Question> {
  const [asked, setAsked] = useState<DialogRequest<Question> | null>(null);
  const show = useCallback(
    (question: Question) => setAsked((now) => ({ question, open: true, serial: (now?.serial ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setAsked((now) => (now === null ? null : { ...now, open: false })), []);
  return { asked, show, close };
}
