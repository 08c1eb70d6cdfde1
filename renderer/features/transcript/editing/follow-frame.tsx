import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import styles from './follow-frame.module.css';
import type { FollowPlayback } from './use-follow-playback.ts';

export interface FollowFrameProps extends Pick<FollowPlayback, 'isScrolledAway'> {
  readonly onResume: () => void;
  readonly children: ReactNode;
}

/** Surrounds a list that follows playback, with a button that returns there once the user has scrolled away. */
export function FollowFrame({ isScrolledAway, onResume, children }: FollowFrameProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.frame}>
      {children}
      {isScrolledAway && (
        <Button className={styles.back ?? ''} onClick={onResume}>
          {t('transcript.follow')}
        </Button>
      )}
    </div>
  );
}
