import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { lazyPart } from '../../lazy-part.tsx';

const ExportSheet = lazyPart(async () => (await import('./export-sheet.tsx')).ExportSheet);

type OpenExport = (ids: readonly TranscriptId[]) => void;

const ExportContext = createContext<OpenExport>(() => {});

/** Returns a function that opens the export sheet for some transcripts. */
export function useExport(): OpenExport {
  return useContext(ExportContext);
}

/** Holds the window's only export sheet. */
export function ExportProvider({ children }: { readonly children: ReactNode }) {
  // The number makes each opening a new sheet; the transcripts stay while it closes.
  const [sheet, setSheet] = useState<{ open: boolean; number: number; ids: readonly TranscriptId[] }>({
    open: false,
    number: 0,
    ids: [],
  });
  const open = useCallback<OpenExport>(
    (ids) => setSheet(({ number }) => ({ open: ids.length > 0, number: number + 1, ids })),
    [],
  );
  const close = useCallback(() => setSheet((before) => ({ ...before, open: false })), []);
  const content = useMemo(() => children, [children]);
  return (
    <ExportContext value={open}>
      {content}
      {sheet.number > 0 && (
        <ExportSheet key={sheet.number} open={sheet.open} ids={sheet.ids} onClose={close} />
      )}
    </ExportContext>
  );
}
