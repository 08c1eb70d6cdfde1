import type { ReactNode, Ref } from 'react';

export interface ScrollGroupProps {
  /** What it contains, for screen readers. */
  readonly label: string;
  /** Limits its size, and makes it scroll beyond that. */
  readonly className: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}

/** Content that can be scrolled by keyboard: it takes the focus. */
export function ScrollGroup({ label, className, children, ref }: ScrollGroupProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={ref} className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
