import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { lazyPart } from '../../lazy-part.tsx';

const ExportSheet = lazyPart(async () => (await import('./export-sheet.tsx')).ExportSheet);

interface Sheet {
  readonly open: boolean;
  readonly isRunning: boolean;
  readonly number: number;
  readonly ids: readonly TranscriptId[];
}

type OpenExport = (ids: readonly TranscriptId[]) => void;

const ExportContext = createContext<OpenExport>(() => {});

/** Returns a function that opens the export sheet for some transcripts. */
export function useExport(): OpenExport {
  return useContext(ExportContext);
}

/** Holds the window's only export sheet. */
export function ExportProvider({ children }: { readonly children: ReactNode }) {
  // The number makes each opening a new sheet; the transcripts stay while it closes.
  const [sheet, setSheet] = useState<Sheet>({
    open: false,
    isRunning: false,
    number: 0,
    ids: [],
  });
  const open = useCallback<OpenExport>(
    (ids) =>
      setSheet((before) =>
        // One at a time: the next one is chosen once this is over, or stopped.
        before.isRunning
          ? { ...before, open: true }
          : { open: ids.length > 0, isRunning: false, number: before.number + 1, ids },
      ),
    [],
  );
  const show = useCallback(() => setSheet((before) => ({ ...before, open: true })), []);
  const setRunning = useCallback(
    (isRunning: boolean) => setSheet((before) => ({ ...before, isRunning })),
    [],
  );
  const close = useCallback(() => setSheet((before) => ({ ...before, open: false })), []);
  const content = useMemo(() => children, [children]);
  return (
    <ExportContext value={open}>
      {content}
      {sheet.number > 0 && (
        <ExportSheet
          key={sheet.number}
          open={sheet.open}
          ids={sheet.ids}
          onClose={close}
          onShow={show}
          onRunning={setRunning}
        />
      )}
    </ExportContext>
  );
}
