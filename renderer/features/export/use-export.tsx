import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notify } from '../../notices.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { lazyPart } from '../../lazy-part.tsx';

const ExportSheet = lazyPart(async () => (await import('./export-sheet.tsx')).ExportSheet);

interface SheetState {
  readonly open: boolean;
  readonly isRunning: boolean;
  readonly serial: number;
  readonly ids: readonly TranscriptId[];
  readonly isOriginalShown: boolean;
}

/**
 * Opens the export sheet for some transcripts.
 *
 * @param isOriginalShown whether the user sees the original: the sheet then says that it exports the current version
 */
type OpenExport = (ids: readonly TranscriptId[], isOriginalShown?: boolean) => void;

/** Returns the arguments with which the menu's “Export” opens the sheet. */
type ExportTarget = () => Parameters<OpenExport>;

interface ExportContextValue {
  readonly open: OpenExport;
  /** Sets what the menu's “Export” exports. Returns a function that restores the former target. */
  readonly registerTarget: (target: ExportTarget) => () => void;
}

const ExportContext = createContext<ExportContextValue>({ open: () => {}, registerTarget: () => () => {} });

/** Returns a function that opens the export sheet for some transcripts. */
export function useExport(): OpenExport {
  return useContext(ExportContext).open;
}

/** Lets the menu's “Export” open the sheet with these arguments while the component is mounted. */
export function useExportTarget(target: ExportTarget): void {
  const { registerTarget } = useContext(ExportContext);
  const current = useEffectEvent(target);
  useEffect(() => registerTarget(() => current()), [registerTarget]);
}

/** Holds the window's only export sheet. */
export function ExportProvider({ children }: { readonly children: ReactNode }) {
  // The serial is the React key: each opening mounts a new sheet. `ids` stays set during the closing animation.
  const [sheet, setSheet] = useState<SheetState>({
    open: false,
    isRunning: false,
    serial: 0,
    ids: [],
    isOriginalShown: false,
  });
  const open = useCallback<OpenExport>(
    (ids, isOriginalShown = false) =>
      setSheet((before) =>
        // Only one export runs at a time: show it instead of starting another.
        before.isRunning
          ? { ...before, open: true }
          : { open: ids.length > 0, isRunning: false, serial: before.serial + 1, ids, isOriginalShown },
      ),
    [],
  );
  const show = useCallback(() => setSheet((before) => ({ ...before, open: true })), []);
  const setRunning = useCallback(
    (isRunning: boolean) => setSheet((before) => ({ ...before, isRunning })),
    [],
  );
  const close = useCallback(() => setSheet((before) => ({ ...before, open: false })), []);
  const targets = useRef<readonly ExportTarget[]>([]);
  const registerTarget = useCallback<ExportContextValue['registerTarget']>((target) => {
    targets.current = [target, ...targets.current];
    return () => {
      targets.current = targets.current.filter((other) => other !== target);
    };
  }, []);
  const { t } = useTranslation();
  const { bridge } = useStore();
  const goTo = useGoTo();
  const isOpen = sheet.open;
  useEffect(
    () =>
      bridge.on('libraryCommand', (command) => {
        if (command !== 'export' || isOpen) return;
        const target = targets.current[0]?.();
        if (target !== undefined && target[0].length > 0) {
          open(...target);
          return;
        }
        goTo({ screen: 'library' });
        notify(t('export.chooseFirst'), t('export.chooseFirstNote'));
      }),
    [bridge, goTo, isOpen, open, t],
  );
  const contextValue = useMemo(() => ({ open, registerTarget }), [open, registerTarget]);
  return (
    <ExportContext value={contextValue}>
      {children}
      {sheet.serial > 0 && (
        <ExportSheet
          key={sheet.serial}
          open={sheet.open}
          ids={sheet.ids}
          isOriginalShown={sheet.isOriginalShown}
          onClose={close}
          onShow={show}
          onRunning={setRunning}
        />
      )}
    </ExportContext>
  );
}
