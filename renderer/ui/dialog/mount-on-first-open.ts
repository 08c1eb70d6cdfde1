import { useState, type ReactNode } from 'react';

export interface OnceOpenProps {
  readonly open: boolean;
  readonly children: () => ReactNode;
}

/** Mounts its children when they open for the first time, and keeps them mounted, so that they can fade out. */
export function MountOnFirstOpen({ open, children }: OnceOpenProps): ReactNode {
  const [isMade, setMade] = useState(open);
  if (open && !isMade) setMade(true);
  return isMade || open ? children() : null;
}
