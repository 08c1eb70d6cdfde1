import { useTranslation } from 'react-i18next';
import { attempt, notify, replaceNotice } from '../../../notices.ts';
import { useFormat } from '../../../ui/words/use-format.ts';
import { useStore } from '../../../use-store.ts';
import { speakerNames } from '../speakers/speaker-names.ts';
import { useWorkspace } from '../workspace.ts';
import { boundaryWords } from './boundary-words.ts';
import { quoteOf } from './quote.ts';
import type { ActionsOptions } from './use-actions.ts';

/**
 * Copies quotes and says where boundaries are: what of actions is seen nowhere in the text.
 *
 * @param recording what the recording is called in a quote.
 */
export function useTelling(recording: string): Pick<ActionsOptions, 'onQuote' | 'onBoundary'> {
  const { t } = useTranslation();
  const format = useFormat();
  const { ask } = useStore();
  const { session } = useWorkspace();
  return {
    onQuote: (selected) => {
      const { draft } = session.getState();
      const text = quoteOf(draft.segments, selected, speakerNames(draft, t), recording);
      attempt(async () => {
        await ask('transcript.copy', { text });
        notify(t('transcript.quoteCopied'));
      });
    },
    onBoundary: (moved) => {
      const { title, note } = boundaryWords(t, format, moved);
      replaceNotice('boundary', title, note);
    },
  };
}
