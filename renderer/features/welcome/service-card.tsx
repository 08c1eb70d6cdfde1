import { useId } from 'react';
import { Icon } from '../../ui/icon.tsx';
import styles from './welcome-screen.module.css';

export interface ServiceCardProps {
  readonly title: string;
  readonly lead: string;
  readonly points: readonly string[];
  /** Whether the points are good news. */
  readonly recommended?: boolean;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

/** One of the services to choose from, with what it means to choose it. */
export function ServiceCard(props: ServiceCardProps) {
  const { title, lead, points, recommended = false, checked, onChoose } = props;
  const id = useId();
  return (
    <label className={styles.card}>
      <input
        type="radio"
        name="service"
        className={styles.radio}
        checked={checked}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-about`}
        onChange={onChoose}
      />
      <span id={`${id}-title`} className={styles.cardTitle}>
        {title}
      </span>
      <span id={`${id}-about`} className={styles.about}>
        <span className={styles.lead}>{lead}</span>
        {points.map((point) => (
          <span key={point} className={styles.point} data-good={recommended || undefined}>
            <Icon name={recommended ? 'check' : 'dot'} />
            {point}
          </span>
        ))}
      </span>
    </label>
  );
}
