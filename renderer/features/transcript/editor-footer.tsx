import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { ScreenFooter } from '../../ui/screen-footer.tsx';
import { useKeyWords } from '../../ui/key-words.ts';
import { useSession } from './workspace.ts';

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
      {timeless ? t('transcript.noTimes') : t('transcript.hint', { merge: words('Alt+↑') })}
    </ScreenFooter>
  );
}
