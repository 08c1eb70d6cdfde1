import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import { useKeyWords } from '../../ui/words/key-words.ts';
import styles from './editor-footer.module.css';
import { useSession } from './workspace.ts';

/** What stands between two hints. */
const separator = ' · ';

export interface EditorFooterProps {
  readonly timeless: boolean;
  readonly silent: boolean;
  readonly showsOriginal: boolean;
  readonly onOriginal: () => void;
  readonly onKeys: () => void;
}

/** The keys that one needs most, and the way to the original. */
export function EditorFooter({ timeless, silent, showsOriginal, onOriginal, onKeys }: EditorFooterProps) {
  const { t } = useTranslation();
  const words = useKeyWords();
  const edited = useSession((state) => state.edited);
  if (silent) return null;
  const hints = timeless ? t('transcript.noTimes') : t('transcript.hint', { merge: words('Alt+↑') });
  return (
    <ScreenFooter
      end={
        <>
          <Button look="plain" onClick={onKeys}>
            {t('transcript.keys.show')}
          </Button>
          <Button look="plain" aria-pressed={showsOriginal} onClick={onOriginal}>
            {t(edited ? 'transcript.original.kept' : 'transcript.original.show')}
          </Button>
        </>
      }
    >
      {/* What has no room is left out whole. */}
      <span className={styles.hints}>
        {hints.split(separator).map((hint, index) => (
          <span key={hint}>{index === 0 ? hint : separator.trimStart() + hint}</span>
        ))}
      </span>
    </ScreenFooter>
  );
}
