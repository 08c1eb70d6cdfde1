import { useWorkspace } from './workspace.ts';

/** Seconds that an arrow key goes over while one reads. */
const arrowSeconds = 5;

/** The keys of an open transcript while nothing is typed in: to hear it, to take back, to leave it. */
export function useReadingKeys(onBack: () => void): (event: React.KeyboardEvent) => void {
  const { session, playback } = useWorkspace();
  return (event) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (key === 'escape') onBack();
    else if (command && (key === 'y' || (key === 'z' && event.shiftKey))) session.redo();
    else if (command && key === 'z') session.undo();
    else if (command || event.altKey) return;
    else if (key === ' ') playback.toggle();
    else if (key === 'arrowleft') playback.skip(-arrowSeconds);
    else if (key === 'arrowright') playback.skip(arrowSeconds);
    else if (key === '<') playback.stepRate(-1);
    else if (key === '>') playback.stepRate(1);
    else return;
    event.preventDefault();
  };
}
