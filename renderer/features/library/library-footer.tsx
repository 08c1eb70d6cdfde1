import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import type { LibraryAction } from './use-library-actions.tsx';
import type { Listing } from './use-library.ts';

export interface LibraryFooterProps {
  readonly listing: Listing;
  /** How many are selected. */
  readonly selected: number;
  readonly onAction: (action: LibraryAction) => void;
}

/** The foot of the library: what is selected and what can be done with it, or what was found. */
export function LibraryFooter({ listing, selected, onAction }: LibraryFooterProps) {
  const { t } = useTranslation();
  const { trash } = listing.question;
  const found = useFoundWords(listing);
  if (selected === 0) {
    return (
      <ScreenFooter whole end={t(trash ? 'library.trashHint' : 'library.hint')}>
        <span role="status">{found}</span>
      </ScreenFooter>
    );
  }
  const actions: readonly LibraryAction[] = trash ? ['restore', 'purge'] : ['export', 'tag', 'trash'];
  return (
    <ScreenFooter
      end={actions.map((action) => (
        <Button key={action} look="plain" onClick={() => onAction(action)}>
          {t(`library.action.${action}`)}
        </Button>
      ))}
    >
      <span role="status">{t('queue.selected', { count: selected })}</span>
    </ScreenFooter>
  );
}

/** What the search has found, in words. */
function useFoundWords(listing: Listing): string {
  const { question, isSearch, total, passageTotal, isCapped, isWhole, isIndexing } = listing;
  const { t } = useTranslation();
  if (question.query.trim() === '' || total === null) return '';
  if (!isSearch) return t('library.noWords');
  const words = [
    t(isWhole ? 'library.found' : 'library.foundSoFar', { count: total }),
    isCapped
      ? question.sort === 'relevance' && t('library.ranked')
      : passageTotal > 0 && t('library.passages', { count: passageTotal }),
    isIndexing && t('library.indexing'),
  ];
  return words.filter((part) => part !== false).join(' · ');
}
