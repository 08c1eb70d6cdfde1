import type { ReactNode, Ref } from 'react';

export interface ScrollGroupProps {
  /** What it holds, for screen readers. */
  readonly label: string;
  /** How large it gets; it should scroll beyond that. */
  readonly className: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}

/** Content that scrolls by keyboard too: it takes the focus. */
export function ScrollGroup({ label, className, children, ref }: ScrollGroupProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={ref} className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
