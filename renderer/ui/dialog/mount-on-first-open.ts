import { useState, type ReactNode } from 'react';

export interface MountOnFirstOpenProps {
  readonly open: boolean;
  readonly children: () => ReactNode;
}

/** Mounts its children when they open for the first time, and keeps them mounted, so that they can fade out. */
export function MountOnFirstOpen({ open, children }: MountOnFirstOpenProps): ReactNode {
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);
  return hasOpened || open ? children() : null;
}
