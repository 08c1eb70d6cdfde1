import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGoTo, useWindow } from '../../use-store.ts';
import { JobsLink } from '../jobs/jobs-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ScreenFooter } from '../../ui/screen-footer.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { LibraryList } from './library-list.tsx';
import { useLibrary } from './use-library.ts';

/** The library: all saved transcripts, and a search over their names and text. */
export function LibraryScreen() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const all = useWindow((state) => state.library.total);
  const [query, setQuery] = useState('');
  const listing = useLibrary(query);

  if (all === 0) {
    return (
      <>
        <ScreenHeader title={t('library.title')} sub={t('library.emptySub')} actions={<JobsLink />} />
        <Empty title={t('library.emptyTitle')} note={t('library.emptyNote')}>
          <Button look="main" onClick={() => goTo({ screen: 'queue' })}>
            {t('library.emptyAction')}
          </Button>
        </Empty>
      </>
    );
  }
  return (
    <>
      <ScreenHeader
        title={t('library.title')}
        sub={t('library.count', { count: all })}
        actions={
          <>
            <JobsLink />
            <SearchBox label={t('library.search')} value={query} onChange={setQuery} />
          </>
        }
      />
      {listing.total === 0 && listing.query !== '' ? (
        <Empty title={t('library.notFound', { query: listing.query })} note={t('library.notFoundNote')}>
          <Button onClick={() => setQuery('')}>{t('library.clear')}</Button>
        </Empty>
      ) : (
        <LibraryList
          key={listing.query}
          listing={listing}
          onOpen={({ id }) => goTo({ screen: 'transcript', id, from: 'library' })}
        />
      )}
      <ScreenFooter end={t('library.hint')}>
        <span role="status">
          {listing.query !== '' && listing.total !== null && t('library.found', { count: listing.total })}
        </span>
      </ScreenFooter>
    </>
  );
}
