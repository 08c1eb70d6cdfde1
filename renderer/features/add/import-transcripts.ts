import { i18n } from '../../i18n.ts';
import { notifyImported, notifyWhile } from '../../notices.ts';
import type { Store } from '../../store.ts';

/** Brings files that hold transcripts into the library, and says what came of it. */
export async function importTranscripts(
  { ask }: Pick<Store, 'ask'>,
  paths: readonly string[],
): Promise<void> {
  const report = await notifyWhile('importing', i18n.t('import.working'), () =>
    ask('library.import', { paths: [...paths] }),
  );
  notifyImported(report);
}
