import { useEffect } from 'react';
import { useStore } from '../../use-store.ts';
import { useSaveLog } from '../settings/use-save-log.ts';

/** Does what the native menu asks of the window, on whatever screen it is. */
export function MenuCommands() {
  const { bridge } = useStore();
  const saveLog = useSaveLog();
  useEffect(() => bridge.on('saveLog', saveLog), [bridge, saveLog]);
  return null;
}
