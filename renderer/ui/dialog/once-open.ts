import { useState, type ReactNode } from 'react';

export interface OnceOpenProps {
  readonly open: boolean;
  readonly children: () => ReactNode;
}

/** What opens now and then: it is made when it opens for the first time, and stays from then on, so that it can close. */
export function OnceOpen({ open, children }: OnceOpenProps): ReactNode {
  const [isMade, setMade] = useState(open);
  if (open && !isMade) setMade(true);
  return isMade || open ? children() : null;
}
