import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PartMissingError } from '../../lazy-part.tsx';
import { asProblem } from '../../notices.ts';
import { Failure } from './failure.tsx';

interface State {
  readonly failed: { readonly error: unknown } | null;
}

/** Shows in words that the window cannot go on, with the way out, where there would be nothing at all. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, State> {
  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override state: State = { failed: null };

  override render(): ReactNode {
    const { failed } = this.state;
    return failed === null ? this.props.children : <WindowFailure error={failed.error} />;
  }
}

function WindowFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  const [title, note] =
    error instanceof PartMissingError
      ? [t('failure.partMissing'), t('failure.partMissingNote')]
      : [t('failure.stopped'), t('crash.nothingLost')];
  return <Failure title={title} note={note} detail={asProblem(error).detail} again={t('crash.openAnew')} />;
}
