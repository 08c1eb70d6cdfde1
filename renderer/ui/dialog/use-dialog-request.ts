import { useCallback, useState } from 'react';

/** A request to open a dialog, with what the dialog shows. */
export interface DialogRequest<Content> {
  readonly content: Content;
  /** A closed dialog stays mounted until it has faded out. */
  readonly open: boolean;
  /** Increases with each opening; the React key of the dialog. */
  readonly serial: number;
}

export interface DialogRequestControl<Content> {
  /** `null` before the dialog was first shown. */
  readonly request: DialogRequest<Content> | null;
  readonly show: (content: Content) => void;
  readonly close: () => void;
}

/** Manages the requests to open a dialog; each mounts a new instance. */
export function useDialogRequest<Content>(): DialogRequestControl<Content> {
  const [request, setRequest] = useState<DialogRequest<Content> | null>(null);
  const show = useCallback(
    (content: Content) => setRequest((now) => ({ content, open: true, serial: (now?.serial ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setRequest((now) => (now === null ? null : { ...now, open: false })), []);
  return { request, show, close };
}
