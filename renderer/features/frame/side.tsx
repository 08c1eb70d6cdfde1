import { useTranslation } from 'react-i18next';
import { screenOf, screens, type Screen } from '../../route.ts';
import { useGoTo, useWindow } from '../../use-store.ts';
import { useFormat } from '../../ui/words/use-format.ts';
import { ServiceCorner } from './service-corner.tsx';
import { needsUser } from '../../ui/words/service-words.ts';
import styles from './side.module.css';

/** The left edge of the window: where one can go, and which service is in use. */
export function Side() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const here = useWindow((state) => screenOf(state.route));
  const counts = useWindow((state) => state.queue.summary.counts);
  const libraryTotal = useWindow((state) => state.library.total);
  const stuck = useWindow((state) => needsUser(state.service.condition));
  const waitsForUser = useWindow((state) => state.queue.summary.waitsForUser);

  const numbers: Readonly<Record<Screen, number>> = {
    queue: counts.working + counts.waiting + counts.attention,
    library: libraryTotal,
    settings: 0,
  };
  return (
    <nav className={styles.side} aria-label={t('nav.label')}>
      <div className={styles.brand}>{t('app.name')}</div>
      <ul className={styles.entries}>
        {screens.map((screen) => (
          <li key={screen}>
            <button
              type="button"
              className={styles.entry}
              aria-current={screen === here ? 'page' : undefined}
              onClick={() => goTo({ screen })}
            >
              <span className={styles.name}>{t(`nav.${screen}`)}</span>
              <Count
                number={numbers[screen]}
                needsUser={screen === 'queue' && (stuck || waitsForUser || counts.attention > 0)}
              />
            </button>
          </li>
        ))}
      </ul>
      <ServiceCorner />
    </nav>
  );
}

function Count({ number, needsUser }: { readonly number: number; readonly needsUser: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={styles.count}>
      {needsUser && (
        <span className={styles.dot}>
          <span className="visually-hidden">{t('nav.attention')}</span>
        </span>
      )}
      {number > 0 && format.number(number)}
    </span>
  );
}
